/** The scenes by name: each sets the page's state up before the page is drawn. */

import { Refusal } from '../lib/refusal';
import { lobby } from '../lib/lobby.svelte';
import { route } from '../lib/route.svelte';
import { session } from '../lib/session.svelte';
import { settings } from '../lib/settings.svelte';
import { tables } from '../lib/tables.svelte';
import { send } from './admin';
import type { Event, HandRecord, SeatView, TableInfo, TableView, You } from '../wire';
import { hand, MINE, NAMES, opened, pots, seat, Stage, STORY, table, turn, you } from './fixtures';

const stage = new Stage();
const ANNA = { id: `a${MINE}`, name: 'Anna', kind: 'player' as const, chips: 12_450 };

/** One table on the page. */
function shows(view: TableView, own: You | undefined, { events = STORY, guest = false }: { events?: Event[]; guest?: boolean } = {}) {
  session.account = guest ? null : ANNA;
  const state = opened(stage);
  tables.list = [state];
  tables.focus = 't1';
  route.current = { screen: 'table', table: 't1', code: null };
  stage.shows('t1', view, { events, ...(own && { you: own }) });
  return state;
}

/** After the first drawing. */
function drawn(then: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

/** All that can stand on a felt at once. */
function crowded(seats: number): void {
  const mine = Math.min(MINE, seats);
  const all = Array.from({ length: seats }, (_, i) => seat(i + 1, { bet: [120, 1_234, 60, 240, 12_345, 10, 777, 1_000, 5, 340][i] ?? 10, last_action: 'raise' }));
  all[mine - 1] = seat(mine, { name: 'Anna', account: ANNA.id, kind: 'player', bet: 120, last_action: 'call' });
  shows(table(seats, { seats: all, hand: hand({ street: 'river', board: ['As', '9d', '4c', 'Qh', 'Td'], pots: pots(685, 240, 90), turn: turn(mine) }) }), you({}, mine));
}

function six(changes: Record<number, Partial<SeatView>> = {}): SeatView[] {
  return [1, 2, 3, 4, 5, 6].map((number) => seat(number, { ...(number === MINE && { account: ANNA.id, kind: 'player' }), ...changes[number] }));
}

const CALM = { 1: { bet: 60, last_action: 'bet' }, 2: { state: 'folded', last_action: 'fold', holds: 0 }, 3: { bet: 120, last_action: 'raise' }, 5: { state: 'sitting_out', holds: 0 }, 6: { state: 'folded', last_action: 'fold', holds: 0 } } as const;

const ENDED: SeatView[] = six({
  1: { cards: ['Kh', 'Kd'], holds: 0, rank: { category: 'one_pair', cards: ['Kh', 'Kd', 'As', 'Qh', 'Td'], text: 'pair of kings' } },
  2: { state: 'folded', holds: 0, last_action: 'fold' },
  3: { state: 'all_in', stack: 0, cards: ['9s', '9c'], holds: 0, rank: { category: 'three_of_a_kind', cards: ['9s', '9c', '9d', 'As', 'Qh'], text: 'three of a kind, nines' } },
  4: { cards: ['Ac', 'Qd'], holds: 0, rank: { category: 'two_pair', cards: ['As', 'Ac', 'Qh', 'Qd', 'Td'], text: 'two pair, aces and queens' } },
  5: { state: 'folded', holds: 0 },
  6: { state: 'folded', holds: 0 },
});
const AWARDED: Event[] = [
  { type: 'cards_shown', seat: 3, cards: ['9s', '9c'], rank: { category: 'three_of_a_kind', cards: ['9s', '9c', '9d', 'As', 'Qh'], text: 'three of a kind, nines' } },
  { type: 'pot_awarded', pot: 1, amount: 240, winners: [{ seat: 4, amount: 240 }] },
  { type: 'pot_awarded', pot: 0, amount: 685, winners: [{ seat: 3, amount: 685 }] },
];

function waits(waiting: string, given: Partial<SeatView>): void {
  shows(table(6, { seats: six({ ...CALM, 4: given }) }), { seat: MINE, cards: [], waiting });
}

function many(count: number): void {
  session.account = ANNA;
  tables.list = Array.from({ length: count }, (_, i) => opened(stage, `t${i + 1}`));
  tables.focus = 't1';
  route.current = { screen: 'table', table: 't1', code: null };
  const words = ['Magnolia', 'Juniper', 'Long Meadow Avenue 1234567', 'Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel'];
  tables.list.forEach(({ id }, i) => {
    const seats = [6, 9, 2, 6, 10, 6, 8, 4, 3][i] ?? 6;
    const mine = Math.min(MINE, seats);
    const all = Array.from({ length: seats }, (_, j) => seat(j + 1, { bet: j % 3 ? 0 : 60 + j, last_action: j % 3 ? 'fold' : 'call', ...(j % 3 === 1 && j + 1 !== mine && { state: 'folded', holds: 0 }) }));
    all[mine - 1] = seat(mine, { name: 'Anna', account: ANNA.id, kind: 'player' });
    const whose = i % 3 === 1 ? turn(mine, { id: `${id}-1`, deadline: Date.now() + 9_000 + 4_000 * i }) : turn(1, { id: `${id}-1` });
    stage.shows(id, table(seats, { name: words[i] ?? id, seats: all, hand: hand({ id: `h${i}`, turn: whose, pots: pots(685, ...(i % 2 ? [240] : [])) }) }), { you: you({}, mine), events: STORY });
  });
}

/** A hundred updates a second over six tables, as long as the page is open. */
function storm(): void {
  many(6);
  let step = 0;
  setInterval(() => {
    step += 1;
    const state = tables.list[step % 6];
    const view = state?.view;
    if (!state || !view?.hand) return;
    const count = view.settings.seats;
    const [who, next] = [((step / 6) | 0) % count, (((step / 6) | 0) + 1) % count];
    const street = ((step / 6 / count) | 0) % 5;
    const board = ['As', '9d', '4c', 'Qh', 'Td'].slice(0, street === 0 ? 0 : street + 2);
    const fresh: TableView = JSON.parse(JSON.stringify(view));
    fresh.seats = fresh.seats.map((at, i) => ({ ...at, bet: i === who ? 10 + (step % 900) : at.bet && street % 2 ? 0 : at.bet, last_action: i === who ? 'raise' : 'call', holds: 2, state: 'active' }));
    fresh.hand = { ...fresh.hand, ...hand({ id: state.id, street: 'turn', board, pots: pots(step % 5000, 240), turn: turn(next + 1, { id: `s-${step}` }) }) };
    const events: Event[] = [{ type: 'acted', seat: who + 1, turn: 'x', action: 'raise', amount: 10, to: 10 + (step % 900), all_in: false }];
    if (who === 0 && board.length) events.push({ type: 'street_dealt', street: 'turn', cards: board.slice(-1), board });
    if (who === 0 && !board.length) events.push({ type: 'hand_started', hand: state.id, number: step, game: 'nlhe', button: 1, small_blind: 5, big_blind: 10, ante: 0, seats: [] }, { type: 'hole_cards_dealt', seats: [1, 2], count: 2 });
    stage.shows(state.id, fresh, { you: you({}, state.you?.seat ?? 1), events });
  }, 10);
}

function row(number: number, name: string, given: Partial<TableInfo> = {}): TableInfo {
  return { id: `t${number}`, name, game: 'nlhe', seats: 6, taken: 4, waiting: 0, small_blind: 5, big_blind: 10, buy_in_min: 200, buy_in_max: 1000, average_pot: 135, status: 'playing', ...given };
}

const ROWS: TableInfo[] = [
  row(1, 'Magnolia'),
  row(2, 'Juniper', { taken: 6, waiting: 1, average_pot: 418 }),
  row(3, 'Long Meadow Avenue 12345', { game: 'plhe', seats: 9, taken: 8, small_blind: 500, big_blind: 1000, buy_in_min: 20_000, buy_in_max: 1_000_000, average_pot: 123_456 }),
  row(4, 'Ash', { game: 'flhe', seats: 10, taken: 3, status: 'paused' }),
  row(5, 'Friends only', { seats: 2, taken: 1, join_code: true, status: 'waiting', average_pot: 0 }),
  row(6, 'Cedar', { taken: 5, status: 'closing' }),
  row(7, 'Elm', { taken: 0, status: 'waiting', average_pot: 0 }),
];

function inLobby(rows: readonly TableInfo[], { guest = true }: { guest?: boolean } = {}): void {
  route.current = { screen: 'lobby' };
  session.account = guest ? null : ANNA;
  if (!guest) session.seats = [{ table: 't2', seat: 3 }];
  lobby.rows = rows;
  lobby.status = 'live';
}

const RECORD: HandRecord = {
  id: 'h1', table: 't1', number: 1204, game: 'nlhe', started_at: Date.now() - 60_000, ended_at: Date.now(), small_blind: 5, big_blind: 10, button: 2, board: ['As', '9d', '4c', 'Qh', 'Td'], pot: 925,
  players: [1, 2, 3, 4].map((number) => ({ seat: number, account: `a${number}`, name: NAMES[number - 1] ?? '', stack_start: 1000, stack_end: 1000 + (number === 3 ? 685 : -90), ...(number > 2 && { cards: number === 3 ? ['9s', '9c'] : ['Ac', 'Qd'] }) })),
  events: [...STORY.slice(0, 10), ...AWARDED],
};

function administers(section: string | null, id: string | null = null): void {
  session.account = { ...ANNA, role: 'admin' };
  Object.assign(session.api, { send });
  route.current = { screen: 'admin', section, id };
}

export const scenes: Record<string, () => void> = {
  lobby: () => inLobby(ROWS),
  'lobby-player': () => inLobby(ROWS, { guest: false }),
  'lobby-empty': () => inLobby([]),
  'lobby-none-fit': () => { inLobby(ROWS); lobby.name = 'xyz'; },
  'lobby-loading': () => { inLobby([]); lobby.status = 'loading'; },
  'lobby-failed': () => { inLobby([]); lobby.status = 'failed'; },
  'lobby-offline': () => { inLobby(ROWS); lobby.status = 'stale'; session.online = false; session.link = { is: 'waiting', tries: 3 }; },
  ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9, 10].map((seats) => [`seats-${seats}`, () => crowded(seats)])),
  turn: () => shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE) }) }), you()),
  check: () => shows(table(6, { seats: six({ ...CALM, 1: {}, 3: { last_action: 'check' } }), hand: hand({ turn: turn(MINE, { actions: { fold: true, check: true, bet: { min: 10, max: 1540 }, all_in: 1540 } }) }) }), you()),
  preflop: () => shows(table(6, { seats: six({ ...CALM, 1: { bet: 5 }, 2: { bet: 10 }, 3: { bet: 30, last_action: 'raise' } }), hand: hand({ street: 'preflop', board: [], pots: [], turn: turn(MINE, { actions: { fold: true, check: false, call: 30, raise: { min: 50, max: 1540 }, all_in: 1540 } }) }) }), you({ cards: ['Th', '9h'], rank: { category: 'high_card', cards: ['Th', '9h'], text: 'ten high' } })),
  limit: () => shows(table(6, { game: 'flhe', seats: six(CALM), hand: hand({ turn: turn(MINE, { actions: { fold: true, check: false, call: 20, raise: { min: 40, max: 40 } } }) }) }), you()),
  'call-only': () => shows(table(6, { seats: six({ ...CALM, 3: { bet: 2_300, stack: 0, state: 'all_in', last_action: 'all_in' } }), hand: hand({ turn: turn(MINE, { actions: { fold: true, check: false, call: 1540 } }) }) }), you()),
  bank: () => shows(table(6, { seats: six({ ...CALM, 3: { connected: false } }), hand: hand({ turn: turn(3) }) }), you({ armed: { action: 'check_fold' }, to_call: 60 }), { events: [...STORY, { type: 'time_bank_started', turn: 'h1-3', seat: 3, deadline: 0 }] }),
  urgent: () => shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE, { deadline: Date.now() + 6_500, time_bank_ms: 0 }) }) }), you()),
  advance: () => shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(3) }) }), you({ armed: { action: 'check_fold' }, to_call: 60 })),
  folded: () => shows(table(6, { seats: six({ ...CALM, 4: { state: 'folded', last_action: 'fold' } }), hand: hand({ turn: turn(3) }) }), you()),
  'side-pots': () => shows(table(9, { seats: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => seat(number, number % 3 ? { account: number === MINE ? ANNA.id : `a${number}` } : { state: 'all_in', stack: 0, last_action: 'all_in' })), hand: hand({ pots: pots(12_685, 2_400, 930, 10), turn: turn(MINE) }) }), you()),
  'all-in': () => shows(table(6, { seats: six({ ...CALM, 3: { bet: 2_300, stack: 0, state: 'all_in', last_action: 'all_in' } }), hand: hand({ turn: turn(1) }) }), you()),
  showdown: () => shows(table(6, { seats: ENDED, hand: hand({ street: 'river', board: ['As', '9d', '4c', 'Qh', 'Td'], pots: [] }) }), you({ rank: { category: 'two_pair', cards: ['As', 'Ac', 'Qh', 'Qd', 'Td'], text: 'two pair, aces and queens' } }), { events: [...STORY, ...AWARDED] }),
  show: () => { settings.autoMuck = false; shows(table(6, { seats: six({ ...CALM, 1: {}, 3: { state: 'folded', holds: 0 } }), hand: hand({ pots: [] }) }), you(), { events: [...STORY, { type: 'pot_awarded', pot: 0, amount: 685, winners: [{ seat: 4, amount: 685 }] }] }); },
  'big-blind': () => waits('big_blind', { state: 'waiting', holds: 0 }),
  'sitting-out': () => waits('sitting_out', { state: 'sitting_out', holds: 0 }),
  'no-chips': () => waits('chips', { state: 'sitting_out', holds: 0, stack: 0 }),
  leaving: () => waits('leaving', { state: 'folded' }),
  alone: () => shows({ ...table(6, { status: 'waiting', seats: [seat(MINE, { account: ANNA.id, kind: 'player', state: 'waiting', holds: 0 })] }), hand: undefined } as unknown as TableView, { seat: MINE, cards: [] }),
  'watching-player': () => shows(table(6, { seats: six(CALM).slice(0, 3), hand: hand({ turn: turn(3) }) }), undefined),
  watching: () => shows(table(6, { seats: six(CALM).slice(0, 4), hand: hand({ turn: turn(3) }) }), undefined, { guest: true }),
  'watching-full': () => shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(3) }) }), undefined, { guest: true }),
  paused: () => shows(table(6, { status: 'paused', reason: 'the cleaner is in the room', seats: six(CALM) }), you()),
  closing: () => shows(table(6, { status: 'closing', seats: six(CALM), hand: hand({ turn: turn(3) }) }), you()),
  lost: () => { shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE) }) }), you()); drawn(() => stage.stale('t1')); session.link = { is: 'waiting', tries: 2 }; },
  replaced: () => { shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE) }) }), you()); session.link = { is: 'stopped', why: 'replaced' }; },
  refused: () => { const state = shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE) }) }), you()); drawn(() => (state.refusal = { command: 'act', code: 'bad_amount', bounds: { min: 240, max: 1540 }, text: 'Raise to 200 is below the minimum of 240' })); },
  pending: () => { const state = shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE) }) }), you()); drawn(() => (state.pending = { action: 'call', to: null, id: 'x', turn: `h1-${MINE}` })); },
  loading: () => { session.account = ANNA; tables.list = [opened(stage)]; tables.focus = 't1'; route.current = { screen: 'table', table: 't1', code: null }; },
  gone: () => { scenes['loading']?.(); stage.refuses('t1', new Refusal('not_found', 'no such table')); },
  'many-2': () => many(2),
  'many-4': () => many(4),
  'many-6': () => many(6),
  'many-9': () => many(9),
  storm,
  hand: () => { session.account = ANNA; Object.assign(session.api, { hand: () => Promise.resolve(RECORD) }); route.current = { screen: 'hand', hand: 'h1' }; },
  'hand-missing': () => { Object.assign(session.api, { hand: () => Promise.reject(new Refusal('not_found', 'no such hand')) }); route.current = { screen: 'hand', hand: 'h1' }; },
  admin: () => administers(null),
  ...Object.fromEntries(['tables', 'players', 'hands', 'connections', 'blocklist', 'audit'].map((section) => [`admin-${section}`, () => administers(section)])),
  'admin-table': () => administers('tables', 't1'),
  'admin-player': () => administers('players', 'acc1'),
  'admin-no': () => { administers(null); session.account = ANNA; session.link = { is: 'stopped', why: 'kicked' }; },
  news: () => { shows(table(6, { seats: six(CALM), hand: hand({ turn: turn(MINE) }) }), you()); session.news = [{ id: 1, kind: 'announcement', text: 'The room gets a new version tonight. Hands in play are kept.', at: Date.now() + 3_600_000, table: null }, { id: 2, kind: 'message', text: 'Please mind your language.', at: null, table: 't1' }]; },
  unknown: () => { route.current = { screen: 'unknown' }; },
};
