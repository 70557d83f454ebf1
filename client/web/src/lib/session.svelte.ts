/** Who we are, and the line to the room. */

import type { Account, AccountOpened, AccountRow, Notice, SeatHeld } from '../wire';
import { Api } from './api';
import { ServerClock } from './clock';
import { Connection, type Credentials, type Link, type Outside } from './connection';
import { t, type Key } from './i18n.svelte';
import { onStored, store, stored } from './storage';
import { reasonOf } from './words';

const KEY = 'token';
const REFRESH_MS = 300;

export type BannerKind = 'lost' | 'offline' | 'replaced' | 'expired' | 'version' | 'kicked' | 'restart';

/** What is wrong with the line. `act` does what `actText` says; without one there is nothing to do but wait. */
export interface Banner {
  kind: BannerKind;
  text: string;
  actText: string | null;
  act: (() => void) | null;
  /** When it will happen, in the server's time. */
  at: number | null;
}

/** What an account may do beyond playing. */
export type Role = AccountRow['role'];

const NEWS = ['announcement', 'message'] as const;

/** Something that the operators say to everybody, to a table, or to us. */
export interface News {
  id: number;
  kind: (typeof NEWS)[number];
  text: string;
  /** When what is announced happens, in the server's time. */
  at: number | null;
  table: string | null;
}

/** More are not shown at once: the oldest goes. */
const NEWS_MAX = 3;

type Opening = () => Promise<AccountOpened>;

export class Session {
  account = $state.raw<Account | null>(null);
  /** Where this account sat when the line was opened, or when it last asked. */
  seats = $state.raw<readonly SeatHeld[]>([]);
  link = $state.raw<Link>({ is: 'closed' });
  /** What the browser says of the network; it may be wrong. */
  online = $state(true);
  expired = $state(false);
  notice = $state.raw<Notice | null>(null);
  /** What was said and has not been put away, newest last. */
  news = $state.raw<readonly News[]>([]);
  /** Something is being asked over HTTP: registering, logging in. */
  busy = $state(false);

  readonly clock = new ServerClock();
  readonly api: Api;
  readonly connection: Connection;
  #token: string | null = null;
  #refresh: ReturnType<typeof setTimeout> | undefined;
  #told = 0;

  /** What we may do here. */
  readonly role: Role = $derived(this.account?.role ?? 'player');
  readonly live = $derived(this.link.is === 'open');
  readonly banner: Banner | null = $derived(this.#banner());

  constructor(url: string, outside?: Outside) {
    this.api = new Api(() => this.#token);
    const listener = {
      link: (link: Link) => this.#linked(link),
      notice: (notice: Notice) => this.#noticed(notice),
      time: (time: number, sent: number, received: number) => this.clock.heard(time, sent, received),
      woke: () => this.clock.doubt(),
    };
    this.connection = new Connection(url, () => this.#credentials(), listener, outside);
  }

  start(): void {
    this.#token = asToken(stored(KEY));
    this.online = navigator.onLine;
    addEventListener('online', () => this.#network(true));
    addEventListener('offline', () => this.#network(false));
    document.addEventListener('visibilitychange', () => document.hidden || this.connection.hurry());
    onStored(KEY, (token) => this.#changedElsewhere(asToken(token)));
    this.connection.open();
  }

  /** All of these resolve with null when it is done, and else with why not, for people. */
  playAsGuest(name?: string): Promise<string | null> {
    return this.#opened(() => this.api.playAsGuest(name?.trim() || undefined));
  }

  register(name: string, password: string): Promise<string | null> {
    return this.#opened(() => this.api.register({ name, password }));
  }

  logIn(name: string, password: string): Promise<string | null> {
    return this.#opened(() => this.api.logIn({ name, password }));
  }

  async logOut(): Promise<string | null> {
    const why = await this.#tried(() => this.api.logOut());
    this.#become(null);
    return why;
  }

  /** After another tab or device took over, or the room closed the line. */
  useHere(): void {
    this.connection.open();
  }

  /** It was read. */
  putAway(news: News): void {
    this.news = this.news.filter(({ id }) => id !== news.id);
  }

  /** Chips and seats as they are now. They are asked for once where many ask. */
  refresh(): void {
    if (this.#token === null) return;
    clearTimeout(this.#refresh);
    this.#refresh = setTimeout(() => void this.#tried(() => this.#me()), REFRESH_MS);
  }

  async #me(): Promise<void> {
    const asked = this.#token;
    const { account, seats } = await this.api.me();
    if (this.#token !== asked) return;
    this.account = account;
    this.seats = seats;
  }

  async #opened(open: Opening): Promise<string | null> {
    this.busy = true;
    const why = await this.#tried(async () => {
      const { account, token } = await open();
      this.#become(token);
      this.account = account;
    });
    this.busy = false;
    return why;
  }

  async #tried(todo: () => Promise<void>): Promise<string | null> {
    try {
      await todo();
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  #become(token: string | null): void {
    if (token !== null || asToken(stored(KEY)) === this.#token) store(KEY, token);
    this.#is(token);
    this.expired = false;
    this.connection.open();
  }

  /** Another tab has logged in or out. It has the line then: an account has one. */
  #changedElsewhere(token: string | null): void {
    if (token === this.#token) return;
    this.#is(token);
    if (token === null) this.connection.open();
    else this.connection.stop('replaced');
  }

  /** Somebody else: what was said to whoever was here before is not theirs to read. */
  #is(token: string | null): void {
    this.#token = token;
    this.account = null;
    this.seats = [];
    this.news = this.news.filter(({ kind, table }) => kind === 'announcement' || table !== null);
  }

  #credentials(): Credentials {
    return this.#token === null ? {} : { token: this.#token };
  }

  #linked(link: Link): void {
    this.link = link;
    if (link.is === 'open') {
      this.account = link.welcome.account ?? null;
      this.seats = link.welcome.seats;
      this.notice = null;
    } else if (link.is === 'stopped' && link.why === 'credentials') {
      this.#become(null); // The token is good for nothing: go on as a spectator, and say so.
      this.expired = true;
    }
  }

  #noticed(notice: Notice): void {
    const { text, at = null, table = null } = notice;
    const kind = NEWS.find((one) => one === notice.kind);
    if (!kind || !text) {
      this.notice = notice;
      return;
    }
    this.#told += 1;
    this.news = [...this.news, { id: this.#told, kind, text, at, table }].slice(-NEWS_MAX);
  }

  #network(online: boolean): void {
    this.online = online;
    if (online) this.connection.hurry();
    else this.connection.suspect();
  }

  #banner(): Banner | null {
    const { link } = this;
    if (link.is === 'stopped' && link.why === 'version') return banner('version', () => location.reload());
    if (link.is === 'stopped' && link.why !== 'credentials') {
      const { refusal } = link;
      const usual = banner(link.why, () => this.useHere());
      return refusal ? { ...usual, text: reasonOf(refusal) } : usual;
    }
    if (this.#down(link)) return banner(this.online ? 'lost' : 'offline');
    if (this.expired) return banner('expired', () => (this.expired = false));
    return this.notice?.kind === 'restart' ? banner('restart', null, this.notice.at ?? null) : null;
  }

  /** The first try of all is loading, not a lost line. */
  #down(link: Link): boolean {
    return link.is === 'waiting' || (link.is === 'connecting' && link.tries > 0);
  }
}

function banner(kind: BannerKind, act: (() => void) | null = null, at: number | null = null): Banner {
  const actText = act && t(`banner.${kind}.act` as Key);
  return { kind, text: t(`banner.${kind}`), actText, act, at };
}

function asToken(value: unknown): string | null {
  return typeof value === 'string' && value ? value : null;
}

function address(): string {
  const { protocol, host } = location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1/ws`;
}

export const session = new Session(address());
