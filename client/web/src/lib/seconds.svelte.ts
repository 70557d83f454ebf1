/** Whole seconds left, for texts that count down. One timer for the page, and only while somebody looks. */

import { createSubscriber } from 'svelte/reactivity';
import type { ServerClock } from './clock';

class Seconds {
  #watch = createSubscriber((update) => {
    const timer = setInterval(update, 250);
    return () => clearInterval(timer);
  });

  until(deadline: number, clock: ServerClock): number {
    this.#watch();
    return Math.ceil(clock.left(deadline) / 1000);
  }
}

export const seconds = new Seconds();
