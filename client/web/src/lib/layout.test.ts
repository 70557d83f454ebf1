import { describe, expect, test } from 'vitest';
import { apart, meet, type Box } from './boxes';
import { placeOf, plan, SEATS_MAX, type Plan } from './layout';

/** Felts as they come: a desktop, a small one, a phone, a small phone, a tablet upright, tiles, a page at 200%. */
const FELTS: readonly (readonly [string, number, number])[] = [
  ['1440x900', 1120, 600],
  ['1024x768', 1010, 490],
  ['1920x1080', 1590, 780],
  ['390x844', 390, 570],
  ['360x740', 360, 470],
  ['768x1024', 756, 690],
  ['a tile of four', 700, 270],
  ['a tile of six', 466, 270],
  ['720x450', 430, 350],
];
const COUNTS = Array.from({ length: SEATS_MAX - 1 }, (_, i) => i + 2);
const CASES = FELTS.flatMap(([name, width, height]) => COUNTS.map((count) => [count, name, width, height] as const));

function named(of: Plan): [string, Box][] {
  const { pots, board, total, places } = of;
  const seats = places.flatMap(({ all, tag, bet, button }, i): [string, Box][] => [
    [`seat ${i}`, all],
    ...(i === 0 ? ([[`seat ${i}'s tag`, tag]] as [string, Box][]) : []),
    [`bet ${i}`, bet],
    [`button ${i}`, button],
  ]);
  return [['pots', pots], ['board', board], ['total', total], ...seats];
}

/** A tag is a part of its seat. */
function together(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

describe.each(CASES)('%i seats on a felt at %s', (count, _, width, height) => {
  const made = plan(width, height, count);
  const boxes = named(made);

  test('nothing covers anything else', () => {
    const met = boxes.flatMap(([a, boxA], i) => boxes.slice(i + 1).filter(([b, boxB]) => !together(a, b) && meet(boxA, boxB)).map(([b]) => `${a} and ${b}`));

    expect(met).toEqual([]);
  });

  test('nothing passes the edge', () => {
    const over = boxes.filter(([, { x, y, w, h }]) => x < -0.01 || y < -0.01 || x + w > width + 0.01 || y + h > height + 0.01);

    expect(over).toEqual([]);
  });

  test('the board can be read, and it is plain whose a bet is', () => {
    const nearest = (box: Box) => made.places.reduce((best, { all }, i) => (apart(all, box) < apart(made.places[best]?.all ?? all, box) ? i : best), 0);

    expect(made.boardCard).toBeGreaterThanOrEqual(30);
    expect(made.places.map(({ bet }) => nearest(bet))).toEqual(made.places.map((_, i) => i));
    expect(made.places.map(({ button }) => nearest(button))).toEqual(made.places.map((_, i) => i));
  });

  test('both halves are alike', () => {
    for (let i = 1; i < count; i++) {
      const [one, other] = [made.places[i], made.places[count - i]];
      expect((one?.all.x ?? 0) + (other?.all.x ?? 0) + (other?.all.w ?? 0)).toBeCloseTo(width);
      expect(one?.all.y).toBeCloseTo(other?.all.y ?? 0);
    }
  });
});

describe('who sits where', () => {
  test('our own seat is at the bottom, whatever its number', () => {
    expect(placeOf(4, 4, 6)).toBe(0);
    expect(placeOf(5, 4, 6)).toBe(1);
    expect(placeOf(3, 4, 6)).toBe(5);
    expect(placeOf(1, 4, 6)).toBe(3);
  });

  test('without a seat the first is at the bottom', () => {
    expect(placeOf(1, null, 9)).toBe(0);
    expect(placeOf(9, null, 9)).toBe(8);
  });

  test('the next seat is to the left, as one looks at the table', () => {
    const { places } = plan(1000, 560, 6);
    expect(places[1]?.all.x).toBeLessThan(places[5]?.all.x ?? 0);
  });
});
