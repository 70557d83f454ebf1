/** The tables that are open on this page. Those where we sit are always among them. */

import type { SeatHeld } from '../wire';
import type { ServerClock } from './clock';
import { session } from './session.svelte';
import { TableState, type Line } from './table.svelte';

/** More are not opened: nobody plays so many, and each costs the room. */
export const TABLES_MAX = 16;

export class Tables {
  list = $state.raw<readonly TableState[]>([]);
  /** The table in front. */
  focus = $state<string | null>(null);

  readonly focused = $derived(this.list.find(({ id }) => id === this.focus) ?? null);
  /** Where it is our turn, the most urgent first. */
  readonly waiting = $derived(
    this.list.filter(({ myTurn }) => myTurn).sort((a, b) => (a.myTurn?.deadline ?? 0) - (b.myTurn?.deadline ?? 0)),
  );
  readonly chipsMoved = $derived(this.list.reduce((times, table) => times + table.chipsMoved, 0));
  readonly whichWaitsForMe = $derived(this.waiting[0] ?? null);

  constructor(
    private readonly line: Line,
    private readonly clock: ServerClock,
  ) {}

  get(id: string): TableState | null {
    return this.list.find((table) => table.id === id) ?? null;
  }

  /** Opens the table, or finds it open. Null: too many are. */
  open(id: string, joinCode: string | null = null): TableState | null {
    const table = this.get(id) ?? this.#add(id);
    if (table && joinCode !== null) table.joinCode = joinCode;
    return table;
  }

  /** Opens the table and puts it in front. Where it can't be opened, no other is there in its place. */
  show(id: string, joinCode: string | null = null): TableState | null {
    this.focus = id;
    return this.open(id, joinCode);
  }

  close(id: string): void {
    this.get(id)?.close();
    this.list = this.list.filter((table) => table.id !== id);
    if (this.focus === id) this.focus = this.list[0]?.id ?? null;
  }

  /** Where we sit. What a table here shows counts more than what was said when the line was opened. */
  seated(said: readonly SeatHeld[]): ReadonlySet<string> {
    const unseen = said.map(({ table }) => table).filter((id) => !this.get(id)?.view);
    return new Set([...unseen, ...this.list.filter(({ you }) => you).map(({ id }) => id)]);
  }

  /** Those where we sit. */
  adopt(seats: readonly SeatHeld[]): void {
    for (const { table } of seats) this.open(table);
  }

  #add(id: string): TableState | null {
    if (this.list.length >= TABLES_MAX) return null;
    const table = new TableState(id, this.line, this.clock);
    this.list = [...this.list, table];
    return table;
  }
}

export const tables = new Tables(session.connection, session.clock);
