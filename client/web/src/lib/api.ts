/** The room over HTTP. A refusal is a `Refusal`, as on the socket; `unreached` where no answer came. */

import type {
  AccountOpened,
  AccountWanted,
  Credentials,
  HandList,
  HandRecord,
  Ledger,
  Me,
  Problem,
  TableDetail,
  TableInfo,
  TableList,
  TableWanted,
} from '../wire';
import { Refusal } from './refusal';

const BASE = '/api/v1';

export interface HandsAsked {
  table?: string;
  account?: string;
  from?: number;
  to?: number;
  cursor?: string;
  limit?: number;
}

export class Api {
  /** `token` is asked for each time, as it changes. */
  constructor(private readonly token: () => string | null) {}

  playAsGuest(name?: string): Promise<AccountOpened> {
    return this.send('POST', '/guests', name ? { name } : {});
  }

  register(wanted: AccountWanted): Promise<AccountOpened> {
    return this.send('POST', '/accounts', wanted);
  }

  logIn(given: Credentials): Promise<AccountOpened> {
    return this.send('POST', '/sessions', given);
  }

  async logOut(): Promise<void> {
    await this.#ask('DELETE', '/sessions/current');
  }

  me(): Promise<Me> {
    return this.send('GET', '/me');
  }

  ledger(cursor?: string): Promise<Ledger> {
    return this.send('GET', `/me/ledger${query({ cursor })}`);
  }

  tables(): Promise<TableList> {
    return this.send('GET', '/tables');
  }

  table(id: string): Promise<TableDetail> {
    return this.send('GET', `/tables/${encodeURIComponent(id)}`);
  }

  openTable(wanted: TableWanted): Promise<TableInfo> {
    return this.send('POST', '/tables', wanted);
  }

  hands(asked: HandsAsked = {}): Promise<HandList> {
    return this.send('GET', `/hands${query({ ...asked })}`);
  }

  hand(id: string): Promise<HandRecord> {
    return this.send('GET', `/hands/${encodeURIComponent(id)}`);
  }

  /** A hand, or (`mine`) all of the account's, as a file to keep. */
  async exported(what: { hand: string; as: 'phh' | 'txt' | 'ohh.json' } | { mine: 'phhs' | 'txt' }): Promise<Blob> {
    const path = 'mine' in what ? `/me/hands.${what.mine}` : `/hands/${encodeURIComponent(what.hand)}.${what.as}`;
    return (await this.#ask('GET', path)).blob();
  }

  /** Also for what has a client of its own. What is asked again under the same `key` is not done again. */
  async send<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
    const response = await this.#ask(method, path, body, key);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  async #ask(method: string, path: string, body?: object, key?: string): Promise<Response> {
    const token = this.token();
    const headers = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    let response: Response;
    try {
      response = await fetch(BASE + path, { method, headers, cache: 'no-store', ...(body && { body: JSON.stringify(body) }) });
    } catch {
      throw new Refusal('unreached', 'the room cannot be reached');
    }
    if (!response.ok) throw await problem(response);
    return response;
  }
}

/** Something in between may answer too, in its own words. */
async function problem(response: Response): Promise<Refusal> {
  try {
    const { code, detail, details } = (await response.json()) as Problem & { details?: Record<string, unknown> };
    if (typeof code === 'string' && typeof detail === 'string') return new Refusal(code, detail, details);
  } catch {
    // Not JSON.
  }
  return new Refusal('internal', `the room answered with ${response.status}`);
}

export function query(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
