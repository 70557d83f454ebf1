/** The server's time on the local monotonic clock, so that a wrong or changed clock of this machine does no harm. */

/** Measurements that count; later ones replace earlier ones, as two clocks drift. */
const SAMPLES = 8;

interface Sample {
  offset: number;
  /** The least the measurement can be wrong by is nothing, the most half of this. */
  roundTrip: number;
}

export class ServerClock {
  #samples: Sample[] = [];
  #offset: number | null = null;

  /** What to add to `performance.now()` to have the server's time. Before the first answer this machine's clock has to do. */
  get offsetMs(): number {
    return this.#offset ?? Date.now() - performance.now();
  }

  /** The server's time in Unix milliseconds. */
  now(): number {
    return performance.now() + this.offsetMs;
  }

  /** Milliseconds left until the server's deadline, never less than 0. */
  left(deadline: number): number {
    return Math.max(0, deadline - this.now());
  }

  /** The server said that it was `time` when it answered what was sent at `sent` (both ends on the monotonic clock). */
  heard(time: number, sent: number, received: number): void {
    const roundTrip = Math.max(0, received - sent);
    this.#samples = [...this.#samples, { offset: time - (sent + roundTrip / 2), roundTrip }].slice(-SAMPLES);
    this.#offset = this.#samples.reduce((best, sample) => (sample.roundTrip <= best.roundTrip ? sample : best)).offset;
  }

  /** The monotonic clock may have stood still (a laptop asleep): what was measured before counts no more. */
  doubt(): void {
    this.#samples = [];
  }
}
