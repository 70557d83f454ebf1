import { describe, expect, test } from 'vitest';
import { hand, seat, turn, view } from '../test/room';
import { clamp, sizing, stepped, typedAmount, type Sizing } from './bets';

const BOUNDS = { fold: true, check: false, call: 50, raise: { min: 110, max: 1000 }, all_in: 1000 };

function sized(given: Parameters<typeof view>[0], actions: object = BOUNDS): Sizing {
  const found = sizing(view({ hand: hand(), seats: [seat(1, 'Bo', { bet: 60 }), seat(4, 'Anna', { bet: 10 })], ...given }), turn(4, { actions: actions as never }));
  if (!found) throw new Error('nothing to size');
  return found;
}

function amounts({ presets }: Sizing): Record<string, number> {
  return Object.fromEntries(presets.map(({ label, to }) => [label, to]));
}

describe('what may be bet', () => {
  test('is what the server offers, and nothing where it offers nothing', () => {
    expect(sized({})).toMatchObject({ kind: 'raise', min: 110, max: 1000, step: 10 });
    expect(sized({}, { fold: true, check: true, bet: { min: 10, max: 400 } })).toMatchObject({ kind: 'bet', min: 10, max: 400 });
    expect(sizing(view(), turn(4, { actions: { fold: true, check: false, call: 50 } }))).toBeNull();
  });

  test('before the flop there are multiples of the bet', () => {
    expect(amounts(sized({}))).toEqual({ 'bet.min': 110, 'bet.2.5x': 150, 'bet.3x': 180, 'bet.pot': 180, 'bet.all_in': 1000 });
  });

  test('after it there are parts of the pot, counted with the call', () => {
    const flop = sized({ hand: hand({ street: 'flop', pots: [{ amount: 100, eligible: [1, 4] }] }) });

    expect(amounts(flop)).toEqual({ 'bet.min': 110, 'bet.half': 170, 'bet.two_thirds': 207, 'bet.pot': 280, 'bet.all_in': 1000 });
  });

  test('no preset is outside of what is allowed, and the most is all-in only if it is', () => {
    const limited = sized({}, { ...BOUNDS, raise: { min: 160, max: 170 } });

    expect(amounts(limited)).toEqual({ 'bet.min': 160, 'bet.2.5x': 160, 'bet.3x': 170, 'bet.pot': 170, 'bet.max': 170 });
  });

  test('one amount alone needs no presets', () => {
    expect(sized({}, { ...BOUNDS, raise: { min: 120, max: 120 } }).presets).toEqual([]);
  });
});

describe('steps', () => {
  const sizes = sized({});

  test('go to whole big blinds', () => {
    expect(stepped(114, 1, sizes)).toBe(120);
    expect(stepped(116, -1, sizes)).toBe(110);
    expect(stepped(120, 5, sizes)).toBe(170);
  });

  test('never pass the ends', () => {
    expect(stepped(995, 1, sizes)).toBe(1000);
    expect(stepped(112, -5, sizes)).toBe(110);
    expect(clamp(5, 10, 20)).toBe(10);
  });
});

describe('a typed amount', () => {
  test.each([
    ['250', 250],
    ['1,250', 1250],
    ['1.250', 1250],
    ['1 250 000', 1_250_000],
    ['1\u00a0250', 1250],
    ['1.250,00', 1250],
    ['1,250.00', 1250],
    ['12.50', 13],
    ['12,5', 13],
  ])('%s is %i, whatever stands between its thousands', (text, amount) => {
    expect(typedAmount(text)).toBe(amount);
  });

  test.each(['', '  ', 'all', '-50', '2.5k', '1.2.3'])('%j is none', (text) => {
    expect(typedAmount(text)).toBeNull();
  });
});
