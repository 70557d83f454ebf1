/** The room's tables, live, and which of them the reader wants to see. */

import { LOBBY, type LobbyView, type TableInfo, type Update } from '../wire';
import { frames as pageFrames, type Frames } from './frames';
import { session } from './session.svelte';
import type { Line } from './table.svelte';

export type Game = TableInfo['game'];
export type LobbyStatus = 'loading' | 'live' | 'stale' | 'failed';

export class Lobby {
  rows = $state.raw<readonly TableInfo[]>([]);
  status = $state<LobbyStatus>('loading');

  // Filters.
  game = $state<Game | 'all'>('all');
  /** Tables with this big blind alone; 0 is all. */
  bigBlind = $state(0);
  /** Tables with a free seat alone. */
  free = $state(false);
  name = $state('');

  readonly shown = $derived(this.rows.filter((row) => this.#wanted(row)));
  readonly filtered = $derived(this.shown.length < this.rows.length);
  /** The big blinds there are to choose from. */
  readonly stakes = $derived([...new Set(this.rows.map((row) => row.big_blind))].sort((a, b) => a - b));

  #unfollow: (() => void) | null = null;
  #latest: Update | null = null;

  constructor(
    private readonly line: Line,
    private readonly frames: Frames = pageFrames,
  ) {}

  /** Follows the list from now on. */
  start(): void {
    this.#unfollow ??= this.line.follow(LOBBY, {
      update: (update) => {
        const asked = this.#latest !== null;
        this.#latest = update; // First: a hidden page draws at once.
        if (!asked) this.frames.request(() => this.#draw());
      },
      stale: () => {
        if (this.status === 'live') this.status = 'stale';
      },
      refused: () => {
        this.status = 'failed';
        this.#unfollow = null;
      },
    });
  }

  stop(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    if (this.status === 'live') this.status = 'stale';
  }

  showAll(): void {
    this.game = 'all';
    this.bigBlind = 0;
    this.free = false;
    this.name = '';
  }

  /**
   * Where to sit for who only wants to play: a seat that is free and can be paid for, where most people are. Nobody is
   * sent to where they sit already, and to a table that is paused only if there is no other;
   * one that wants a code is for who has it.
   */
  quickSeat(chips: number, except: ReadonlySet<string> = new Set()): TableInfo | null {
    const among = this.shown.length ? this.shown : this.rows;
    const fit = among.filter((row) => row.taken < row.seats && row.buy_in_min <= chips && row.status !== 'closing' && !row.join_code && !except.has(row.id));
    const order = (row: TableInfo) => (row.status === 'paused' ? -1 : row.taken);
    return fit.reduce<TableInfo | null>((best, row) => (best && order(best) >= order(row) ? best : row), null);
  }

  /** Whether so many chips buy into no table at all. */
  tooFew(chips: number): boolean {
    return this.rows.length > 0 && this.rows.every((row) => row.buy_in_min > chips);
  }

  #draw(): void {
    const latest = this.#latest;
    this.#latest = null;
    if (!latest) return;
    this.rows = (latest.view as LobbyView).tables;
    this.status = 'live';
  }

  #wanted(row: TableInfo): boolean {
    return (
      (this.game === 'all' || row.game === this.game) &&
      (!this.bigBlind || row.big_blind === this.bigBlind) &&
      (!this.free || row.taken < row.seats) &&
      row.name.toLowerCase().includes(this.name.trim().toLowerCase())
    );
  }
}

/** Hundred big blinds, as near as the table and the account allow. */
export function usualBuyIn(table: { big_blind: number; buy_in_min: number; buy_in_max: number }, chips: number): number {
  return Math.max(table.buy_in_min, Math.min(100 * table.big_blind, table.buy_in_max, chips));
}

export const lobby = new Lobby(session.connection);
