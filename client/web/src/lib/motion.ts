/** What an update's events make move, and how the end of a hand is lit. It never holds anything back. */

import type { Event, TableView } from '../wire';

/** The end of a hand, as its events told it. */
export interface Showdown {
  /** What each seat won. */
  winners: ReadonlyMap<number, number>;
  /** The winning five; empty where nobody had to show. */
  lit: ReadonlySet<string>;
}

/** Follows one table's events; `after` is what there is to light until the next hand begins. */
export class Endings {
  #winners = new Map<number, number>();
  #hand: string | null = null;

  after(events: readonly Event[], view: TableView | null): Showdown | null {
    for (const event of events) {
      if (event.type === 'hand_started') this.#clear();
      else if (event.type === 'pot_awarded') {
        for (const { seat, amount } of event.winners) this.#winners.set(seat, (this.#winners.get(seat) ?? 0) + amount);
      }
    }
    const hand = view?.hand;
    if (hand?.id !== this.#hand && !events.some(({ type }) => type === 'pot_awarded')) this.#clear();
    this.#hand = hand?.id ?? null;
    if (!this.#winners.size) return null;
    const best = view?.seats.flatMap(({ seat, rank }) => (rank && this.#winners.has(seat) ? rank.cards : []));
    return { winners: new Map(this.#winners), lit: new Set(best) };
  }

  #clear(): void {
    this.#winners.clear();
  }
}
