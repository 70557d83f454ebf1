/** The admin API, call by call. Whoever asks gives a key with what changes something: asked again, it is not done again. */

import type {
  AccountDetail,
  AccountList,
  AccountMade,
  AccountRow,
  AccountToOpen,
  AdminTableDetail,
  AdminTableList,
  Audit,
  Blocked,
  Blocklist,
  BlockWanted,
  ConnectionList,
  Ended,
  Granted,
  Ledger,
  Reached,
  RunningHands,
  System,
  TableEdit,
} from '../../wire';
import { query, type Api } from '../api';
import { session, type Role } from '../session.svelte';

/** What may be said to narrow a list. An empty text says nothing. */
export type Filter = Readonly<Record<string, string | number | undefined>>;

export class AdminApi {
  constructor(private readonly api: Api) {}

  system(): Promise<System> {
    return this.#get('/system');
  }

  hands(cursor?: string): Promise<RunningHands> {
    return this.#list('/hands', {}, cursor);
  }

  audit(filter: Filter, cursor?: string): Promise<Audit> {
    return this.#list('/audit', filter, cursor);
  }

  announce(text: string, at: number | null, key: string): Promise<Reached> {
    return this.#do('POST', '/announcements', key, { text, ...(at !== null && { at }) });
  }

  // --- tables ---

  tables(filter: Filter, cursor?: string): Promise<AdminTableList> {
    return this.#list('/tables', filter, cursor);
  }

  table(id: string): Promise<AdminTableDetail> {
    return this.#get(`/tables/${path(id)}`);
  }

  editTable(id: string, edit: TableEdit, key: string): Promise<AdminTableDetail> {
    return this.#do('PATCH', `/tables/${path(id)}`, key, edit);
  }

  /** What the table does next, and why. */
  orderTable(id: string, order: 'pause' | 'resume' | 'close', reason: string, key: string): Promise<void> {
    return this.#do('POST', `/tables/${path(id)}/${order}`, key, because(reason));
  }

  kick(table: string, account: string, reason: string, key: string): Promise<void> {
    return this.#do('POST', `/tables/${path(table)}/kick`, key, { account, ...because(reason) });
  }

  tellTable(id: string, text: string, key: string): Promise<Reached> {
    return this.#do('POST', `/tables/${path(id)}/message`, key, { text });
  }

  // --- accounts ---

  accounts(filter: Filter, cursor?: string): Promise<AccountList> {
    return this.#list('/accounts', filter, cursor);
  }

  account(id: string): Promise<AccountDetail> {
    return this.#get(`/accounts/${path(id)}`);
  }

  ledger(id: string, cursor?: string): Promise<Ledger> {
    return this.#list(`/accounts/${path(id)}/ledger`, {}, cursor);
  }

  openAccount(wanted: AccountToOpen, key: string): Promise<AccountMade> {
    return this.#do('POST', '/accounts', key, wanted);
  }

  rename(id: string, name: string, reason: string, key: string): Promise<AccountRow> {
    return this.#do('PUT', `/accounts/${path(id)}/name`, key, { name, ...because(reason) });
  }

  setRole(id: string, role: Role, reason: string, key: string): Promise<AccountRow> {
    return this.#do('PUT', `/accounts/${path(id)}/role`, key, { role, ...because(reason) });
  }

  mute(id: string, until: number, reason: string, key: string): Promise<AccountRow> {
    return this.#do('PUT', `/accounts/${path(id)}/mute`, key, { until, reason });
  }

  ban(id: string, until: number | null, reason: string, key: string): Promise<AccountRow> {
    return this.#do('PUT', `/accounts/${path(id)}/ban`, key, { reason, ...(until !== null && { until }) });
  }

  disable(id: string, reason: string, key: string): Promise<AccountRow> {
    return this.#do('PUT', `/accounts/${path(id)}/disabled`, key, { reason });
  }

  lift(id: string, what: 'mute' | 'ban' | 'disabled', key: string): Promise<AccountRow> {
    return this.#do('DELETE', `/accounts/${path(id)}/${what}`, key);
  }

  /** From the house; below zero, back to it. */
  grant(id: string, amount: number, reason: string, key: string): Promise<Granted> {
    return this.#do('POST', `/accounts/${path(id)}/chips`, key, { amount, reason, key });
  }

  newPassword(id: string, reason: string, key: string): Promise<AccountMade> {
    return this.#do('POST', `/accounts/${path(id)}/password`, key, because(reason));
  }

  endSessions(id: string, key: string): Promise<Ended> {
    return this.#do('DELETE', `/accounts/${path(id)}/sessions`, key);
  }

  // --- connections, and who may not connect ---

  connections(filter: Filter, cursor?: string): Promise<ConnectionList> {
    return this.#list('/connections', filter, cursor);
  }

  tellConnection(id: string, text: string, key: string): Promise<void> {
    return this.#do('POST', `/connections/${path(id)}/message`, key, { text });
  }

  closeConnection(id: string, reason: string, key: string): Promise<void> {
    return this.#do('DELETE', `/connections/${path(id)}${query({ reason: reason.trim() || undefined })}`, key);
  }

  blocklist(): Promise<Blocklist> {
    return this.#get('/blocklist');
  }

  block(wanted: BlockWanted, key: string): Promise<Blocked> {
    return this.#do('POST', '/blocklist', key, wanted);
  }

  unblock(entry: string, key: string): Promise<void> {
    return this.#do('DELETE', `/blocklist/${path(entry)}`, key);
  }

  #get<T>(rest: string): Promise<T> {
    return this.api.send('GET', `/admin${rest}`);
  }

  #list<T>(rest: string, filter: Filter, cursor: string | undefined): Promise<T> {
    const said = Object.entries(filter).filter(([, value]) => value !== '');
    return this.#get(`${rest}${query({ ...Object.fromEntries(said), cursor })}`);
  }

  #do<T>(method: string, rest: string, key: string, body?: object): Promise<T> {
    return this.api.send(method, `/admin${rest}`, body, key);
  }
}

function because(reason: string): { reason?: string } {
  const said = reason.trim();
  return said ? { reason: said } : {};
}

const path = encodeURIComponent;

export const admin = new AdminApi(session.api);
