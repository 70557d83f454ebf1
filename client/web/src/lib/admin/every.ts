/** What stands on an admin's screen is asked for again while somebody looks at it. */

import { untrack } from 'svelte';

const EVERY_MS = 10_000;
/** Whoever types is not done with each letter. */
const TYPING_MS = 250;

/** At once, and then from time to time until the function returned is called. */
export function everyWhile(ask: () => Promise<unknown>): () => void {
  untrack(() => void ask());
  const timer = setInterval(() => document.hidden || void ask(), EVERY_MS);
  return () => clearInterval(timer);
}

/** Once nobody has called it for a moment: for effects, which call off what they asked before. */
export function soon(ask: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => void ask(), TYPING_MS);
  return () => clearTimeout(timer);
}
