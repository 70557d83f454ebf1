/** Cards, hands and events in words: for the log, for ears, and for the reason why not. */

import type { Acted, Bounds, Event, PotAwarded, Rank, SettingsChanged, TableView, You } from '../wire';
import { brief, isKey, language, number, rounded, t, when, type Key, type Params } from './i18n.svelte';
import { Refusal } from './refusal';
import { settings } from './settings.svelte';

export type LineKind = 'hand' | 'street' | 'action' | 'result' | 'seat' | 'table' | 'gap' | 'chat';

/** Not an event of the server: some are missing here. */
export interface Gap {
  type: 'gap';
}

// --- Amounts and cards ------------------------------------------------------------------------------------------------

/** An amount as the reader wants it: chips, or big blinds where one is known. */
export function chips(amount: number, bigBlind: number): string {
  if (!settings.inBigBlinds || !bigBlind) return number(amount);
  return t('chips.big_blinds', { amount: rounded(amount / bigBlind) });
}

/** The amount where there is room for so many characters: what is longer is rounded. */
export function chipsWithin(room: number, amount: number, bigBlind: number): string {
  const whole = chips(amount, bigBlind);
  if (whole.length <= room) return whole;
  if (!settings.inBigBlinds || !bigBlind) return brief(amount);
  return t('chips.big_blinds', { amount: brief(amount / bigBlind) });
}

/** `ace of spades` */
export function cardName(card: string): string {
  return t('card', { rank: t(`rank.${card[0]}` as Key), suit: t(`suit.${card[1]}` as Key) });
}

export function cardNames(cards: readonly string[]): string {
  return cards.map(cardName).join(', ');
}

/** `two pair, aces and queens`: the server's own words where they are in the reader's language. */
export function rankText(rank: Rank): string {
  const [first, , third, fourth] = rank.cards.map((card) => card[0]);
  const royal = rank.category === 'straight_flush' && first === 'A';
  const key = royal ? 'hand.royal_flush' : `hand.${rank.category}`;
  if (language() === 'en' || !isKey(key)) return rank.text;
  const word = (of: 'rank' | 'ranks', value: string | undefined) => (value ? t(`${of}.${value}` as Key) : '');
  return t(key, {
    first: word('rank', first),
    firsts: word('ranks', first),
    thirds: word('ranks', third),
    fourths: word('ranks', fourth),
  });
}

// --- Refusals ---------------------------------------------------------------------------------------------------------

/** Why it was refused. What went wrong in another way is thrown on. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  return refusalText(error.code, error.text, error.details);
}

/** Why not. The server's text says more, in English; other readers get what the code means. */
export function refusalText(code: string, text: string, details: Readonly<Record<string, unknown>> = {}): string {
  const key = `refusal.${code}`;
  const own = code === 'lost' || code === 'unreached' || language() !== 'en';
  const { reason, until } = details;
  const bounds = within(details);
  const end = typeof until === 'number' ? ` (${t('refusal.until', { time: when(until) })})` : '';
  if (!own || !isKey(key)) return text.charAt(0).toUpperCase() + text.slice(1) + end;
  if (code === 'forbidden' && typeof reason === 'string') return t('refusal.forbidden.because', { reason }) + end;
  if (code === 'bad_amount' && bounds) return t('refusal.bad_amount.range', { ...bounds });
  return t(key);
}

/** What amount would have done; null where it was something else. */
export function boundsOf({ code, details }: Refusal): Bounds | null {
  return code === 'bad_amount' ? within(details) : null;
}

function within({ min, max }: Readonly<Record<string, unknown>>): Bounds | null {
  return typeof min === 'number' && typeof max === 'number' ? { min, max } : null;
}

// --- Who --------------------------------------------------------------------------------------------------------------

/** The first letter of a name, or whatever stands first there. */
export function initial(name: string): string {
  return [...name][0]?.toUpperCase() ?? '';
}

/** Who sits where, as it was when something happened. */
export class Names {
  constructor(
    private readonly names: ReadonlyMap<number, string> = new Map(),
    private readonly mine: number | null = null,
  ) {}

  of(seat: number): string {
    return this.names.get(seat) ?? t('seat.number', { seat });
  }

  isMine(seat: number): boolean {
    return seat === this.mine;
  }

  /** With whoever the event names. `mine` is the reader's seat when all has happened. */
  after(event: Event, mine: number | null): Names {
    if (event.type === 'hand_started') return this.#with(event.seats, this.mine);
    if (event.type !== 'seated') return this;
    return this.#with([event], event.seat === mine ? mine : this.mine);
  }

  /** As the view has it. */
  in(view: TableView, mine: number | null): Names {
    const same = mine === this.mine && view.seats.every(({ seat, name }) => this.names.get(seat) === name);
    return same ? this : this.#with(view.seats, mine);
  }

  #with(seats: readonly { seat: number; name: string }[], mine: number | null): Names {
    return new Names(new Map([...this.names, ...seats.map(({ seat, name }) => [seat, name] as const)]), mine);
  }
}

// --- The log ----------------------------------------------------------------------------------------------------------

export interface About {
  names: Names;
  bigBlind: number;
  at: number;
}

/** One line of the log. Its texts follow the reader's language, so they are made when they are read. */
export class LogLine {
  readonly kind: LineKind | null;

  constructor(
    readonly id: number,
    readonly event: Event | Gap,
    readonly about: About,
  ) {
    this.kind = KINDS[event.type] ?? null;
  }

  get at(): number {
    return this.about.at;
  }

  get seat(): number | null {
    return 'seat' in this.event ? this.event.seat : null;
  }

  get mine(): boolean {
    return this.seat !== null && this.about.names.isMine(this.seat);
  }

  /** Cards to draw after the text. */
  get cards(): readonly string[] {
    return this.event.type === 'street_dealt' || this.event.type === 'cards_shown' ? this.event.cards : [];
  }

  get text(): string {
    return sentence(this.event, this.about);
  }

  /** All of it in words, the cards too. */
  get spoken(): string {
    const { event, text } = this;
    if (!this.cards.length) return text;
    if (event.type === 'cards_shown' && event.rank) {
      const shown = say('event.cards_shown', event.seat, this.about);
      return t('event.with_rank', { sentence: `${shown} ${cardNames(event.cards)}`, rank: rankText(event.rank) });
    }
    return `${text} ${cardNames(this.cards)}`;
  }
}

/** What has no line: it shows at the table, and in words would only be noise. */
const KINDS: Readonly<Partial<Record<(Event | Gap)['type'], LineKind>>> = {
  gap: 'gap',
  hand_started: 'hand',
  posted: 'action',
  acted: 'action',
  street_dealt: 'street',
  uncalled_returned: 'result',
  cards_shown: 'result',
  mucked: 'result',
  pot_awarded: 'result',
  hand_voided: 'result',
  seated: 'seat',
  left: 'seat',
  sat_out: 'seat',
  sat_in: 'seat',
  topped_up: 'seat',
  connection_changed: 'seat',
  table_paused: 'table',
  table_resumed: 'table',
  settings_changed: 'table',
  table_closed: 'table',
  chatted: 'chat',
};

/** The event as a sentence without a full stop. Empty for a kind that a newer server may send. */
export function sentence(event: Event | Gap, about: About): string {
  const amount = (value: number) => chips(value, about.bigBlind);
  switch (event.type) {
    case 'gap':
      return t('event.gap');
    case 'hand_started':
      return say('event.hand_started', event.button, about, { number: event.number });
    case 'posted':
      return alsoAllIn(event.all_in, say(`event.${event.kind}`, event.seat, about, { amount: amount(event.amount) }));
    case 'hole_cards_dealt':
      return t('event.hole_cards_dealt', { count: event.seats.length });
    case 'turn_started':
    case 'time_bank_started':
    case 'mucked':
    case 'sat_out':
    case 'sat_in':
      return say(`event.${event.type}`, event.seat, about);
    case 'acted':
      return acted(event, about);
    case 'street_dealt':
      return t(`street.${event.street}`);
    case 'uncalled_returned':
      return say('event.uncalled_returned', event.seat, about, { amount: amount(event.amount) });
    case 'cards_shown': {
      const shown = say('event.cards_shown', event.seat, about);
      return event.rank ? t('event.with_rank', { sentence: shown, rank: rankText(event.rank) }) : shown;
    }
    case 'pot_awarded':
      return won(event, about);
    case 'hand_ended':
      return '';
    case 'seated':
    case 'left':
    case 'topped_up':
      return say(`event.${event.type}`, event.seat, about, { name: event.name, stack: amount(event.stack) });
    case 'connection_changed':
      return say(event.connected ? 'event.connected' : 'event.disconnected', event.seat, about);
    case 'hand_voided':
    case 'table_paused':
    case 'table_closed':
      return t(`event.${event.type}`, { reason: event.reason });
    case 'table_resumed':
      return t('event.table_resumed');
    case 'settings_changed':
      return t(event.next_hand ? 'event.settings_next_hand' : 'event.settings_changed', {
        what: settingsInWords(event, about),
      });
    case 'chatted':
      return t('event.chatted', { name: event.name, text: event.text });
    default:
      event satisfies never;
      return '';
  }
}

/** What the game is and what it costs. An ante and a rake are named where there are any. */
function settingsInWords({ name, game, settings: to }: SettingsChanged, about: About): string {
  const amount = (value: number) => chips(value, about.bigBlind);
  const ante = to.ante || to.big_blind_ante;
  return [
    name,
    `${t(`game.${game}`)} ${amount(to.small_blind)}/${amount(to.big_blind)}`,
    ...(ante ? [t('event.settings.ante', { amount: amount(ante) })] : []),
    ...(to.rake_bps ? [t('event.settings.rake', { percent: rounded(to.rake_bps / 100) })] : []),
  ].join(', ');
}

function acted(event: Acted, about: About): string {
  const [amount, to] = [chips(event.amount, about.bigBlind), chips(event.to, about.bigBlind)];
  const done = say(`event.${event.action}`, event.seat, about, { amount, to });
  const whole = alsoAllIn(event.all_in && event.action !== 'all_in', done);
  return event.auto ? t(`event.auto.${event.auto}`, { sentence: whole }) : whole;
}

function won({ pot, winners }: PotAwarded, about: About): string {
  const key = pot === 0 ? 'event.pot_won' : 'event.side_pot_won';
  const shares = winners.map(({ seat, amount }) => say(key, seat, about, { pot, amount: chips(amount, about.bigBlind) }));
  const mine = winners.findIndex(({ seat }) => about.names.isMine(seat));
  return shares.map((share, i) => (i && i === mine ? share.charAt(0).toLowerCase() + share.slice(1) : share)).join(', ');
}

function alsoAllIn(allIn: boolean, sentence: string): string {
  return allIn ? t('event.and_all_in', { sentence }) : sentence;
}

/** Keys that have a second text, for when it is the reader. */
type Said = { [K in Key]: `${K}.you` extends Key ? K : never }[Key];

function say(key: Said, seat: number, about: About, params: Params = {}): string {
  return t(about.names.isMine(seat) ? `${key}.you` : key, { name: about.names.of(seat), ...params });
}

// --- For ears ---------------------------------------------------------------------------------------------------------

/** It is your turn, and what there is to know at once. Empty when it isn't. */
export function yourTurn(view: TableView, you: You | null): string {
  const turn = view.hand?.turn;
  if (!turn || turn.seat !== you?.seat) return '';
  const { call, check } = turn.actions;
  const amount = (value: number) => chips(value, view.settings.big_blind);
  const price = call !== undefined ? t('say.to_call', { amount: amount(call) }) : check ? t('say.can_check') : '';
  return [t('say.your_turn'), price].filter(Boolean).join(' ');
}

/** Everything, for the key that reads it: own cards, board, pots, stacks, whose turn, time left. */
export function situation(view: TableView, you: You | null, leftMs: number | null): string {
  const { hand } = view;
  const bigBlind = view.settings.big_blind;
  const about: About = { names: new Names().in(view, you?.seat ?? null), bigBlind, at: 0 };
  const said: string[] = [];
  if (!hand) said.push(t('say.no_hand'));
  if (you) said.push(you.cards.length ? t('say.you_hold', { cards: cardNames(you.cards) }) : t('say.no_cards'));
  if (you?.rank) said.push(t('say.you_have', { rank: rankText(you.rank) }));
  if (hand) said.push(hand.board.length ? t('say.board', { cards: cardNames(hand.board) }) : t('say.no_board'));
  hand?.pots.forEach(({ amount }, pot) => {
    said.push(t(pot === 0 ? 'say.pot' : 'say.side_pot', { pot, amount: chips(amount, bigBlind) }));
  });
  for (const { seat, stack, bet } of view.seats) {
    const key = bet ? 'say.stack_and_bet' : 'say.stack';
    said.push(say(key, seat, about, { stack: chips(stack, bigBlind), bet: chips(bet, bigBlind) }));
  }
  if (hand?.turn) said.push(yourTurn(view, you) || t('say.turn', { name: about.names.of(hand.turn.seat) }));
  if (hand?.turn && leftMs !== null) said.push(t('say.time_left', { seconds: Math.ceil(leftMs / 1000) }));
  return said.join(' ');
}
