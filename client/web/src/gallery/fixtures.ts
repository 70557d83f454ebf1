/** Tables as a room would send them, with people whose names are as long as names may be. */

import { ServerClock } from '../lib/clock';
import type { Follower } from '../lib/following';
import type { Asked } from '../lib/questions';
import { TableState, type Line } from '../lib/table.svelte';
import type { Event, HandView, Pot, SeatView, TableView, Turn, Update, You } from '../wire';

export const NAMES = ['Bo', 'Chidi', 'Maximiliane von Thurn', 'Anna', 'Dana', 'WWWWWWWWWWWWWWWWWWWWWWWW', 'Eli', 'Friederike', 'Gus', 'Hadiza'];
export const MINE = 4;

/** Hears what is asked and says nothing; `shows` draws an update. */
export class Stage implements Line {
  #followers = new Map<string, Follower>();
  #seq = 0;

  ask(_asked: Asked) {
    return { id: 'x', answer: new Promise<never>(() => undefined) };
  }

  follow(table: string, follower: Follower): () => void {
    this.#followers.set(table, follower);
    return () => this.#followers.delete(table);
  }

  shows(table: string, view: TableView, { you, events = [] }: { you?: You; events?: Event[] } = {}): void {
    this.#seq += 1;
    const update: Update = { type: 'update', table, epoch: 1, seq: this.#seq, at: Date.now(), events, view, ...(you && { you }) };
    this.#followers.get(table)?.update(update);
  }

  stale(table: string): void {
    this.#followers.get(table)?.stale();
  }

  refuses(table: string, refusal: Parameters<Follower['refused']>[0]): void {
    this.#followers.get(table)?.refused(refusal);
  }
}

export function opened(stage: Stage, id = 't1'): TableState {
  return new TableState(id, stage, new ServerClock());
}

export function seat(number: number, given: Partial<SeatView> = {}): SeatView {
  return {
    seat: number,
    account: `a${number}`,
    name: NAMES[number - 1] ?? `Player ${number}`,
    kind: number % 2 ? 'bot' : 'guest',
    stack: [940, 12_450, 2_300, 1_540, 815, 1_234_567, 60, 1_960, 5_005, 777][number - 1] ?? 1000,
    bet: 0,
    state: 'active',
    connected: true,
    holds: 2,
    time_bank_ms: 30_000,
    ...given,
  };
}

export function turn(number: number, given: Partial<Turn> = {}): Turn {
  return {
    id: `h1-${number}`,
    seat: number,
    deadline: Date.now() + 18_000,
    time_bank_ms: 30_000,
    actions: { fold: true, check: false, call: 120, raise: { min: 240, max: 1540 }, all_in: 1540 },
    ...given,
  };
}

export function hand(given: Partial<HandView> = {}): HandView {
  return { id: 'h1', number: 1204, street: 'turn', board: ['As', '9d', '4c', 'Qh'], pots: [{ amount: 685, eligible: [1, 2, 3, 4] }], ...given };
}

export function pots(...amounts: number[]): Pot[] {
  return amounts.map((amount) => ({ amount, eligible: [1, 2] }));
}

export function table(seats: number, given: Partial<TableView> = {}): TableView {
  return {
    name: 'Magnolia',
    game: 'nlhe',
    settings: { seats, small_blind: 5, big_blind: 10, buy_in_min: 200, buy_in_max: 1000, turn_seconds: 30, time_bank_seconds: 30 },
    status: 'playing',
    button: Math.min(2, seats),
    seats: Array.from({ length: seats }, (_, i) => seat(i + 1)),
    hand: hand(),
    ...given,
  };
}

export function you(given: Partial<You> = {}, at = MINE): You {
  return { seat: at, cards: ['Ac', 'Qd'], rank: { category: 'two_pair', cards: ['As', 'Ac', 'Qh', 'Qd', '9d'], text: 'two pair, aces and queens' }, ...given };
}

export const STORY: Event[] = [
  { type: 'hand_started', hand: 'h1', number: 1204, game: 'nlhe', button: 2, small_blind: 5, big_blind: 10, ante: 0, seats: [1, 2, 3, 4].map((number) => ({ seat: number, account: `a${number}`, name: NAMES[number - 1] ?? '', stack: 1000 })) },
  { type: 'posted', seat: 3, kind: 'small_blind', amount: 5, all_in: false },
  { type: 'posted', seat: 4, kind: 'big_blind', amount: 10, all_in: false },
  { type: 'acted', seat: 1, turn: 'x', action: 'raise', amount: 30, to: 30, all_in: false },
  { type: 'acted', seat: 2, turn: 'x', action: 'fold', amount: 0, to: 0, all_in: false },
  { type: 'acted', seat: 4, turn: 'x', action: 'call', amount: 20, to: 30, all_in: false },
  { type: 'street_dealt', street: 'flop', cards: ['As', '9d', '4c'], board: ['As', '9d', '4c'] },
  { type: 'acted', seat: 4, turn: 'x', action: 'bet', amount: 60, to: 60, all_in: false },
  { type: 'acted', seat: 1, turn: 'x', action: 'call', amount: 60, to: 60, all_in: false },
  { type: 'street_dealt', street: 'turn', cards: ['Qh'], board: ['As', '9d', '4c', 'Qh'] },
  { type: 'chatted', account: 'a1', name: 'Bo', text: 'nice hand, that last one was a long way to go for a small pot' },
  { type: 'chatted', account: 'a4', name: 'Anna', text: 'thanks' },
];
