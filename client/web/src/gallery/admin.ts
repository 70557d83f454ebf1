/** A room's answers to an admin, made up. */

import type { AccountDetail, AccountRow, AdminTableDetail, AuditEntry, Blocked, ConnectionRow, LedgerEntry, RunningHand, System } from '../wire';
import { hand, NAMES, pots, seat, table, turn } from './fixtures';

const HOUR = 3_600_000;
const now = Date.now();

function account(number: number, given: Partial<AccountRow> = {}): AccountRow {
  return {
    id: `acc${number}c0ffee`,
    name: NAMES[number - 1] ?? `Player ${number}`,
    kind: number % 3 ? 'player' : 'guest',
    role: 'player',
    chips: [10_000, 125_400, 980, 0, 7_777_777, 15, 2_000, 31_250, 400, 9_000][number - 1] ?? 10_000,
    created_at: now - number * 29 * HOUR,
    connected: number % 2 === 1,
    seats: number % 4 === 1 ? [{ table: 't1', seat: number }] : [],
    ...given,
  };
}

const ACCOUNTS: AccountRow[] = [
  account(1, { role: 'host' }),
  account(2, { muted: { reason: 'spam in the chat', since: now - HOUR, until: now + 20 * HOUR } }),
  account(3),
  account(4, { role: 'admin' }),
  account(5, { banned: { reason: 'played with two accounts at one table', since: now - 40 * HOUR } }),
  account(6),
  account(7, { kind: 'bot' }),
  account(8, { disabled: { reason: 'asked to be forgotten', since: now } }),
  account(9),
  account(10),
];

const TABLES: AdminTableDetail[] = ['Magnolia', 'Juniper', 'Long Meadow Avenue 12345', 'Ash', 'Cedar'].map((name, i) => ({
  id: `t${i + 1}`,
  name,
  game: (['nlhe', 'nlhe', 'plhe', 'flhe', 'nlhe'] as const)[i] ?? 'nlhe',
  state: i === 4 ? 'closed' : 'open',
  opened_at: now - (i + 1) * 31 * HOUR,
  settings: { seats: 6, small_blind: 5, big_blind: 10, buy_in_min: 200, buy_in_max: 1000, turn_seconds: 30, time_bank_seconds: 30, hand_pause_ms: 1000, ...(i === 2 && { join_code: true, small_blind: 500, big_blind: 1000 }) },
  ...(i < 4 && { status: (['playing', 'playing', 'waiting', 'paused'] as const)[i] ?? 'playing', taken: 6 - i, waiting: i, watching: 12 * i, hands: 1204 * (i + 1), view: table(6, { seats: [1, 2, 3, 4].map((at) => seat(at)) }) }),
}));

const CONNECTIONS: ConnectionRow[] = ACCOUNTS.map(({ id, name }, i) => ({
  id: `c${i}`,
  ...(i % 4 !== 3 && { account: id, name }),
  address: i % 3 ? `203.0.113.${i}` : `2001:db8:85a3::8a2e:370:${i}`,
  client: i % 3 === 2 ? 'fullring-client/1.0 (python)' : 'fullring-web/1',
  since: now - i * HOUR,
  heard_at: now,
  greeted: true,
  tables: ['t1', 't2', 't3'].slice(0, i % 4),
  queued: i === 2 ? 14 : 0,
  lag_ms: i === 2 ? 820 : 0,
}));

const HANDS: RunningHand[] = TABLES.slice(0, 3).map(({ id, name }, i) => ({
  table: id,
  hand: `h${i}`,
  started_at: now - 20_000,
  view: table(6, { name, hand: hand({ number: 1204 + i, board: ['As', '9d', '4c', 'Qh'].slice(0, [4, 0, 3][i]), street: i === 1 ? 'preflop' : 'turn', pots: pots(685), turn: turn(2) }) }),
}));

const LEDGER: LedgerEntry[] = [
  { id: 'l4', at: now - HOUR, reason: 'cash_out', amount: 1240, balance: 10_000, table: 't1' },
  { id: 'l3', at: now - 2 * HOUR, reason: 'buy_in', amount: -1000, balance: 8_760, table: 't1' },
  { id: 'l2', at: now - 30 * HOUR, reason: 'won the monthly raffle', amount: 5_000, balance: 9_760 },
];

const BLOCKED: Blocked[] = [
  { id: 'b1', kind: 'address', value: '198.51.100.0/24', reason: 'a hundred accounts in an hour', since: now - 3 * HOUR, until: now + 90 * HOUR },
  { id: 'b2', kind: 'name', value: 'Administrator', reason: 'nobody else should be called that', since: now - 900 * HOUR },
];

const AUDIT: AuditEntry[] = [
  { id: 'e5', at: now - 60_000, by: 'acc4', by_name: 'Anna', via: 'http', address: '203.0.113.9', action: 'account.chips', target: 'acc1c0ffee', target_name: 'Bo', reason: 'won the monthly raffle', before: { chips: 5_000 }, after: { chips: 10_000 } },
  { id: 'e4', at: now - HOUR, by: 'acc4', by_name: 'Anna', via: 'http', address: '203.0.113.9', action: 'account.mute', target: 'acc2c0ffee', target_name: 'Chidi', reason: 'spam in the chat', after: { until: now + HOUR } },
  { id: 'e3', at: now - 3 * HOUR, by: 'acc4', by_name: 'Anna', via: 'http', address: '2001:db8:85a3::8a2e:370:7334', action: 'block.add', target: 'b1', target_name: '198.51.100.0/24', reason: 'a hundred accounts in an hour' },
  { id: 'e2', at: now - 30 * HOUR, by: 'acc4', by_name: 'Anna', via: 'http', address: '203.0.113.9', action: 'table.edit', target: 't3', target_name: 'Long Meadow Avenue 12345', before: { big_blind: 200, small_blind: 100 }, after: { big_blind: 1000, small_blind: 500 } },
  { id: 'e1', at: now - 700 * HOUR, via: 'cli', action: 'account.role', target: 'acc4c0ffee', target_name: 'Anna', before: { role: 'player' }, after: { role: 'admin' } },
];

const SYSTEM: System = {
  version: '0.3.0',
  time: now,
  started_at: now - 71 * HOUR,
  uptime_ms: 71 * HOUR,
  database: 'postgresql',
  counts: { accounts: 12_408, tables: 31, hands_in_play: 27, hands_played: 1_204_411, seats_taken: 168, connections: 402, chips_with_accounts: 98_400_120, chips_on_tables: 1_233_000 },
  settings: { host: '0.0.0.0', port: 8000, database: true, guests_per_minute: 20, starting_chips: 10_000, log_format: 'json', secret_key: true },
};

const one = ACCOUNTS[0] as AccountRow;
const DETAIL: AccountDetail = { ...one, muted: { reason: 'spam in the chat', since: now, until: now + 20 * HOUR }, tables_opened: 3, tokens: [{ id: 'k1', scopes: ['play', 'me'], created_at: now - HOUR, connected: true }, { id: 'k2', name: 'my bot', scopes: ['play'], created_at: now - 99 * HOUR, connected: false }] };

const ANSWERS: readonly (readonly [RegExp, unknown])[] = [
  [/^\/admin\/system/, SYSTEM],
  [/^\/admin\/tables\/t/, TABLES[0]],
  [/^\/admin\/tables/, { tables: TABLES, next: 'more' }],
  [/^\/admin\/accounts\/[^/?]+\/ledger/, { entries: LEDGER }],
  [/^\/admin\/accounts\/./, DETAIL],
  [/^\/admin\/accounts/, { accounts: ACCOUNTS, next: 'more' }],
  [/^\/admin\/hands/, { hands: HANDS }],
  [/^\/admin\/connections/, { connections: CONNECTIONS, total: 402, next: 'more' }],
  [/^\/admin\/blocklist/, { entries: BLOCKED }],
  [/^\/admin\/audit/, { entries: AUDIT, next: 'more' }],
];

/** In place of the room. */
export function send(_method: string, path: string): Promise<unknown> {
  return Promise.resolve(ANSWERS.find(([pattern]) => pattern.test(path))?.[1]);
}
