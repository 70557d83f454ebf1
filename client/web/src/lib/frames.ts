/**
 * One drawing a frame for the whole page, and not in each frame: those between belong to motion. A hidden page has no
 * frames and draws at once: its title still tells.
 */

/** From one drawing to the next at least. What comes alone is drawn with the next frame. */
const GAP_MS = 30;

export interface Frames {
  /** Calls `draw` once with the next frame, however often it is asked for until then. */
  request(draw: () => void): void;
}

class PageFrames implements Frames {
  #waiting = new Set<() => void>();
  #asked = false;
  #drawnAt = -Infinity;

  request(draw: () => void): void {
    if (document.hidden) {
      draw();
      return;
    }
    this.#waiting.add(draw);
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame((now) => this.#frame(now));
  }

  /** A page hidden between asking and drawing would keep its last frame: it draws that now. */
  flush(): void {
    if (this.#waiting.size) this.#draw();
  }

  #frame(now: number): void {
    if (this.#waiting.size && now - this.#drawnAt < GAP_MS) {
      requestAnimationFrame((next) => this.#frame(next));
      return;
    }
    this.#asked = false;
    this.#drawnAt = now;
    this.#draw();
  }

  #draw(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const draw of waiting) draw();
  }
}

const page = new PageFrames();
if (typeof document !== 'undefined') document.addEventListener('visibilitychange', () => page.flush());

export const frames: Frames = page;
