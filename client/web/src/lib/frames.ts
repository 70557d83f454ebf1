/** One drawing a frame for the whole page. A hidden page has no frames and draws at once: its title still tells. */

export interface Frames {
  /** Calls `draw` once with the next frame, however often it is asked for until then. */
  request(draw: () => void): void;
}

class PageFrames implements Frames {
  #waiting = new Set<() => void>();
  #asked = false;

  request(draw: () => void): void {
    if (document.hidden) {
      draw();
      return;
    }
    this.#waiting.add(draw);
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** A page hidden between asking and drawing would keep its last frame: it draws that now. */
  flush(): void {
    if (this.#waiting.size) this.#draw();
  }

  #draw(): void {
    this.#asked = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const draw of waiting) draw();
  }
}

const page = new PageFrames();
if (typeof document !== 'undefined') document.addEventListener('visibilitychange', () => page.flush());

export const frames: Frames = page;
