/**
 * The one socket of the page: it comes back by itself, asks again what was not answered, and follows tables from where
 * they were. It knows no poker: what an update says is its follower's business.
 */

import { CLOSED, PROTOCOL, type Notice, type ServerMessage, type Welcome } from '../wire';
import { Following, type Follower } from './following';
import { Questions, type Asked, type Asking } from './questions';
import { Refusal } from './refusal';
import { ticker, type Ticker } from './ticker';

const CONNECT_MS = 10_000; // From opening a socket to `welcome`.
const PROBE_MS = 3_000; // For an answer where the line may be dead.
const GAP_MS = 5_000; // Between two ticks: the machine slept, or the page was frozen. Below 0 its clock was set back.
const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 10_000;
const STEADY_MS = 10_000; // A line that held so long was a good one: the next try is at once.
const GIVE_UP_MS = 60_000; // What was asked so long ago is not asked again: nobody expects it to happen any more.

/** Why the socket is closed and stays so until somebody asks for it again. */
export type Stop = 'replaced' | 'credentials' | 'version' | 'kicked';

export type Link =
  | { is: 'closed' } // Not opened yet.
  | { is: 'connecting'; tries: number }
  | { is: 'open'; welcome: Welcome }
  | { is: 'waiting'; tries: number }
  /** `refusal` is what the room said of it, where it did. */
  | { is: 'stopped'; why: Stop; refusal?: Refusal };

export type Credentials = { token: string } | { ticket: string } | Record<never, never>;

export interface Listener {
  link(link: Link): void;
  notice(notice: Notice): void;
  /** The server's time, between these two instants of `performance.now()`. */
  time(time: number, sent: number, received: number): void;
  /** This machine's clocks may have stood still. */
  woke(): void;
}

/** What the connection needs from a WebSocket. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Outside {
  open(url: string): Socket;
  ticker: Ticker;
  random(): number;
}

const BROWSER: Outside = {
  open: (url) => new WebSocket(url) as unknown as Socket,
  ticker,
  random: Math.random,
};

export class Connection {
  #link: Link = { is: 'closed' };
  #socket: Socket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #ticking = false;
  #tries = 0;
  #asked = 0;
  readonly #prefix: string;
  readonly #questions = new Questions();
  readonly #following: Following;
  readonly #pings = new Map<string, number>();
  #turnedAway: Refusal | null = null;
  #openedAt = 0;
  #sentAt = 0;
  #heardAt = 0;
  #tickedAt = 0;

  constructor(
    private readonly url: string,
    private readonly credentials: () => Credentials,
    private readonly listener: Listener,
    private readonly outside: Outside = BROWSER,
  ) {
    // Ids are unique per account, which other pages use too.
    this.#prefix = Math.floor(outside.random() * 2 ** 48).toString(36);
    const askHere = (asked: Asked) => (this.#link.is === 'open' ? this.#ask(asked, false).answer : null);
    this.#following = new Following(askHere, () => outside.random());
  }

  get link(): Link {
    return this.#link;
  }

  /** Opens the socket and keeps it open; where there is one, it is another from now on, for whoever we are now. */
  open(): void {
    this.#begin();
    this.#drop();
    this.#questions.giveUp(() => true);
    this.#tries = 0;
    this.#connect();
  }

  /** Until `open` is called again. */
  stop(why: Stop, refusal: Refusal | null = null): void {
    this.#drop();
    this.#questions.giveUp(() => true);
    this.#become({ is: 'stopped', why, ...(refusal && { refusal }) });
  }

  /** Asks, now or as soon as the line is back, under one id however often it has to be said. */
  ask(asked: Asked): Asking {
    return this.#ask(asked, true);
  }

  /** Follows a table, or the lobby, until the function returned is called. One follower a table. */
  follow(table: string, follower: Follower): () => void {
    return this.#following.follow(table, follower);
  }

  /** The browser says that it is on a network again, or the page is looked at: no time to wait. */
  hurry(): void {
    if (this.#link.is === 'waiting') this.#connect();
    else if (this.#link.is === 'open') this.#probe();
  }

  /** The line may be dead without having said so. */
  suspect(): void {
    if (this.#link.is === 'open') this.#probe();
  }

  #ask(asked: Asked, again: boolean): Asking {
    const id = this.#id();
    const text = JSON.stringify({ ...asked, id });
    const answer = this.#questions.add(id, text, again);
    if (this.#link.is === 'open') this.#send(text);
    if (this.#link.is === 'closed' || this.#link.is === 'stopped') this.#questions.giveUp((_, other) => other === id);
    return { id, answer };
  }

  #begin(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    this.#tickedAt = Date.now();
    this.outside.ticker(() => this.#tick());
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#turnedAway = null;
    this.#become({ is: 'connecting', tries: this.#tries });
    const socket = this.outside.open(this.url);
    this.#socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = ({ code }) => this.#closed(code);
    this.#expectWithin(CONNECT_MS);
  }

  #hello(): void {
    const id = this.#id();
    this.#pings.set(id, performance.now());
    this.#send(
      JSON.stringify({ type: 'hello', id, protocol: PROTOCOL, client: 'fullring-web/1', ...this.credentials() }),
    );
  }

  #hear(message: ServerMessage): void {
    this.#heardAt = Date.now();
    if (this.#link.is === 'open') clearTimeout(this.#deadline);
    switch (message.type) {
      case 'welcome':
        return this.#welcomed(message);
      case 'ok':
        return this.#questions.take(message.re)?.done(message);
      case 'error':
        return this.#refused(message.re, new Refusal(message.code, message.message, message.details));
      case 'update':
        return this.#following.updated(message);
      case 'pong':
        return this.#timed(message.re, message.time);
      case 'notice':
        return this.listener.notice(message);
      default: // A newer server may say more.
        message satisfies never;
    }
  }

  #welcomed(welcome: Welcome): void {
    clearTimeout(this.#deadline);
    this.#timed(welcome.re, welcome.time);
    this.#openedAt = Date.now();
    this.#questions.giveUp(({ since }) => Date.now() - since > GIVE_UP_MS);
    this.#become({ is: 'open', welcome });
    for (const text of this.#questions.texts()) this.#send(text);
    this.#following.goOn();
  }

  #timed(id: string, time: number): void {
    const sent = this.#pings.get(id);
    this.#pings.clear();
    if (sent !== undefined) this.listener.time(time, sent, performance.now());
  }

  /** What belongs to no question while we come in is about coming in. */
  #refused(re: string | undefined, refusal: Refusal): void {
    const question = this.#questions.take(re);
    if (question) question.failed(refusal);
    else if (this.#link.is === 'connecting') this.#turnedAway = refusal;
  }

  #closed(code: number): void {
    const why = STOPS[code];
    if (why) return this.stop(why, this.#turnedAway);
    if (this.#link.is === 'open' && Date.now() - this.#openedAt >= STEADY_MS) this.#tries = 0;
    this.#drop();
    this.#become({ is: 'waiting', tries: this.#tries });
    const wait = Math.min(BACKOFF_MS * 2 ** this.#tries, BACKOFF_MAX_MS) * (0.5 + this.outside.random());
    this.#tries += 1;
    // When a server goes away everybody comes back at once: later, and not together.
    const spread = code === CLOSED.GOING_AWAY ? 2_000 * this.outside.random() : 0;
    this.#retry = setTimeout(() => this.#connect(), wait + spread);
  }

  /** Lets go of the socket, which may be dead; it is not heard any more. */
  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#deadline);
    this.#pings.clear();
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.#questions.giveUp(({ again }) => !again);
    this.#following.stale();
  }

  #tick(): void {
    const now = Date.now();
    const gap = now - this.#tickedAt;
    this.#tickedAt = now;
    if (this.#link.is !== 'open') return this.#questions.giveUp(({ since }) => now - since > GIVE_UP_MS);
    const heartbeat = this.#link.welcome.heartbeat_seconds * 1000;
    if (gap > GAP_MS || gap < 0) {
      this.listener.woke();
      this.#probe();
    } else if (now - this.#heardAt > 2 * heartbeat + PROBE_MS) {
      this.#closed(0);
    } else if (now - this.#sentAt >= heartbeat) {
      this.#ping();
    }
  }

  #probe(): void {
    this.#ping();
    this.#expectWithin(PROBE_MS);
  }

  #ping(): void {
    const id = this.#id();
    this.#pings.set(id, performance.now());
    this.#send(JSON.stringify({ type: 'ping', id }));
  }

  /** If nothing at all is heard until then, the line is dead. */
  #expectWithin(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#closed(0), ms);
  }

  #send(text: string): void {
    this.#sentAt = Date.now();
    this.#socket?.send(text);
  }

  #id(): string {
    this.#asked += 1;
    return `${this.#prefix}-${this.#asked}`;
  }

  #become(link: Link): void {
    this.#link = link;
    this.listener.link(link);
  }
}

const STOPS: Readonly<Record<number, Stop>> = {
  [CLOSED.BAD_CREDENTIALS]: 'credentials',
  [CLOSED.VERSION]: 'version',
  [CLOSED.REPLACED]: 'replaced',
  [CLOSED.KICKED]: 'kicked',
};
