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

/** Something on its way across the felt. It is drawn beside what is there already, which doesn't wait for it. */
export interface Flight {
  kind: 'to_pot' | 'to_winner' | 'muck';
  seat: number;
  /** Chips; 0 for cards. */
  amount: number;
  delayMs: number;
}

/** A pot goes to its winner when the last bets have come to it. */
const AFTER_BETS_MS = 200;

/** What flies: folded cards, the bets of a street that has ended, and what is won. `before` is the view drawn last. */
export function flights(before: TableView | null, events: readonly Event[]): Flight[] {
  const bets = new Map((before?.seats ?? []).filter(({ bet }) => bet > 0).map(({ seat, bet }) => [seat, bet]));
  const found: Flight[] = [];
  let collected = false;
  for (const event of events) {
    if (event.type === 'hand_started') bets.clear();
    else if (event.type === 'posted') bets.set(event.seat, (bets.get(event.seat) ?? 0) + event.amount);
    else if (event.type === 'uncalled_returned') bets.set(event.seat, (bets.get(event.seat) ?? 0) - event.amount);
    else if (event.type === 'acted') {
      if (event.action === 'fold') found.push({ kind: 'muck', seat: event.seat, amount: 0, delayMs: 0 });
      else if (event.to > 0) bets.set(event.seat, event.to);
    } else if (event.type === 'street_dealt' || event.type === 'pot_awarded') {
      const put = [...bets].filter(([, amount]) => amount > 0);
      bets.clear();
      collected ||= put.length > 0;
      found.push(...put.map(([seat, amount]): Flight => ({ kind: 'to_pot', seat, amount, delayMs: 0 })));
      if (event.type === 'pot_awarded') {
        const delayMs = collected ? AFTER_BETS_MS : 0;
        found.push(...event.winners.map(({ seat, amount }): Flight => ({ kind: 'to_winner', seat, amount, delayMs })));
      }
    }
  }
  return found;
}

/** So many cards of the board have been turned by these events. */
export function turned(events: readonly Event[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'street_dealt' ? event.cards.length : 0), 0);
}

/** Cards come one after another, but the last one soon enough. */
export function dealDelay(order: number, count: number, { gapMs, wholeMs }: { gapMs: number; wholeMs: number }): number {
  return count < 2 ? 0 : Math.round(order * Math.min(gapMs, wholeMs / (count - 1)));
}
