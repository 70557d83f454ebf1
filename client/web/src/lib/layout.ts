/** Where things are on a felt, in percent of its box: seats on its rail, bets and button before them. One table a shape. */

export interface Point {
  x: number;
  y: number;
}

/** A place at the table, seen from the one who sits at the bottom. */
export interface Place {
  seat: Point;
  bet: Point;
  button: Point;
}

export type Shape = 'wide' | 'tall';

/** Half the width and height of the line the seats stand on, and how round its corners are (2 is an ellipse). */
const RAIL = {
  wide: { x: 43, y: 40, round: 2.6, bet: 0.6, button: 0.72 },
  tall: { x: 38.5, y: 42.5, round: 3.6, bet: 0.56, button: 0.6 },
} as const;

/** Steps in which the rail is measured. */
const STEPS = 3600;

const CENTRE = { wide: { x: 50, y: 48 }, tall: { x: 50, y: 48.5 } } as const;

/** As many places as the table has seats, clockwise from the bottom. */
export function places(count: number, shape: Shape): Place[] {
  return TABLES[shape][count] ?? [];
}

/** The place of each seat number when `mine` sits at the bottom; without a seat, the first does. */
export function placeOf(seat: number, mine: number | null, count: number): number {
  return (seat - (mine ?? 1) + count) % count;
}

const TABLES: Record<Shape, Record<number, Place[]>> = { wide: table('wide'), tall: table('tall') };

function table(shape: Shape): Record<number, Place[]> {
  const counts = [2, 3, 4, 5, 6, 7, 8, 9, 10];
  return Object.fromEntries(counts.map((count) => [count, around(count, shape)]));
}

function around(count: number, shape: Shape): Place[] {
  const { x: rx, y: ry, round, bet, button } = RAIL[shape];
  const centre = CENTRE[shape];
  return spaced(count, rx, ry, round).map(({ x, y }) => {
    const at = (share: number, aside = 0): Point => {
      const length = Math.hypot(x, y);
      return { x: centre.x + x * share - (y / length) * aside, y: centre.y + y * share + (x / length) * aside };
    };
    return { seat: at(1), bet: at(bet), button: at(button, shape === 'wide' ? 8.5 : 13) };
  });
}

/** Points at equal distances along the rail, clockwise on the screen from the bottom. */
function spaced(count: number, rx: number, ry: number, round: number): Point[] {
  const path: Point[] = [];
  for (let step = 0; step <= STEPS; step++) {
    const angle = Math.PI / 2 + (step / STEPS) * 2 * Math.PI;
    path.push({ x: rx * bent(Math.cos(angle), round), y: ry * bent(Math.sin(angle), round) });
  }
  const lengths = [0];
  path.forEach((point, i) => {
    const before = path[i - 1];
    if (before) lengths.push((lengths[i - 1] ?? 0) + Math.hypot(point.x - before.x, point.y - before.y));
  });
  const whole = lengths[STEPS] ?? 0;
  return Array.from({ length: count }, (_, seat) => {
    const found = lengths.findIndex((length) => length >= (seat / count) * whole);
    return path[found] ?? { x: 0, y: ry };
  });
}

function bent(value: number, round: number): number {
  return Math.sign(value) * Math.abs(value) ** (2 / round);
}
