// Written by `python -m fullring.wire.typescript` from the server's models. Change those, not this.

export const PROTOCOL = 1;
export const LOBBY = "lobby";

/** Why the server closed a socket. */
export const CLOSED = {
  NO_HELLO: 4000,
  BAD_CREDENTIALS: 4001,
  VERSION: 4002,
  REPLACED: 4003,
  KICKED: 4004,
  TOO_FAST: 4005,
  BAD_FRAMES: 4006,
  TOO_SLOW: 4007,
  NO_HEARTBEAT: 4008,
  GOING_AWAY: 4009,
} as const;

/** `chips` are those with the cashier, not those on tables. `role` is there for those who may more than play. */
export interface Account {
  id: string;
  name: string;
  kind: "guest" | "player" | "bot";
  chips: number;
  role?: "host" | "admin";
}

export interface AccountDetail {
  id: string;
  name: string;
  kind: "guest" | "player" | "bot";
  role: "player" | "host" | "admin";
  chips: number;
  created_at: number;
  connected: boolean;
  seats: SeatHeld[];
  muted?: Restriction | null;
  banned?: Restriction | null;
  disabled?: Restriction | null;
  tokens: TokenRow[];
  tables_opened: number;
}

/** By name; `next` is the cursor of the page after this one. */
export interface AccountList {
  accounts: AccountRow[];
  next?: string | null;
}

/** `password` is there where the room made it, and is shown this once. */
export interface AccountMade {
  account: AccountRow;
  password?: string | null;
}

/** `token` is shown this once. */
export interface AccountOpened {
  account: Account;
  token: string;
}

/** An account in a list. `chips` are those with the cashier, not those on tables. */
export interface AccountRow {
  id: string;
  name: string;
  kind: "guest" | "player" | "bot";
  role: "player" | "host" | "admin";
  chips: number;
  created_at: number;
  connected: boolean;
  seats: SeatHeld[];
  muted?: Restriction | null;
  banned?: Restriction | null;
  disabled?: Restriction | null;
}

/** Without a password the room makes one. `chips` left out are as for everybody who registers. */
export interface AccountToOpen {
  name: string;
  password?: string | null;
  role?: "player" | "host" | "admin";
  chips?: number | null;
  reason?: string | null;
}

export interface AccountWanted {
  name: string;
  password: string;
}

/** Answers that one turn. `to` is the street's total and belongs to bet and raise. */
export interface Act {
  id: string;
  table: string;
  type: "act";
  hand: string;
  turn: string;
  action: "fold" | "check" | "call" | "bet" | "raise" | "all_in";
  to?: number;
}

/** `amount` is the chips added, `to` the seat's total for the street; `auto` says why the table acted. */
export interface Acted {
  type: "acted";
  seat: number;
  turn: string;
  action: "fold" | "check" | "call" | "bet" | "raise" | "all_in";
  amount: number;
  to: number;
  all_in: boolean;
  auto?: "timeout" | "away" | "left" | "armed";
}

/** All that the seat to act may do. `call` is the chips a call adds; the other amounts are street totals. */
export interface Actions {
  fold: boolean;
  check: boolean;
  call?: number;
  bet?: Bounds;
  raise?: Bounds;
  all_in?: number;
}

/** A table of the room, open or closed, with or without a join code. What only an open one has is absent else. `next_settings` hold from the next hand on. */
export interface AdminTable {
  id: string;
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  state: "open" | "closed";
  owner?: string | null;
  opened_at: number;
  settings: TableSettings;
  next_settings?: TableSettings | null;
  status?: "waiting" | "playing" | "paused" | "closing" | null;
  taken?: number | null;
  waiting?: number | null;
  watching?: number | null;
  hands?: number | null;
}

/** With the public view of an open table. */
export interface AdminTableDetail {
  id: string;
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  state: "open" | "closed";
  owner?: string | null;
  opened_at: number;
  settings: TableSettings;
  next_settings?: TableSettings | null;
  status?: "waiting" | "playing" | "paused" | "closing" | null;
  taken?: number | null;
  waiting?: number | null;
  watching?: number | null;
  hands?: number | null;
  view?: TableView | null;
}

/** Newest first; `next` is the cursor of the page after this one. */
export interface AdminTableList {
  tables: AdminTable[];
  next?: string | null;
}

/** `at` is when that which is announced happens, where it has an hour. */
export interface Announcement {
  text: string;
  at?: number | null;
}

/** A pre-action, held by the server. `to_call` is the amount to call that it was meant for. */
export interface Arm {
  id: string;
  table: string;
  type: "arm";
  hand: string;
  action: "fold" | "check" | "check_fold" | "call" | "call_any";
  to_call?: number;
}

/** The pre-action that the server holds for this seat. */
export interface Armed {
  action: "fold" | "check" | "check_fold" | "call" | "call_any";
  to_call?: number;
}

/** Newest first; `next` is the cursor of the page after this one. */
export interface Audit {
  entries: AuditEntry[];
  next?: string | null;
}

/** Who did what to whom, and what that changed. `by` is absent for the operator at the command line. */
export interface AuditEntry {
  id: string;
  at: number;
  by?: string | null;
  by_name?: string | null;
  via: "http" | "cli";
  address?: string | null;
  action: string;
  target?: string | null;
  target_name?: string | null;
  reason?: string | null;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** Without `until`: for good. */
export interface Ban {
  until?: number | null;
  reason: string;
}

/** One of `address` and `name`. */
export interface BlockWanted {
  address?: string | null;
  name?: string | null;
  reason: string;
  until?: number | null;
}

/** An address, a network, or a name that may not be used here. */
export interface Blocked {
  id: string;
  kind: "address" | "name";
  value: string;
  reason: string;
  since: number;
  until?: number | null;
  by?: string | null;
}

/** Newest first. */
export interface Blocklist {
  entries: Blocked[];
}

export interface CardsShown {
  type: "cards_shown";
  seat: number;
  cards: string[];
  rank?: Rank;
}

export interface Chat {
  id: string;
  table: string;
  type: "chat";
  text: string;
}

export interface Chatted {
  type: "chatted";
  account: string;
  name: string;
  text: string;
}

/** Chips from the house; below zero they go back. `key` may stand in the header `Idempotency-Key` instead. */
export interface ChipsMoved {
  amount: number;
  reason: string;
  key?: string | null;
}

export interface ConnectionChanged {
  type: "connection_changed";
  seat: number;
  connected: boolean;
}

/** Oldest first; `next` is the cursor of the page after this one, `total` counts all that are open. */
export interface ConnectionList {
  connections: ConnectionRow[];
  total: number;
  next?: string | null;
}

/** A socket. Without `account` it is a spectator's; `greeted` is False before its hello was answered. `queued` are answers that wait to be sent; `lag_ms` is for how long something has waited. */
export interface ConnectionRow {
  id: string;
  account?: string | null;
  name?: string | null;
  address: string;
  client?: string | null;
  since: number;
  heard_at: number;
  greeted: boolean;
  tables: string[];
  queued: number;
  lag_ms: number;
}

export interface Counts {
  accounts: number;
  tables: number;
  hands_in_play: number;
  hands_played: number;
  seats_taken: number;
  connections: number;
  chips_with_accounts: number;
  chips_on_tables: number;
}

export interface Credentials {
  name: string;
  password: string;
}

export interface Disabling {
  reason: string;
}

export interface Disarm {
  id: string;
  table: string;
  type: "disarm";
  hand: string;
}

/** So many tokens are good no longer. */
export interface Ended {
  account: string;
  ended: number;
}

/** The command was refused and changed nothing. `re` is absent where the message's id could not be read. */
export interface ErrorAnswer {
  type: "error";
  re?: string;
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/** The `code` of an `error`. Texts beside it may change, these may not. */
export type ErrorCode =
  | "bad_message"
  | "unknown_type"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "not_seated"
  | "seat_taken"
  | "table_full"
  | "already_seated"
  | "not_your_turn"
  | "stale_turn"
  | "illegal_action"
  | "bad_amount"
  | "insufficient_chips"
  | "table_paused"
  | "table_closed"
  | "closing"
  | "rate_limited"
  | "version"
  | "name_taken"
  | "internal";

/** `chips` is what the account has now. */
export interface Granted {
  account: string;
  chips: number;
}

/** Without a name the room picks one. */
export interface GuestWanted {
  name?: string | null;
}

export interface HandEnded {
  type: "hand_ended";
  hand: string;
  stacks: Stack[];
  rake: number;
}

/** Newest first; `next` is the cursor of the page after this one. */
export interface HandList {
  hands: HandSummary[];
  next?: string | null;
}

/** A seat dealt in. `cards` are there where the asking viewer may see them. */
export interface HandPlayer {
  seat: number;
  account: string;
  name: string;
  stack_start: number;
  stack_end: number;
  cards?: string[] | null;
}

/** A finished hand with all that happened in it, as the asking viewer may see it. */
export interface HandRecord {
  id: string;
  table: string;
  number: number;
  game: "nlhe" | "plhe" | "flhe";
  started_at: number;
  ended_at: number;
  small_blind: number;
  big_blind: number;
  button: number;
  board: string[];
  pot: number;
  players: HandPlayer[];
  events: Event[];
}

export interface HandStarted {
  type: "hand_started";
  hand: string;
  number: number;
  game: "nlhe" | "plhe" | "flhe";
  button: number;
  small_blind: number;
  big_blind: number;
  ante: number;
  seats: Player[];
}

/** A finished hand in a list. `pot` is all that was awarded. */
export interface HandSummary {
  id: string;
  table: string;
  number: number;
  game: "nlhe" | "plhe" | "flhe";
  started_at: number;
  ended_at: number;
  small_blind: number;
  big_blind: number;
  button: number;
  board: string[];
  pot: number;
  players: HandPlayer[];
}

export interface HandView {
  id: string;
  number: number;
  street: "preflop" | "flop" | "turn" | "river";
  board: string[];
  pots: Pot[];
  turn?: Turn;
}

/** The hand could not go on: `stacks` are those it began with. */
export interface HandVoided {
  type: "hand_voided";
  hand: string;
  reason: string;
  stacks: Stack[];
}

/** Comes first. Without `token` and `ticket` the connection is a spectator's. */
export interface Hello {
  id: string;
  type: "hello";
  protocol: number;
  token?: string;
  ticket?: string;
  client?: string;
}

/** `count` cards to each of `seats`; which ones stands only in each seat's own `you`. */
export interface HoleCardsDealt {
  type: "hole_cards_dealt";
  seats: number[];
  count: number;
}

export interface Kick {
  account: string;
  reason?: string | null;
}

export interface Leave {
  id: string;
  table: string;
  type: "leave";
}

/** Newest first; `next` is the cursor of the page after this one. */
export interface Ledger {
  entries: LedgerEntry[];
  next?: string | null;
}

/** One movement of an account's chips; `amount` is negative where they went to a table. */
export interface LedgerEntry {
  id: string;
  at: number;
  reason: string;
  amount: number;
  balance: number;
  table?: string | null;
}

/** `stack` is what the player took away. */
export interface Left {
  seat: number;
  account: string;
  name: string;
  stack: number;
  reason?: string;
  type: "left";
}

/** What a client may send: so many bytes a frame, so many frames at once, and then so many a second. */
export interface Limits {
  frame_bytes: number;
  frames_per_second: number;
  frames_burst: number;
}

export interface LobbyView {
  tables: TableInfo[];
}

export interface Me {
  account: Account;
  seats: SeatHeld[];
}

export interface Message {
  text: string;
}

export interface Mucked {
  type: "mucked";
  seat: number;
}

export interface Mute {
  until: number;
  reason: string;
}

/** `kind: "restart"`: no new hands after `at`; reconnect later. `announcement`: to all, of what is at `at`. `message`: to you alone, or with `table` to all who watch that table. */
export interface Notice {
  type: "notice";
  kind: string;
  at?: number;
  text?: string;
  table?: string;
}

/** The command was done, and is permanent. `seq` is the update that shows it; `sit` also gets its `seat`. */
export interface Ok {
  type: "ok";
  re: string;
  seat?: number;
  seq?: number;
}

/** `password` is the one so far. */
export interface PasswordChange {
  password: string;
  new: string;
}

export interface PasswordReset {
  reason?: string | null;
}

export interface Ping {
  id: string;
  type: "ping";
}

/** A seat dealt in, with its stack before anything is posted. */
export interface Player {
  seat: number;
  account: string;
  name: string;
  stack: number;
}

export interface Pong {
  type: "pong";
  re: string;
  time: number;
}

export interface Posted {
  type: "posted";
  seat: number;
  kind: "small_blind" | "big_blind" | "ante" | "dead_blind" | "straddle";
  amount: number;
  all_in: boolean;
}

/** What earlier streets put in, and the seats that may win it. The main pot comes first. */
export interface Pot {
  amount: number;
  eligible: number[];
}

/** `pot` counts from 0, the main pot; side pots are awarded before it. */
export interface PotAwarded {
  type: "pot_awarded";
  pot: number;
  amount: number;
  winners: Share[];
}

/** RFC 9457, sent as `application/problem+json`. `code` is stable; `detail` is for people. */
export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
}

/** Street totals, from the least to the most. Equal where only one amount is allowed. */
export interface Bounds {
  min: number;
  max: number;
}

/** A hand's strength in words, and the cards that make it. */
export interface Rank {
  category: string;
  cards: string[];
  text: string;
}

/** How many connections it went to. */
export interface Reached {
  connections: number;
}

/** Why a table is closed or paused; told to everybody there. */
export interface Reason {
  reason?: string | null;
}

export interface Rename {
  name: string;
  reason?: string | null;
}

/** What an account may not do, or an address or a name. Without `until` it holds until it is lifted. */
export interface Restriction {
  reason: string;
  since: number;
  until?: number | null;
  by?: string | null;
}

export interface RoleWanted {
  role: "player" | "host" | "admin";
  reason?: string | null;
}

/** A hand in play as every spectator sees it. */
export interface RunningHand {
  table: string;
  hand: string;
  started_at: number;
  view: TableView;
}

/** `next` is the cursor of the page after this one. */
export interface RunningHands {
  hands: RunningHand[];
  next?: string | null;
}

export interface SatIn {
  seat: number;
  account: string;
  name: string;
  stack: number;
  reason?: string;
  type: "sat_in";
}

export interface SatOut {
  seat: number;
  account: string;
  name: string;
  stack: number;
  reason?: string;
  type: "sat_out";
}

/** Where an account sits. */
export interface SeatHeld {
  table: string;
  seat: number;
}

/** A taken seat. `bet` is what it has put in on this street; `holds` counts its hidden cards. `pending` is a top-up that comes to the stack between hands, `rank` what the shown cards make with the board. */
export interface SeatView {
  seat: number;
  account: string;
  name: string;
  kind: "guest" | "player" | "bot";
  stack: number;
  bet: number;
  state: "active" | "folded" | "all_in" | "sitting_out" | "waiting";
  connected: boolean;
  cards?: string[];
  rank?: Rank;
  holds: number;
  last_action?: "fold" | "check" | "call" | "bet" | "raise" | "all_in";
  pending?: number;
  time_bank_ms: number;
}

export interface Seated {
  seat: number;
  account: string;
  name: string;
  stack: number;
  reason?: string;
  type: "seated";
}

/** What was chosen when the table was opened. `join_code`: one is needed to sit. */
export interface TableSettings {
  seats: number;
  small_blind: number;
  big_blind: number;
  ante?: number;
  big_blind_ante?: number;
  buy_in_min: number;
  buy_in_max: number;
  turn_seconds?: number;
  time_bank_seconds?: number;
  hand_pause_ms?: number;
  jitter_ms?: number;
  show_all?: boolean;
  dead_button?: boolean;
  ratholing_minutes?: number;
  rake_bps?: number;
  rake_cap?: number;
  join_code?: boolean;
}

/** The table's host chose other settings. `next_hand`: they hold when the hand in play is over. */
export interface SettingsChanged {
  type: "settings_changed";
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  settings: TableSettings;
  next_hand: boolean;
}

export interface Share {
  seat: number;
  amount: number;
}

/** Show own cards after winning unseen, or after mucking. */
export interface Show {
  id: string;
  table: string;
  type: "show";
  hand: string;
  cards: string[];
}

/** The last update that the client has. */
export interface Since {
  epoch: number;
  seq: number;
}

/** Take a seat, any free one unless `seat` names it. `post_now` pays the big blind instead of waiting for it. An invite-only table asks for its `join_code`. */
export interface Sit {
  id: string;
  table: string;
  type: "sit";
  buy_in: number;
  seat?: number;
  post_now?: boolean;
  join_code?: string;
}

export interface SitIn {
  id: string;
  table: string;
  type: "sit_in";
  post_now?: boolean;
}

export interface SitOut {
  id: string;
  table: string;
  type: "sit_out";
}

export interface Stack {
  seat: number;
  stack: number;
}

/** `cards` are the new ones, `board` all of it. */
export interface StreetDealt {
  type: "street_dealt";
  street: "preflop" | "flop" | "turn" | "river";
  cards: string[];
  board: string[];
}

/** `settings` are those in force, by their names; of a secret one only whether it is set. */
export interface System {
  version: string;
  time: number;
  started_at: number;
  uptime_ms: number;
  database: "sqlite" | "postgresql";
  counts: Counts;
  settings: Record<string, unknown>;
}

export interface TableClosed {
  type: "table_closed";
  reason: string;
}

/** One table with its settings and the public view as it is now. */
export interface TableDetail {
  id: string;
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  seats: number;
  taken: number;
  waiting: number;
  small_blind: number;
  big_blind: number;
  buy_in_min: number;
  buy_in_max: number;
  average_pot?: number;
  status: "waiting" | "playing" | "paused" | "closing";
  join_code?: boolean;
  settings: TableSettings;
  view: TableView;
}

/** What is to be another way. What is left out stays; a `join_code` of null makes the table public. */
export interface TableEdit {
  name?: string | null;
  game?: "nlhe" | "plhe" | "flhe" | null;
  small_blind?: number | null;
  big_blind?: number | null;
  ante?: number | null;
  big_blind_ante?: number | null;
  buy_in_min?: number | null;
  buy_in_max?: number | null;
  turn_seconds?: number | null;
  time_bank_seconds?: number | null;
  hand_pause_ms?: number | null;
  show_all?: boolean | null;
  dead_button?: boolean | null;
  jitter_ms?: number | null;
  ratholing_minutes?: number | null;
  rake_bps?: number | null;
  rake_cap?: number | null;
  join_code?: string | null;
  reason?: string | null;
}

/** A table in the lobby's list. `seats` counts all, `taken` those with a player. `waiting` are those who wait to be dealt in; `average_pot` moves with the hands played lately. */
export interface TableInfo {
  id: string;
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  seats: number;
  taken: number;
  waiting: number;
  small_blind: number;
  big_blind: number;
  buy_in_min: number;
  buy_in_max: number;
  average_pot?: number;
  status: "waiting" | "playing" | "paused" | "closing";
  join_code?: boolean;
}

export interface TableList {
  tables: TableInfo[];
}

export interface TablePaused {
  type: "table_paused";
  reason: string;
}

export interface TableResumed {
  type: "table_resumed";
  reason: string;
}

/** The whole public view of a table: any one is enough to play on. `seats` are the taken ones, in their order. */
export interface TableView {
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  settings: TableSettings;
  status: "waiting" | "playing" | "paused" | "closing";
  reason?: string;
  hand?: HandView;
  button?: number;
  seats: SeatView[];
}

/** A table to open. What is left out takes the room's defaults. */
export interface TableWanted {
  name: string;
  game: "nlhe" | "plhe" | "flhe";
  seats: number;
  small_blind: number;
  big_blind: number;
  ante?: number;
  big_blind_ante?: number;
  buy_in_min: number;
  buy_in_max: number;
  turn_seconds?: number | null;
  time_bank_seconds?: number | null;
  hand_pause_ms?: number | null;
  jitter_ms?: number | null;
  show_all?: boolean;
  dead_button?: boolean;
  ratholing_minutes?: number | null;
  rake_bps?: number;
  rake_cap?: number;
  join_code?: string | null;
}

/** Good for one `hello` within 30 s. */
export interface Ticket {
  ticket: string;
}

export interface TimeBankStarted {
  type: "time_bank_started";
  turn: string;
  seat: number;
  deadline: number;
}

/** A personal access token without its secret. `kind` is what plays with it. */
export interface TokenKept {
  id: string;
  name: string;
  scopes: string[];
  kind: "guest" | "player" | "bot";
  created_at: number;
}

/** Oldest first, without those of sessions. */
export interface TokenList {
  tokens: TokenKept[];
}

/** `token` is shown this once; `id` is what deletes it. */
export interface TokenMade {
  id: string;
  name: string;
  scopes: ("read" | "play" | "host" | "admin:read" | "admin:chips" | "admin:players" | "admin:tables")[];
  token: string;
}

/** What the account may log in with, without its secret. A session has no name. */
export interface TokenRow {
  id: string;
  name?: string | null;
  scopes: string[];
  created_at: number;
  connected: boolean;
}

export interface TokenWanted {
  name: string;
  scopes: ("read" | "play" | "host" | "admin:read" | "admin:chips" | "admin:players" | "admin:tables")[];
  kind?: "bot" | null;
}

export interface TopUp {
  id: string;
  table: string;
  type: "top_up";
  amount: number;
}

/** `stack` is what stands there now. */
export interface ToppedUp {
  seat: number;
  account: string;
  name: string;
  stack: number;
  reason?: string;
  type: "topped_up";
}

/** Whose turn it is. After `deadline` the time bank runs, where there is one, and then the table acts. */
export interface Turn {
  id: string;
  seat: number;
  deadline: number;
  time_bank_ms: number;
  actions: Actions;
}

export interface TurnStarted {
  type: "turn_started";
  turn: string;
  seat: number;
  deadline: number;
}

export interface UncalledReturned {
  type: "uncalled_returned";
  seat: number;
  amount: number;
}

export interface Unwatch {
  id: string;
  table: string;
  type: "unwatch";
}

/** What happened and how the table stands now. `seq` numbers a table's updates without gaps, for every viewer. `lost` says that some events between this viewer's last update and this one are no longer held. */
export interface Update {
  type: "update";
  table: string;
  epoch: number;
  seq: number;
  at: number;
  events: Event[];
  view: TableView | LobbyView;
  you?: You;
  lost?: boolean;
}

/** Follow a table, or the lobby (`table: "lobby"`). `since` asks for what was missed. */
export interface Watch {
  id: string;
  table: string;
  type: "watch";
  since?: Since;
}

/** Answers `hello`. A spectator has no `account`. */
export interface Welcome {
  type: "welcome";
  re: string;
  protocol: number;
  connection: string;
  account?: Account;
  time: number;
  heartbeat_seconds: number;
  limits: Limits;
  seats: SeatHeld[];
}

/** A seat's own part of an update. `waiting` says what keeps it from being dealt in, as in `big_blind`. `to_call` is what a call would cost as things stand, while others act: what a pre-action is meant for. */
export interface You {
  seat: number;
  cards: string[];
  rank?: Rank;
  armed?: Armed;
  to_call?: number;
  waiting?: string;
}

export type ClientMessage =
  | Hello
  | Watch
  | Unwatch
  | Sit
  | Leave
  | SitOut
  | SitIn
  | TopUp
  | Act
  | Arm
  | Disarm
  | Show
  | Chat
  | Ping;

export type ServerMessage = Welcome | Ok | ErrorAnswer | Update | Pong | Notice;

export type Event =
  | HandStarted
  | Posted
  | HoleCardsDealt
  | TurnStarted
  | TimeBankStarted
  | Acted
  | StreetDealt
  | UncalledReturned
  | CardsShown
  | Mucked
  | PotAwarded
  | HandEnded
  | HandVoided
  | Seated
  | Left
  | SatOut
  | SatIn
  | ToppedUp
  | ConnectionChanged
  | TablePaused
  | TableResumed
  | SettingsChanged
  | TableClosed
  | Chatted;
