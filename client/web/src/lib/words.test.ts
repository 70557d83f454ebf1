import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event, Rank } from '../wire';
import { hand, seat, turn, view, you } from '../test/room';
import { de } from '../texts/de';
import { en, type Key } from '../texts/en';
import { isKey, speak, t } from './i18n.svelte';
import { settings } from './settings.svelte';
import { LogLine, Names, cardName, chips, chipsWithin, initial, rankText, refusalText, sentence, situation, yourTurn, type About } from './words';

const NAMES = new Map([
  [1, 'Bo'],
  [4, 'Anna'],
]);
const about: About = { names: new Names(NAMES, 4), bigBlind: 10, at: 7 };
const TWO_PAIR: Rank = { category: 'two_pair', cards: ['As', 'Ah', 'Qd', 'Qc', '9d'], text: 'two pair, aces and queens' };
const OAK = { seats: 6, small_blind: 10, big_blind: 20, buy_in_min: 400, buy_in_max: 2000 };
const ACTED = { type: 'acted', turn: 'h1-1', amount: 40, to: 60, all_in: false } as const;

beforeEach(() => speak('en'));

afterEach(() => {
  settings.inBigBlinds = false;
});

function told(event: Event): string {
  return sentence(event, about);
}

describe('an amount where there is little room', () => {
  test('is whole as long as it fits, and then rounded to four digits', () => {
    expect(chipsWithin(9, 1_234_567, 10)).toBe('1,234,567');
    expect(chipsWithin(9, 12_345_678, 10)).toBe('12.35M');
    expect(chipsWithin(9, 1_000_000_000_000, 10)).toBe('1T');
  });

  test('is so in big blinds too', () => {
    settings.inBigBlinds = true;
    expect(chipsWithin(9, 1_234, 10)).toBe('123.4 BB');
    expect(chipsWithin(9, 1_234_567_890, 10)).toBe('123.5M BB');
  });
});

test.each([
  ['anna', 'A'],
  ['🦊 fox', '🦊'],
  ['שלום', 'ש'],
])('the letter of %s is whole', (name, letter) => {
  expect(initial(name)).toBe(letter);
});

describe('every event', () => {
  const each: [Event, string, string][] = [
    [
      { type: 'hand_started', hand: 'h1', number: 1204, game: 'nlhe', button: 1, small_blind: 5, big_blind: 10, ante: 0, seats: [] },
      'Hand 1,204, Bo has the button',
      'Hand 1.204, Bo hat den Button',
    ],
    [{ type: 'posted', seat: 1, kind: 'small_blind', amount: 5, all_in: false }, 'Bo posts the small blind of 5', 'Bo setzt den Small Blind von 5'],
    [{ type: 'posted', seat: 4, kind: 'ante', amount: 1, all_in: true }, 'You post an ante of 1, all-in', 'Du setzt ein Ante von 1, all-in'],
    [{ type: 'hole_cards_dealt', seats: [1, 4], count: 2 }, 'Cards are dealt to 2 players', '2 Spieler bekommen Karten'],
    [{ type: 'turn_started', turn: 't', seat: 4, deadline: 0 }, 'It is your turn', 'Du bist am Zug'],
    [{ type: 'time_bank_started', turn: 't', seat: 1, deadline: 0 }, 'Bo uses the time bank', 'Bo nimmt die Zeitreserve'],
    [{ ...ACTED, seat: 1, action: 'call' }, 'Bo calls 40', 'Bo geht mit, 40'],
    [{ ...ACTED, seat: 4, action: 'raise' }, 'You raise to 60', 'Du erhöhst auf 60'],
    [{ ...ACTED, seat: 1, action: 'raise', all_in: true }, 'Bo raises to 60, all-in', 'Bo erhöht auf 60, all-in'],
    [{ ...ACTED, seat: 1, action: 'all_in', all_in: true }, 'Bo is all-in for 60', 'Bo ist all-in mit 60'],
    [{ ...ACTED, seat: 1, action: 'fold', auto: 'timeout' }, 'Bo folds (out of time)', 'Bo passt (Zeit abgelaufen)'],
    [{ ...ACTED, seat: 4, action: 'check', auto: 'armed' }, 'You check', 'Du schiebst'],
    [{ type: 'street_dealt', street: 'flop', cards: ['As'], board: ['As'] }, 'Flop', 'Flop'],
    [{ type: 'uncalled_returned', seat: 4, amount: 30 }, '30 that nobody called go back to you', '30, die niemand mitging, gehen an dich zurück'],
    [{ type: 'cards_shown', seat: 1, cards: ['As', 'Qc'], rank: TWO_PAIR }, 'Bo shows: two pair, aces and queens', 'Bo zeigt: zwei Paare, Asse und Damen'],
    [{ type: 'mucked', seat: 1 }, 'Bo mucks', 'Bo wirft die Karten weg'],
    [
      { type: 'pot_awarded', pot: 0, amount: 300, winners: [{ seat: 1, amount: 150 }, { seat: 4, amount: 150 }] },
      'Bo wins 150, you win 150',
      'Bo gewinnt 150, du gewinnst 150',
    ],
    [{ type: 'pot_awarded', pot: 2, amount: 90, winners: [{ seat: 1, amount: 90 }] }, 'Bo wins 90 from side pot 2', 'Bo gewinnt 90 aus Side Pot 2'],
    [{ type: 'hand_ended', hand: 'h1', stacks: [], rake: 0 }, '', ''],
    [
      { type: 'hand_voided', hand: 'h1', reason: 'a fault', stacks: [] },
      'The hand is void, everybody has the chips back: a fault',
      'Die Hand zählt nicht, alle haben ihre Chips zurück: a fault',
    ],
    [{ type: 'seated', seat: 2, account: 'a2', name: 'Cleo', stack: 1000 }, 'Cleo sits down with 1,000', 'Cleo setzt sich mit 1.000'],
    [{ type: 'left', seat: 4, account: 'a7', name: 'Anna', stack: 900 }, 'You leave with 900', 'Du verlässt den Tisch mit 900'],
    [{ type: 'sat_out', seat: 1, account: 'a1', name: 'Bo', stack: 9 }, 'Bo sits out', 'Bo setzt aus'],
    [{ type: 'sat_in', seat: 1, account: 'a1', name: 'Bo', stack: 9 }, 'Bo is back', 'Bo ist wieder dabei'],
    [{ type: 'topped_up', seat: 1, account: 'a1', name: 'Bo', stack: 500 }, 'Bo tops up to 500', 'Bo stockt auf 500 auf'],
    [{ type: 'connection_changed', seat: 1, connected: false }, 'Bo has lost the connection', 'Bo hat die Verbindung verloren'],
    [{ type: 'table_paused', reason: 'a break' }, 'The table is paused: a break', 'Der Tisch macht Pause: a break'],
    [{ type: 'table_resumed', reason: '' }, 'The table goes on', 'Es geht weiter'],
    [
      { type: 'settings_changed', name: 'Oak', game: 'nlhe', settings: OAK, next_hand: true },
      'Other settings from the next hand on: Oak, No limit 10/20',
      'Ab der nächsten Hand gelten andere Einstellungen: Oak, No Limit 10/20',
    ],
    [
      { type: 'settings_changed', name: 'Oak', game: 'flhe', settings: { ...OAK, ante: 5, rake_bps: 250 }, next_hand: false },
      'Other settings from now on: Oak, Fixed limit 10/20, ante 5, rake 2.5 %',
      'Ab jetzt gelten andere Einstellungen: Oak, Fixed Limit 10/20, Ante 5, Rake 2,5 %',
    ],
    [{ type: 'table_closed', reason: 'late' }, 'The table is closed: late', 'Der Tisch ist geschlossen: late'],
    [{ type: 'chatted', account: 'a1', name: 'Bo', text: '{name} <b>' }, 'Bo: {name} <b>', 'Bo: {name} <b>'],
  ];

  test.each(each)('%j in English', (event, english) => {
    expect(told(event)).toBe(english);
  });

  test.each(each)('%j in German', async (event, _, german) => {
    await speak('de');
    expect(told(event)).toBe(german);
  });

  test('of a kind that a newer server may send has no words, and no line', () => {
    const event = { type: 'rabbit_hunted', seat: 1 } as unknown as Event;

    expect(told(event)).toBe('');
    expect(new LogLine(1, event, about).kind).toBeNull();
  });

  test('at a seat that nobody is known to have names the seat', () => {
    expect(told({ ...ACTED, seat: 9, action: 'check' })).toBe('seat 9 checks');
  });
});

describe('a line of the log', () => {
  const shown = new LogLine(3, { type: 'cards_shown', seat: 4, cards: ['As', 'Qc'], rank: TWO_PAIR }, about);

  test('has its cards apart, to be drawn, and in words, to be heard', () => {
    expect(shown).toMatchObject({ id: 3, kind: 'result', seat: 4, mine: true, at: 7, cards: ['As', 'Qc'] });
    expect(shown.text).toBe('You show: two pair, aces and queens');
    expect(shown.spoken).toBe('You show ace of spades, queen of clubs: two pair, aces and queens');
  });

  test('of a street names the cards that came', () => {
    const line = new LogLine(4, { type: 'street_dealt', street: 'turn', cards: ['Td'], board: ['As', 'Qc', '2h', 'Td'] }, about);

    expect(line.spoken).toBe('Turn ten of diamonds');
  });

  test('changes its language with the reader', async () => {
    await speak('de');

    expect(shown.spoken).toBe('Du zeigst Pik Ass, Kreuz Dame: zwei Paare, Asse und Damen');
  });
});

describe('amounts', () => {
  test('are chips, or big blinds', async () => {
    expect(chips(12_345, 10)).toBe('12,345');
    settings.inBigBlinds = true;
    expect(chips(12_345, 10)).toBe('1,234.5 BB');
    expect(chips(100, 10)).toBe('10 BB');
    expect(chips(100, 0)).toBe('100');
    await speak('de');
    expect(chips(125, 10)).toBe('12,5 BB');
  });
});

describe('ranks', () => {
  const rank = (category: string, cards: string): Rank => ({ category, cards: cards.split(' '), text: 'as the server says' });

  test('are in the words of the server in English', () => {
    expect(rankText(rank('flush', 'As Ks 9s 8s 2s'))).toBe('as the server says');
  });

  test.each([
    ['high_card', 'As Kd 9c 8s 2h', 'höchste Karte Ass'],
    ['one_pair', '6s 6d Ac 8s 2h', 'ein Paar Sechsen'],
    ['two_pair', 'Ks Kd 5c 5s 2h', 'zwei Paare, Könige und Fünfen'],
    ['three_of_a_kind', 'Js Jd Jc 5s 2h', 'Drilling, Buben'],
    ['straight', '9s 8d 7c 6s 5h', 'Straße bis Neun'],
    ['flush', 'Qs Js 9s 8s 2s', 'Flush, höchste Karte Dame'],
    ['full_house', 'Ts Td Tc 2s 2h', 'Full House, Zehnen und Zweien'],
    ['four_of_a_kind', '3s 3d 3c 3h 2h', 'Vierling, Dreien'],
    ['straight_flush', '9s 8s 7s 6s 5s', 'Straight Flush bis Neun'],
    ['straight_flush', 'As Ks Qs Js Ts', 'Royal Flush'],
    ['seven_deuce', '7s 2d 3c 4s 5h', 'as the server says'],
  ])('%s of %s in German', async (category, cards, german) => {
    await speak('de');

    expect(rankText(rank(category, cards))).toBe(german);
  });
});

describe('refusals', () => {
  test('are what the server says in English, and what the code means in other languages', async () => {
    const details = { min: 110, max: 1000 };
    expect(refusalText('bad_amount', 'raise to 20 is below the minimum of 110', details)).toBe(
      'Raise to 20 is below the minimum of 110',
    );
    await speak('de');
    expect(refusalText('bad_amount', 'raise to 20 …', details)).toBe('Der Betrag muss zwischen 110 und 1.000 liegen');
    expect(refusalText('stale_turn', 'that turn is over')).toBe('Dieser Zug ist vorbei');
    expect(refusalText('forbidden', 'you are muted: spam', { reason: 'spam' })).toBe('Das darfst du nicht: spam');
    expect(refusalText('too_late', 'a code of tomorrow')).toBe('A code of tomorrow');
  });

  test('say until when they hold, in every language', async () => {
    const details = { reason: 'spam', until: new Date().setHours(23, 59) };
    expect(refusalText('forbidden', 'you are muted: spam', details)).toBe('You are muted: spam (until 23:59)');

    await speak('de');
    expect(refusalText('forbidden', 'you are muted: spam', details)).toBe('Das darfst du nicht: spam (bis 23:59)');
  });

  test('of our own are in our own words', () => {
    expect(refusalText('lost', 'whatever')).toBe('The connection was lost; the table shows what was done');
    expect(refusalText('unreached', 'whatever')).toBe('The room cannot be reached');
  });
});

describe('for ears', () => {
  const flop = hand({
    street: 'flop',
    board: ['As', 'Qd', '2c'],
    pots: [
      { amount: 240, eligible: [1, 4] },
      { amount: 60, eligible: [1] },
    ],
    turn: turn(4),
  });
  const seats = [seat(1, 'Bo', { bet: 50, stack: 850 }), seat(4, 'Anna', { stack: 1000 })];

  test('your turn says what it costs', () => {
    expect(yourTurn(view({ hand: flop }), you('Ah', 'Qc'))).toBe('Your turn. 50 to call.');
    expect(yourTurn(view({ hand: flop }), null)).toBe('');
    const free = turn(4, { actions: { fold: true, check: true } });
    expect(yourTurn(view({ hand: hand({ turn: free }) }), you('Ah', 'Qc'))).toBe('Your turn. You can check.');
  });

  test('the whole situation can be read', () => {
    const mine = { ...you('Ah', 'Qc'), rank: TWO_PAIR };

    expect(situation(view({ hand: flop, seats }), mine, 18_400)).toBe(
      'You hold ace of hearts, queen of clubs. You have two pair, aces and queens. ' +
        'Board: ace of spades, queen of diamonds, two of clubs. Pot 240. Side pot 1: 60. ' +
        'Bo: 850, 50 in front. You: 1,000. Your turn. 50 to call. 19 seconds left.',
    );
  });

  test('between hands there is less to say', () => {
    expect(situation(view({ seats }), null, null)).toBe(
      'No hand is being played. Bo: 850, 50 in front. Anna: 1,000.',
    );
  });
});

describe('texts', () => {
  const keys = Object.keys(en) as Key[];
  const names = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();

  test.each(keys)('%s has the same blanks in both languages', (key) => {
    expect(names(de[key])).toEqual(names(en[key]));
  });

  test('one who waits does so in both languages', async () => {
    expect(t('lobby.waits', { count: 1 })).toBe('1 waiting');
    await speak('de');
    expect([t('lobby.waits', { count: 1 }), t('lobby.waits', { count: 2 })]).toEqual(['1 wartet', '2 warten']);
  });

  test('cards have names in both languages', async () => {
    expect(cardName('Td')).toBe('ten of diamonds');
    await speak('de');
    expect(cardName('Td')).toBe('Karo Zehn');
  });

  test('a key is one that we have', () => {
    expect(isKey('card')).toBe(true);
    expect(isKey('toString')).toBe(false);
  });
});
