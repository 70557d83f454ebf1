import { flushSync } from 'svelte';
import { beforeEach, expect, test } from 'vitest';
import { language, number, preferred, speak, t } from './i18n.svelte';
import { Settings } from './settings.svelte';
import { store, stored } from './storage';

/** As on a page that has just been opened. */
async function opened(): Promise<Settings> {
  const settings = new Settings();
  await settings.start();
  return settings;
}

beforeEach(() => localStorage.clear());

test('what is chosen is kept for the next visit', async () => {
  const first = await opened();
  first.volume = 0.2;
  first.theme = 'light';
  first.inBigBlinds = true;
  flushSync();

  expect(stored('settings')).toMatchObject({ volume: 0.2, theme: 'light', inBigBlinds: true });
  expect(await opened()).toMatchObject({ volume: 0.2, theme: 'light', inBigBlinds: true, fourColour: true });
});

test('what is kept but makes no sense is not taken over', async () => {
  store('settings', { volume: 7, theme: 'pink', felt: 3, reducedMotion: 'a lot', language: 'constructor', autoMuck: 'no' });

  expect(await opened()).toMatchObject({
    volume: 0.5,
    theme: 'dark',
    felt: 'green',
    reducedMotion: 'system',
    language: 'en',
    autoMuck: true,
  });
});

test('what another tab chooses is chosen here too', async () => {
  const settings = await opened();
  store('settings', { felt: 'blue' });
  dispatchEvent(new StorageEvent('storage', { key: 'fullring.settings' }));

  expect(settings.felt).toBe('blue');
});

test('the first language of the reader that we have is taken', () => {
  expect(preferred(['fr-CH', 'de-CH', 'en'])).toBe('de');
  expect(preferred(['fr', 'it'])).toBe('en');
  expect(preferred([])).toBe('en');
});

test('texts, numbers and the document change with the language', async () => {
  await speak('de');
  expect(t('say.time_left', { seconds: 1 })).toBe('Noch 1 Sekunde.');
  expect(t('say.time_left', { seconds: 1_200 })).toBe('Noch 1.200 Sekunden.');
  expect(number(12_345)).toBe('12.345');
  expect(document.documentElement.lang).toBe('de');

  await speak('en');
  expect(t('say.time_left', { seconds: 1 })).toBe('1 second left.');
  expect(t('say.time_left', { seconds: 0 })).toBe('0 seconds left.');
});

test('the language asked for last wins, whichever file comes first', async () => {
  await Promise.all([speak('de'), speak('en')]);

  expect(language()).toBe('en');
});

test('what is filled in is not read as a blank', () => {
  expect(t('event.chatted', { name: '{text}', text: '{name}' })).toBe('{text}: {name}');
});
