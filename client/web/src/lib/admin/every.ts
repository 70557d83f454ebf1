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

/** To be called with each letter: asks once none has come for a moment. */
export function onceTyped(ask: () => Promise<unknown>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), TYPING_MS);
  };
}
