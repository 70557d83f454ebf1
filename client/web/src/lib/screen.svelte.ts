/** What the screen is like, as far as the layout cares. */

import { MediaQuery } from 'svelte/reactivity';

class ScreenSize {
  #narrow = new MediaQuery('(max-width: 700px), (max-aspect-ratio: 3/4)');
  #roomy = new MediaQuery('(min-width: 1200px) and (min-height: 700px)');
  #still = new MediaQuery('(prefers-reduced-motion: reduce)');
  #light = new MediaQuery('(prefers-color-scheme: light)');

  get narrow(): boolean {
    return this.#narrow.current;
  }

  /** Several tables fit side by side. */
  get roomy(): boolean {
    return this.#roomy.current;
  }

  get still(): boolean {
    return this.#still.current;
  }

  get light(): boolean {
    return this.#light.current;
  }
}

export const screenSize = new ScreenSize();
