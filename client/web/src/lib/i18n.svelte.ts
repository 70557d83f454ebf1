/** Texts in the reader's language. A text may have `{name}` and `{n|one:# chip|other:# chips}`, forms as Intl has them. */

import { en, type Key, type Texts } from '../texts/en';

export type { Key } from '../texts/en';
export type Params = Readonly<Record<string, string | number>>;

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADED: Record<Language, () => Promise<Texts>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import('../texts/de')).de,
};

class Tongue {
  language = $state<Language>('en');
  texts = $state.raw<Texts>(en);
  numbers = $derived(new Intl.NumberFormat(this.language));
  parts = $derived(new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }));
  brief = $derived(new Intl.NumberFormat(this.language, { notation: 'compact', maximumSignificantDigits: 4 }));
  plurals = $derived(new Intl.PluralRules(this.language));
}

const tongue = new Tongue();

/** The language that texts are in now. */
export function language(): Language {
  return tongue.language;
}

let wanted: Language = 'en';

/** Texts are in that language from when its file is there, if it can be had. The last one asked for wins. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const texts = await LOADED[language]().catch(() => null);
  if (texts === null || wanted !== language) return;
  tongue.texts = texts;
  tongue.language = language;
  if (typeof document !== 'undefined') document.documentElement.lang = language;
}

/** The first of the reader's languages that we have. */
export function preferred(languages: readonly string[]): Language {
  const found = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES);
  return (found ?? 'en') as Language;
}

export function t(key: Key, params: Params = {}): string {
  return fill(tongue.texts[key], params);
}

/** Whether there is a text of that key, as for codes that a newer server may send. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(en, key);
}

export function number(value: number): string {
  return tongue.numbers.format(value);
}

/** With one decimal at most. */
export function rounded(value: number): string {
  return tongue.parts.format(value);
}

/** Four digits and how large it is: `1.234M`. */
export function brief(value: number): string {
  return tongue.brief.format(value);
}

/** The time alone where it is today. */
export function when(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  if (then.toDateString() === today.toDateString()) return then.toLocaleTimeString(language(), time);
  const year = then.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return then.toLocaleString(language(), { ...time, ...year, day: 'numeric', month: 'short' });
}

/** A text of any file of texts, with what it names. */
export function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)(?:\|([^{}]*))?\}/g, (whole, name: string, forms: string | undefined) => {
    const value = params[name];
    if (value === undefined) return whole;
    const shown = typeof value === 'number' ? number(value) : value;
    return forms === undefined || typeof value === 'string' ? shown : plural(forms, value).replace('#', shown);
  });
}

function plural(forms: string, count: number): string {
  const choices = new Map(forms.split('|').map((form) => form.split(/:(.*)/s, 2) as [string, string]));
  return choices.get(tongue.plurals.select(count)) ?? choices.get('other') ?? '';
}
