/** The admin page's texts. */

import { fill, language, when, type Params } from '../i18n.svelte';
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

/** Until when it holds; without an end, for good. */
export function untilText(until: number | null | undefined): string {
  return until === null || until === undefined ? ta('always') : when(until);
}
