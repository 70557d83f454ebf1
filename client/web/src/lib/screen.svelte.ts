/** What the screen is like, as far as the layout cares. */

import { MediaQuery } from 'svelte/reactivity';

class ScreenSize {
  #narrow = new MediaQuery('(max-width: 700px) and (max-aspect-ratio: 5/4), (max-aspect-ratio: 3/4)');
  #flat = new MediaQuery('(max-height: 540px) and (min-aspect-ratio: 5/4)');
  #wide = new MediaQuery('(min-width: 1180px)');
  #roomy = new MediaQuery('(min-width: 1180px) and (min-height: 680px)');
  #still = new MediaQuery('(prefers-reduced-motion: reduce)');
  #light = new MediaQuery('(prefers-color-scheme: light)');

  /** A phone held upright, or anything like it. */
  get narrow(): boolean {
    return this.#narrow.current;
  }

  /** A phone on its side, or a page at twice its size. */
  get flat(): boolean {
    return this.#flat.current;
  }

  /** The log has room beside the felt. */
  get wide(): boolean {
    return this.#wide.current;
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
