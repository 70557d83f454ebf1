/** One table as this page knows it: the latest view, what happened, and what we asked for. It knows no rules. */

import { LOBBY, type Act, type Arm, type Bounds, type Event, type SeatView, type TableView } from '../wire';
import type { Turn, Update, You } from '../wire';
import { ServerClock } from './clock';
import type { Follower } from './following';
import { frames as pageFrames, type Frames } from './frames';
import type { Key } from './i18n.svelte';
import type { Asked, Asking } from './questions';
import { Refusal } from './refusal';
import { sharing } from './sharing';
import { boundsOf, LogLine, Names, reasonOf } from './words';

/** Lines kept of the log, and of what was said. Older ones are forgotten. */
export const LINES_MAX = 200;

export type ActionName = Act['action'];
export type ArmedAction = Arm['action'];

/** Commands and events that move chips between account and table. */
const MOVING: ReadonlySet<string> = new Set(['sit', 'leave', 'top_up', 'seated', 'left', 'topped_up']);

/** What a table asks of the connection. */
export interface Line {
  ask(asked: Asked): Asking;
  follow(table: string, follower: Follower): () => void;
}

/** The answer to a turn, on its way. */
export interface Pending {
  action: ActionName;
  to: number | null;
  id: string;
  turn: string;
}

/** What else may be asked of a table. */
export type Command = 'arm' | 'disarm' | 'sit' | 'leave' | 'sit_out' | 'sit_in' | 'top_up' | 'show' | 'chat';

export interface Refused {
  command: 'act' | Command;
  code: Refusal['code'];
  /** What amount would have done, where that is why. */
  bounds: Bounds | null;
  /** In the reader's language where we have it. */
  readonly text: string;
}

export type Status = 'connecting' | 'live' | 'stale' | 'gone';

export class TableState {
  view = $state.raw<TableView | null>(null);
  you = $state.raw<You | null>(null);
  /** What happened since the view drawn before this one. */
  events = $state.raw<readonly Event[]>([]);
  /** More than one update has come since the last drawing: no time for motion. */
  behind = $state(false);
  /** Some events before this update are not known to anybody any more. */
  lost = $state(false);
  epoch = $state(0);
  seq = $state(0);
  /** When the latest update was made, in the server's time. */
  at = $state(0);
  /** Goes up with each drawing, also where `events` is as empty as before. */
  drawn = $state(0);
  status = $state<Status>('connecting');
  /** Why there is nothing to see, where `status` is `gone`. */
  goneBecause = $state.raw<Refusal['code'] | null>(null);
  readonly gone = $derived(this.status === 'gone');
  readonly whyGone: Key = $derived(this.goneBecause === 'table_closed' ? 'refusal.table_closed' : 'refusal.not_found');

  pending = $state.raw<Pending | null>(null);
  /** The other commands that wait for their answer. */
  asking = $state.raw<ReadonlySet<Command>>(new Set());
  refusal = $state.raw<Refused | null>(null);

  /** What happened, oldest first; `talk` is what people said. */
  log = $state.raw<readonly LogLine[]>([]);
  talk = $state.raw<readonly LogLine[]>([]);
  /** The last line of `talk` that was read. */
  readTo = $state(0);
  /** The lines of this drawing. */
  news = $state.raw<readonly LogLine[]>([]);
  /** Goes up when chips of ours may have moved between account and table. */
  chipsMoved = $state(0);

  readonly mySeat = $derived(this.view?.seats.find(({ seat }) => seat === this.you?.seat) ?? null);
  readonly turn: Turn | null = $derived(this.view?.hand?.turn ?? null);
  /** The turn, if it is ours. */
  readonly myTurn = $derived(this.turn && this.turn.seat === this.you?.seat ? this.turn : null);
  /** The hand that is on the table has ended: nobody is to act, and the pots are with who won them. */
  readonly handOver = $derived(this.view?.hand !== undefined && this.view.hand.turn === undefined && this.view.hand.pots.length === 0);
  readonly bigBlind = $derived(this.view?.settings.big_blind ?? 0);

  /** What to sit down with at a table for invited players, and to invite others with. */
  joinCode: string | null = null;

  #queue: Update[] = [];
  #names = new Names();
  #lines = 0;
  #shownBy: number | null = null; // The update that shows what was asked; until then it is pending.
  readonly #unfollow: () => void;

  constructor(
    readonly id: string,
    private readonly line: Line,
    readonly clock: ServerClock = new ServerClock(),
    private readonly frames: Frames = pageFrames,
  ) {
    if (id === LOBBY) throw new Error('the lobby is no table');
    this.#unfollow = line.follow(id, {
      update: (update) => this.#receive(update),
      stale: () => this.#stale(),
      refused: (refusal) => this.#gone(refusal.code),
    });
  }

  /** Server time is `performance.now()` and this. */
  get serverOffsetMs(): number {
    return this.clock.offsetMs;
  }

  /** Stops following the table. Who sits there stays seated. */
  close(): void {
    this.#queue = [];
    this.#unfollow();
  }

  seat(number: number): SeatView | null {
    return this.view?.seats.find(({ seat }) => seat === number) ?? null;
  }

  /** Answers the turn that is on the screen. False: there was none, or it was refused (`refusal` says why). */
  async act(action: ActionName, to?: number): Promise<boolean> {
    const hand = this.view?.hand;
    const turn = this.myTurn;
    if (!hand || !turn || this.pending) return false;
    const amount = to === undefined ? {} : { to };
    const asking = this.line.ask({ type: 'act', table: this.id, hand: hand.id, turn: turn.id, action, ...amount });
    this.refusal = null;
    this.#shownBy = null;
    this.pending = { action, to: to ?? null, id: asking.id, turn: turn.id };
    try {
      const { seq } = await asking.answer;
      if (this.pending?.id === asking.id) this.#settle(seq ?? this.seq);
      return true;
    } catch (error) {
      if (this.pending?.id === asking.id) this.pending = null;
      this.#refused('act', error);
      return false;
    }
  }

  /** The server acts for us when our turn comes. It is meant for the price on the screen, and refused for another. */
  arm(action: ArmedAction): Promise<boolean> {
    const hand = this.view?.hand;
    const price = this.you?.to_call;
    if (!hand || price === undefined) return Promise.resolve(false);
    return this.#do({ type: 'arm', table: this.id, hand: hand.id, action, to_call: price });
  }

  disarm(): Promise<boolean> {
    const hand = this.view?.hand;
    if (!hand) return Promise.resolve(false);
    return this.#do({ type: 'disarm', table: this.id, hand: hand.id });
  }

  async sit(seat: number | null, buyIn: number, postNow: boolean, joinCode: string | null = this.joinCode): Promise<boolean> {
    const done = await this.#do({
      type: 'sit',
      table: this.id,
      buy_in: buyIn,
      post_now: postNow,
      ...(seat !== null && { seat }),
      ...(joinCode !== null && { join_code: joinCode }),
    });
    if (done) this.joinCode = joinCode;
    return done;
  }

  leave(): Promise<boolean> {
    return this.#do({ type: 'leave', table: this.id });
  }

  sitOut(): Promise<boolean> {
    return this.#do({ type: 'sit_out', table: this.id });
  }

  sitIn(postNow: boolean): Promise<boolean> {
    return this.#do({ type: 'sit_in', table: this.id, post_now: postNow });
  }

  topUp(amount: number): Promise<boolean> {
    return this.#do({ type: 'top_up', table: this.id, amount });
  }

  /** Shows own cards after the hand. */
  show(cards: string[]): Promise<boolean> {
    const hand = this.view?.hand;
    if (!hand) return Promise.resolve(false);
    return this.#do({ type: 'show', table: this.id, hand: hand.id, cards });
  }

  chat(text: string): Promise<boolean> {
    return this.#do({ type: 'chat', table: this.id, text });
  }

  dismiss(): void {
    this.refusal = null;
  }

  async #do(asked: Asked & { type: Command }): Promise<boolean> {
    if (this.asking.has(asked.type)) return false;
    this.refusal = null;
    this.asking = new Set([...this.asking, asked.type]);
    try {
      await this.line.ask(asked).answer;
      if (MOVING.has(asked.type)) this.chipsMoved += 1;
      return true;
    } catch (error) {
      this.#refused(asked.type, error);
      return false;
    } finally {
      this.asking = new Set([...this.asking].filter((type) => type !== asked.type));
    }
  }

  #refused(command: 'act' | Command, error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.refusal = {
      command,
      code: error.code,
      bounds: boundsOf(error),
      get text() {
        return reasonOf(error);
      },
    };
  }

  #receive(update: Update): void {
    const old = this.#queue.at(-1) ?? this;
    if (update.epoch === old.epoch && update.seq < old.seq) return;
    this.#queue.push(update);
    if (this.#queue.length === 1) this.frames.request(() => this.#draw());
  }

  /** Everything that came since the last frame, as one: the last view counts, the log misses nothing. */
  #draw(): void {
    const updates = this.#queue;
    const last = updates.at(-1);
    this.#queue = [];
    if (!last) return;
    const news: LogLine[] = [];
    const events: Event[] = [];
    for (const update of updates) {
      const known = update.epoch === this.epoch && update.seq <= this.seq;
      if (!known) news.push(...this.#tell(update));
      if (!known) events.push(...update.events);
      this.epoch = update.epoch;
      this.seq = update.seq;
    }
    const turn = this.myTurn?.id;
    this.view = sharing(this.view, last.view as TableView);
    this.you = sharing(this.you, last.you ?? null);
    this.events = events;
    this.behind = updates.length > 1;
    this.lost = updates.some(({ lost }) => lost);
    this.at = last.at;
    this.#keep(news);
    this.status = 'live';
    if (events.some(({ type }) => type === 'table_closed')) this.#gone('table_closed');
    if (this.myTurn && this.myTurn.id !== turn && this.refusal?.command === 'act') this.refusal = null;
    this.#settle(this.#shownBy);
    this.drawn += 1;
  }

  #tell(update: Update): LogLine[] {
    const view = update.view as TableView;
    const mine = update.you?.seat ?? null;
    const [bigBlind, at] = [view.settings.big_blind, update.at];
    const lines: LogLine[] = [];
    if (update.lost) lines.push(new LogLine(this.#line(), { type: 'gap' }, { names: this.#names, bigBlind, at }));
    for (const event of update.events) {
      this.#names = this.#names.after(event, mine);
      lines.push(new LogLine(this.#line(), event, { names: this.#names, bigBlind, at }));
    }
    this.#names = this.#names.in(view, mine);
    return lines.filter((line) => line.kind !== null);
  }

  #line(): number {
    this.#lines += 1;
    return this.#lines;
  }

  #keep(news: LogLine[]): void {
    this.news = news;
    if (!news.length) return;
    if (news.some(({ mine, event }) => mine && MOVING.has(event.type))) this.chipsMoved += 1;
    const said = news.filter(({ kind }) => kind === 'chat');
    if (said.length) this.talk = [...this.talk, ...said].slice(-LINES_MAX);
    if (said.length < news.length) {
      this.log = [...this.log, ...news.filter(({ kind }) => kind !== 'chat')].slice(-LINES_MAX);
    }
  }

  /** A pending action is pending until the update that shows it, or until the turn has passed in any other way. */
  #settle(shownBy: number | null): void {
    this.#shownBy = shownBy;
    if (!this.pending) return;
    const shown = shownBy !== null && this.seq >= shownBy;
    if (shown || this.turn?.id !== this.pending.turn) this.pending = null;
  }

  #stale(): void {
    if (this.status === 'live') this.status = 'stale';
  }

  /** What was seen last stays, but nobody sits there any more. */
  #gone(code: Refusal['code']): void {
    this.status = 'gone';
    this.goneBecause = code;
    this.you = null;
  }
}
