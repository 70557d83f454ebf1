/** Tables that are followed, and the lobby: asked for on each line anew, from where they were on the one before. */

import type { Ok, Update } from '../wire';
import type { Asked } from './questions';
import type { Refusal } from './refusal';

const RETRY_MS = 1_000; // Between two tries where the server was busy.
/** It will not let us on another try either. */
const FOR_GOOD: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'unauthorized']);

/** Hears of one table, or of the lobby. */
export interface Follower {
  update(update: Update): void;
  /** What it has may be old: the line is down. The next update makes up for it. */
  stale(): void;
  /** The server doesn't let us follow it. */
  refused(refusal: Refusal): void;
}

/** Asks on this line alone; null while there is none. */
export type AskHere = (asked: Asked) => Promise<Ok> | null;

interface Followed {
  follower: Follower;
  since: { epoch: number; seq: number } | null;
}

export class Following {
  readonly #followed = new Map<string, Followed>();

  constructor(
    private readonly ask: AskHere,
    private readonly random: () => number,
  ) {}

  /** Until the function returned is called. One follower a table. */
  follow(table: string, follower: Follower): () => void {
    const followed: Followed = { follower, since: null };
    this.#followed.set(table, followed);
    this.#watch(table, followed);
    return () => {
      if (this.#followed.get(table) !== followed) return;
      this.#followed.delete(table);
      this.ask({ type: 'unwatch', table })?.catch(() => undefined);
    };
  }

  /** There is a line again. */
  goOn(): void {
    for (const [table, followed] of this.#followed) this.#watch(table, followed);
  }

  updated(update: Update): void {
    const followed = this.#followed.get(update.table);
    if (!followed) return;
    followed.since = { epoch: update.epoch, seq: update.seq };
    followed.follower.update(update);
  }

  /** The line is down. */
  stale(): void {
    for (const { follower } of this.#followed.values()) follower.stale();
  }

  #watch(table: string, followed: Followed): void {
    const { since } = followed;
    this.ask({ type: 'watch', table, ...(since && { since }) })?.catch((refusal: Refusal) => {
      const here = () => this.#followed.get(table) === followed;
      if (!here() || refusal.code === 'lost') return;
      if (FOR_GOOD.has(refusal.code)) {
        this.#followed.delete(table);
        followed.follower.refused(refusal);
      } else {
        setTimeout(() => here() && this.#watch(table, followed), RETRY_MS * (1 + this.random()));
      }
    });
  }
}
