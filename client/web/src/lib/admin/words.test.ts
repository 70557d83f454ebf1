import { afterEach, describe, expect, test } from 'vitest';
import { speak, when } from '../i18n.svelte';
import { edited, formOf } from './edit';
import { de } from './texts.de';
import { en } from './texts.en';
import { deedText, movementText, ta, untilText } from './words';

afterEach(() => speak('en'));

describe('texts', () => {
  test('name the same things in every language', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();
    for (const [key, text] of Object.entries(en)) expect([key, names(de[key as keyof typeof en])]).toEqual([key, names(text)]);
  });

  test('follow the reader, and what a newer room does is said as it says it', async () => {
    expect(ta('reached', { count: 1 })).toBe('It went to 1 connection.');
    expect(deedText('account.ban')).toBe('Banned');
    expect(deedText('account.bless')).toBe('account.bless');
    expect(movementText('buy_in')).toBe('Buy-in');
    expect(movementText('won the raffle')).toBe('won the raffle');

    await speak('de');
    expect(deedText('account.ban')).toBe('Gesperrt');
  });

  test('a time has its day where that is another', () => {
    const now = new Date(2026, 10, 29, 15, 0).getTime();

    expect(when(new Date(2026, 10, 29, 8, 5).getTime(), now)).toBe('08:05');
    expect(when(new Date(2026, 10, 2, 8, 5).getTime(), now)).toBe('Nov 2, 08:05');
    expect(when(new Date(2025, 10, 2, 8, 5).getTime(), now)).toBe('Nov 2, 2025, 08:05');
    expect(untilText(null)).toBe('for good');
  });
});

test('only what is another way than before is asked for', () => {
  const settings = { seats: 6, small_blind: 5, big_blind: 10, buy_in_min: 200, buy_in_max: 1000, show_all: true };
  const table = { id: 't1', name: 'Oak', game: 'nlhe', state: 'open', opened_at: 0, settings } as const;
  const before = formOf({ ...table, next_settings: { ...settings, small_blind: 10, big_blind: 20 } });

  expect(before).toMatchObject({ name: 'Oak', big_blind: 20, ante: 0, show_all: true, dead_button: false });
  expect(edited(before, { ...before })).toEqual({});
  expect(edited(before, { ...before, ante: 2, show_all: false })).toEqual({ ante: 2, show_all: false });
});
