/** A small room for tests: sockets that a test holds the other end of, and shapes with what a test doesn't care about. */

import type { Outside, Socket } from '../lib/connection';
import { TICK_MS } from '../lib/ticker';
import type { Account, Event, HandView, SeatView, ServerMessage, TableView, Turn, Update, Welcome, You } from '../wire';

export type Sent = Record<string, unknown> & { type: string; id: string };

export class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: Sent[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }

  close(): void {
    this.closed = true;
  }

  /** What was sent last, of that type. */
  last(type: string): Sent {
    const found = this.sent.filter((message) => message.type === type).at(-1);
    if (!found) throw new Error(`no ${type} was sent`);
    return found;
  }

  all(type: string): Sent[] {
    return this.sent.filter((message) => message.type === type);
  }

  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The handshake is done, and the room says welcome. */
  welcomes(given: Partial<Welcome> = {}): void {
    this.onopen?.();
    this.says({ ...WELCOME, re: this.last('hello').id, ...given });
  }

  /** Takes the last message of that type. */
  grants(type: string, more: { seq?: number; seat?: number } = {}): void {
    this.says({ type: 'ok', re: this.last(type).id, ...more });
  }

  closes(code: number): void {
    this.onclose?.({ code });
  }
}

export class FakeRoom implements Outside {
  readonly sockets: FakeSocket[] = [];
  ticker = (tick: () => void): void => void setInterval(tick, TICK_MS);

  open = (): FakeSocket => {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  };

  random = (): number => 0.5;

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  }
}

export const ANNA: Account = { id: 'a7', name: 'Anna', kind: 'guest', chips: 10_000 };

const WELCOME: Welcome = {
  type: 'welcome',
  re: '',
  protocol: 1,
  connection: 'c1',
  time: 1_795_968_000_000,
  heartbeat_seconds: 10,
  limits: { frame_bytes: 8192, frames_per_second: 10, frames_burst: 40 },
  seats: [],
};

export function seat(number: number, name: string, given: Partial<SeatView> = {}): SeatView {
  return {
    seat: number,
    account: `a${number}`,
    name,
    kind: 'guest',
    stack: 1000,
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
    deadline: 1_795_968_030_000,
    time_bank_ms: 30_000,
    actions: { fold: true, check: false, call: 50, raise: { min: 110, max: 1000 }, all_in: 1000 },
    ...given,
  };
}

export function hand(given: Partial<HandView> = {}): HandView {
  return { id: 'h1', number: 1, street: 'preflop', board: [], pots: [], ...given };
}

export function view(given: Partial<TableView> = {}): TableView {
  return {
    name: 'Magnolia',
    game: 'nlhe',
    settings: { seats: 6, small_blind: 5, big_blind: 10, buy_in_min: 200, buy_in_max: 1000 },
    status: 'playing',
    button: 1,
    seats: [seat(1, 'Bo'), seat(4, 'Anna', { account: ANNA.id })],
    ...given,
  };
}

export function update(seq: number, given: Partial<Update> = {}): Update {
  return { type: 'update', table: 't1', epoch: 1, seq, at: 1_795_968_000_000, events: [], view: view(), ...given };
}

export function you(...cards: string[]): You {
  return { seat: 4, cards };
}

export function folds(seat: number): Event {
  return { type: 'acted', seat, turn: `h1-${seat}`, action: 'fold', amount: 0, to: 0, all_in: false };
}
