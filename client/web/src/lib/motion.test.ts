import { describe, expect, test } from 'vitest';
import { hand, seat, view } from '../test/room';
import type { Event } from '../wire';
import { dealDelay, Endings, flights, turned } from './motion';

const FLOP: Event = { type: 'street_dealt', street: 'flop', cards: ['As', '9d', '4c'], board: ['As', '9d', '4c'] };
const PAIR = { category: 'one_pair', cards: ['As', 'Ad', 'Kc', '9d', '4c'], text: 'pair of aces' };

function acts(number: number, action: 'fold' | 'call' | 'raise', to: number): Event {
  return { type: 'acted', seat: number, turn: `h1-${number}`, action, amount: to, to, all_in: false };
}

function awards(amount: number, ...seats: number[]): Event {
  return { type: 'pot_awarded', pot: 0, amount, winners: seats.map((number) => ({ seat: number, amount: amount / seats.length })) };
}

describe('what flies', () => {
  const before = view({ seats: [seat(1, 'Bo', { bet: 60 }), seat(4, 'Anna', { bet: 20 })] });

  test('bets go to the pot when the street ends, with what was put in by the same update', () => {
    expect(flights(before, [acts(4, 'call', 60), FLOP])).toEqual([
      { kind: 'to_pot', seat: 1, amount: 60, delayMs: 0 },
      { kind: 'to_pot', seat: 4, amount: 60, delayMs: 0 },
    ]);
  });

  test('a bet in the middle of a street stays where it is', () => {
    expect(flights(before, [acts(4, 'raise', 120)])).toEqual([]);
  });

  test('folded cards go away', () => {
    expect(flights(before, [acts(4, 'fold', 0)])).toEqual([{ kind: 'muck', seat: 4, amount: 0, delayMs: 0 }]);
  });

  test('what nobody called does not go to the pot', () => {
    const events: Event[] = [acts(4, 'fold', 0), { type: 'uncalled_returned', seat: 1, amount: 40 }, awards(40, 1)];

    expect(flights(before, events).filter(({ kind }) => kind === 'to_pot')).toEqual([
      { kind: 'to_pot', seat: 1, amount: 20, delayMs: 0 },
      { kind: 'to_pot', seat: 4, amount: 20, delayMs: 0 },
    ]);
  });

  test('a pot goes to each of its winners, after the bets that came to it', () => {
    expect(flights(before, [acts(4, 'call', 60), awards(120, 1, 4)]).slice(2)).toEqual([
      { kind: 'to_winner', seat: 1, amount: 60, delayMs: 200 },
      { kind: 'to_winner', seat: 4, amount: 60, delayMs: 200 },
    ]);
  });

  test('a pot without bets before it goes at once', () => {
    expect(flights(view(), [awards(120, 1)])).toEqual([{ kind: 'to_winner', seat: 1, amount: 120, delayMs: 0 }]);
  });

  test('blinds of a new hand are not mixed with bets of the one before', () => {
    const started: Event = { type: 'hand_started', hand: 'h2', number: 2, game: 'nlhe', button: 1, small_blind: 5, big_blind: 10, ante: 0, seats: [] };
    const posted: Event = { type: 'posted', seat: 4, kind: 'big_blind', amount: 10, all_in: false };

    expect(flights(before, [started, posted, FLOP])).toEqual([{ kind: 'to_pot', seat: 4, amount: 10, delayMs: 0 }]);
  });

  test('nothing flies where nothing was drawn before', () => {
    expect(flights(null, [FLOP])).toEqual([]);
  });
});

describe('cards', () => {
  test('all streets of an update count', () => {
    expect(turned([FLOP, { type: 'street_dealt', street: 'turn', cards: ['Qh'], board: [] }])).toBe(4);
    expect(turned([])).toBe(0);
  });

  test('the last of many comes no later than the last of few', () => {
    expect(dealDelay(0, 1, { gapMs: 60, wholeMs: 200 })).toBe(0);
    expect(dealDelay(2, 3, { gapMs: 60, wholeMs: 200 })).toBe(120);
    expect(dealDelay(9, 10, { gapMs: 60, wholeMs: 200 })).toBe(200);
  });
});

describe('the end of a hand', () => {
  const shown = view({ hand: hand(), seats: [seat(1, 'Bo', { rank: PAIR, cards: ['Ad', 'Kc'] }), seat(4, 'Anna')] });

  test('the winning five are lit, and what was won adds up over pots', () => {
    const showdown = new Endings().after([awards(100, 1), awards(40, 1)], shown);

    expect(showdown?.winners).toEqual(new Map([[1, 140]]));
    expect(showdown?.lit).toEqual(new Set(PAIR.cards));
  });

  test('nothing is lit where nobody had to show', () => {
    expect(new Endings().after([awards(100, 4)], shown)?.lit).toEqual(new Set());
  });

  test('it stays until the next hand begins', () => {
    const endings = new Endings();
    endings.after([awards(100, 1)], shown);

    expect(endings.after([], shown)?.winners.get(1)).toBe(100);
    expect(endings.after([], view({ hand: hand({ id: 'h2' }) }))).toBeNull();
  });
});
