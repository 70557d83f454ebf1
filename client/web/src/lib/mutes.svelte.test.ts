import { expect, test } from 'vitest';
import { mutes } from './mutes.svelte';
import { store, stored } from './storage';

test('whom another tab mutes is muted here too, and stays so when this one mutes somebody', () => {
  store('muted', ['a1']);
  dispatchEvent(new StorageEvent('storage', { key: 'fullring.muted' }));
  expect(mutes.has('a1')).toBe(true);

  mutes.add('a2');
  expect(stored('muted')).toEqual(['a1', 'a2']);
});
