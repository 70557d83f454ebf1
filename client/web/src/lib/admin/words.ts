/** The admin page's texts, and times as its readers want them. */

import { fill, language, type Params } from '../i18n.svelte';
import { de } from './texts.de';
import { en, type AdminKey } from './texts.en';

export type { AdminKey } from './texts.en';

const TEXTS: Readonly<Record<ReturnType<typeof language>, Readonly<Record<AdminKey, string>>>> = { en, de };

export function ta(key: AdminKey, params: Params = {}): string {
  return fill(TEXTS[language()][key], params);
}

/** What was done, in words; a newer room may do more. */
export function deedText(action: string): string {
  return known(`did.${action}`) ?? action;
}

/** Why chips moved: one of the room's own reasons, or an admin's. */
export function movementText(reason: string): string {
  return known(`moved.${reason}`) ?? reason;
}

function known(key: string): string | null {
  return Object.hasOwn(en, key) ? ta(key as AdminKey) : null;
}

/** The time alone where it was today. */
export function when(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  if (then.toDateString() === today.toDateString()) return then.toLocaleTimeString(language(), time);
  const year = then.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return then.toLocaleString(language(), { ...time, ...year, day: 'numeric', month: 'short' });
}

/** Until when it holds; without an end, for good. */
export function untilText(until: number | null | undefined): string {
  return until === null || until === undefined ? ta('always') : when(until);
}
