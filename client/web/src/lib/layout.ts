/**
 * Where things are on a felt of a given size, in pixels: one table of places a shape, and around them room for each bet
 * and the button. It depends on the size and the number of seats alone, so nothing moves while a hand is played.
 */

import { apart, away, grown, holds, meet, narrowed, type Box, type Point } from './boxes';
import { DENSE, FULL, HALVES, TINY, type Half, type Measures, type Shape } from './measures';

/** A seat's place: `all` is made up of cards, pod and tag, one below the other. */
export interface Place {
  all: Box;
  cards: Box;
  pod: Box;
  tag: Box;
  bet: Box;
  button: Box;
}

export interface Plan {
  shape: Shape;
  /** Small: no faces, short texts. */
  dense: boolean;
  /** Font size at the seats. */
  text: number;
  /** Clockwise from the bottom. */
  places: readonly Place[];
  cloth: Box;
  pots: Box;
  board: Box;
  total: Box;
  /** Widths of cards. */
  boardCard: number;
  holeCard: number;
  ownCard: number;
}

/** Height of a card by its width. */
export const CARD_RATIO = 1.4;

export const SEATS_MAX = 10;

/** So far from its seat a bet or the button may be, in the plan's measures. */
const APART_MAX = 40;
/** Between things. */
const GAP = 4;
/** Less wide a card of the board is not drawn, whatever else is in the way. */
const BOARD_CARD_MIN = 30;
/** Three pots beside each other, or two in each of two rows; how wide that is, in widths of a bet. */
const POT_ROWS = [
  { rows: 1, wide: 3.4 },
  { rows: 2, wide: 2.3 },
] as const;
/** How far from where it should be a bet or the button is put where there is no room, and in what steps. */
const [FAR, STEP] = [120, 4];

/** The place of each seat number when `mine` sits at the bottom; without a seat, the first does. */
export function placeOf(seat: number, mine: number | null, count: number): number {
  return (seat - (mine ?? 1) + count) % count;
}

/** The largest drawing in which nothing is in the way of anything else. */
export function plan(width: number, height: number, count: number): Plan {
  const shape: Shape = width >= height * 1.2 ? 'wide' : 'tall';
  for (const m of [FULL, DENSE, TINY]) {
    const fit = scale(width, height, m, shape);
    for (const share of m === FULL ? [1, 0.94, 0.88] : [1.2, 1.1, 1, 0.94, 0.88]) {
      const k = Math.min(fit * share, m.most);
      const made = k < m.least ? null : attempt(width, height, count, { shape, m, k, anyhow: false });
      if (made) return made;
    }
  }
  return attempt(width, height, count, { shape, m: TINY, k: TINY.least, anyhow: true }) as Plan;
}

/** Null where something has no room; `anyhow` it is drawn where it is in the way. */
function attempt(width: number, height: number, count: number, { shape, m, k, anyhow }: { shape: Shape; m: Measures; k: number; anyhow: boolean }): Plan | null {
  const seats = around(HALVES[shape][count] ?? [], count).map(([x, y], i) => (i === 0 ? own(width, height, m, k) : seat(width, height, [x, y], m, k)));
  narrowOwnTag(seats);
  const middle = centre(width, height, seats, { m, k, shape });
  const taken = [...seats.map(({ all }) => all), ...seats.map(({ tag }) => tag), middle.pots, middle.board, middle.total];
  const target = { x: width / 2, y: middle.board.y + middle.board.h / 2 };
  const table = cloth(width, height, m, k);
  const crowded = middle.tight || seats.some(({ all }, i) => seats.some((other, j) => j < i && meet(all, other.all)));
  if (crowded && !anyhow) return null;
  let lost = false;
  const place = (wanted: Box, i: number): Box => {
    const found = lost && !anyhow ? null : settle(wanted, { room: grown(table, 8 * k), taken, seats, i, target, far: APART_MAX * k });
    lost ||= found === null;
    taken.push(found ?? wanted);
    return found ?? wanted;
  };
  const bets = seats.map((at, i) => ({ ...at, bet: place(before(at, target, m.bet[0] * k, m.bet[1] * k, i === 0), i) }));
  const places = bets.map((at, i) => ({ ...at, button: place(beside(at, target, m.disc * k, i === 0), i) }));
  if (lost && !anyhow) return null;
  return {
    shape,
    dense: m !== FULL,
    text: Math.max(m === FULL ? 13 : 11.5, m.text * k),
    places,
    pots: middle.pots,
    board: middle.board,
    total: middle.total,
    boardCard: middle.boardCard,
    cloth: table,
    holeCard: m.hole * k,
    ownCard: m.own * k,
  };
}

type Standing = Omit<Place, 'bet' | 'button'>;
/** How much larger or smaller than its measures a felt of that size is drawn. */
function scale(width: number, height: number, m: Measures, shape: Shape): number {
  const [w, h] = m.room[shape];
  return Math.min(width / w, height / h);
}

/** All places clockwise from the bottom, in shares of the room. Ours is the first. */
function around(half: Half, count: number): (readonly [number, number])[] {
  const opposite: Half = count % 2 === 0 ? [[0.5, 0]] : [];
  return [[0.5, 1], ...half, ...opposite, ...half.toReversed().map(([x, y]) => [1 - x, y] as const)];
}

function seat(width: number, height: number, [x, y]: readonly [number, number], m: Measures, k: number): Standing {
  const [w, podH, cardsH, tagH] = [m.pod[0] * k, m.pod[1] * k, m.cards * k, m.tag * k];
  const h = cardsH + podH + tagH;
  return stacked({ x: x * (width - w), y: y * (height - h), w, h }, cardsH, podH);
}

function own(width: number, height: number, m: Measures, k: number): Standing {
  const [w, podH, tagH] = [m.ownPod[0] * k, m.ownPod[1] * k, m.tag * k];
  const cardsH = m.own * CARD_RATIO * k - 6 * k; // The pod hides a little of their foot.
  const h = cardsH + podH + tagH;
  return stacked({ x: (width - w) / 2, y: height - h, w, h }, cardsH, podH);
}

function stacked(all: Box, cardsH: number, podH: number): Standing {
  const { x, y, w, h } = all;
  return {
    all,
    cards: { x, y, w, h: cardsH },
    pod: { x, y: y + cardsH, w, h: podH },
    tag: { x, y: y + cardsH + podH, w, h: h - cardsH - podH },
  };
}

/** What our five cards make is said beside our own tag: as wide as the neighbours let it be. */
function narrowOwnTag(seats: readonly Standing[]): void {
  const [mine, ...others] = seats;
  if (!mine) return;
  const middle = mine.all.x + mine.all.w / 2;
  const beside = others.filter(({ all }) => all.y + all.h > mine.tag.y).map(({ all }) => Math.min(Math.abs(all.x - middle), Math.abs(all.x + all.w - middle)));
  const half = Math.min(middle, 190, ...beside.map((free) => free - GAP));
  mine.tag.x = middle - half;
  mine.tag.w = 2 * half;
}

interface Middle {
  pots: Box;
  board: Box;
  total: Box;
  boardCard: number;
  /** There was no room for it. */
  tight: boolean;
}

/** Pots, board and total, one below the other between the seats: the board as large, and as near the middle, as they let it be. */
function centre(width: number, height: number, seats: readonly Standing[], { m, k, shape }: { m: Measures; k: number; shape: Shape }): Middle {
  const top = Math.max(0, ...seats.filter(({ all }) => all.y + all.h < height * 0.34).map(({ all }) => all.y + all.h));
  const bottom = seats[0]?.all.y ?? height;
  const totalH = m.total * k;
  const others = seats.slice(1).map(({ all }) => all);
  let best: (Middle & { worth: number }) | null = null;
  for (const { rows, wide } of shape === 'tall' ? POT_ROWS : POT_ROWS.slice(0, 1)) {
    const potsH = rows * m.pill * k;
    for (let card = Math.round(m.board * k); card >= BOARD_CARD_MIN; card--) {
      const size = boardSize(card);
      const h = potsH + GAP + size.h + (totalH && totalH + GAP);
      const free = bottom - top - h - 1;
      if (free < 0) continue;
      for (let share = 0; share <= 20; share++) {
        const y = top + (free * share) / 20;
        const board: Box = { x: (width - size.w) / 2, y: y + potsH + GAP, ...size };
        const worth = card * 4 - Math.abs(share - 10);
        if ((best && worth <= best.worth) || others.some((other) => meet(grown(board, GAP), other))) continue;
        const pots = between(others, { x: 0, y, w: width, h: potsH });
        const total = between(others, { x: 0, y: board.y + size.h + GAP, w: width, h: totalH });
        if (pots.w < wide * m.bet[0] * k) continue;
        best = { worth, pots: narrowed(pots, 480 * k), board, total: narrowed(total, 120 * k), boardCard: card, tight: false };
      }
    }
  }
  return best ?? squeezed(width, (top + bottom) / 2, { potsH: m.pill * k, totalH });
}

/** No room at all: the board has its place, and the rest stands in its way. */
function squeezed(width: number, y: number, { potsH, totalH }: { potsH: number; totalH: number }): Middle {
  const size = boardSize(BOARD_CARD_MIN);
  const board: Box = { x: (width - size.w) / 2, y: y - size.h / 2, ...size };
  return {
    boardCard: BOARD_CARD_MIN,
    tight: true,
    board,
    pots: { ...board, y: board.y - potsH, h: potsH },
    total: { ...board, y: board.y + size.h, h: totalH },
  };
}

export function boardSize(card: number): { w: number; h: number } {
  return { w: 5 * card + 4 * boardGap(card), h: card * CARD_RATIO };
}

export function boardGap(card: number): number {
  return Math.max(3, Math.round(card * 0.12));
}

/** The strip, as wide as the boxes beside it leave it around the middle. */
function between(others: readonly Box[], strip: Box): Box {
  const middle = strip.x + strip.w / 2;
  const beside = others.filter((other) => meet(other, strip)).map((other) => Math.min(Math.abs(other.x - middle), Math.abs(other.x + other.w - middle)));
  const half = Math.max(0, Math.min(middle, ...beside) - GAP);
  return { ...strip, x: middle - half, w: 2 * half };
}

/** Where a bet should be: off the seat's edge, on the way to the board. */
function before({ all, pod }: Standing, to: Point, w: number, h: number, mine: boolean): Box {
  const from = { x: pod.x + pod.w / 2, y: pod.y + pod.h / 2 };
  if (mine) return { x: from.x - w / 2, y: all.y - h - GAP, w, h };
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const grownSeat = grown(all, GAP + 2);
  const reachX = dx === 0 ? Infinity : ((dx > 0 ? grownSeat.x + grownSeat.w - from.x : from.x - grownSeat.x) + w / 2) / Math.abs(dx);
  const reachY = dy === 0 ? Infinity : ((dy > 0 ? grownSeat.y + grownSeat.h - from.y : from.y - grownSeat.y) + h / 2) / Math.abs(dy);
  const reach = Math.min(reachX, reachY);
  return { x: from.x + dx * reach - w / 2, y: from.y + dy * reach - h / 2, w, h };
}

/** Where the button should be: at the seat's edge, beside its bet. */
function beside({ all, pod, bet }: Omit<Place, 'button'>, to: Point, size: number, mine: boolean): Box {
  const box = { w: size, h: size };
  if (mine) return { x: all.x + all.w + GAP, y: pod.y + (pod.h - size) / 2, ...box };
  const sideways = bet.x >= all.x + all.w || bet.x + bet.w <= all.x;
  if (sideways) {
    const x = bet.x > all.x ? all.x + all.w + GAP : all.x - GAP - size;
    return { x, y: to.y > bet.y ? bet.y - GAP - size : bet.y + bet.h + GAP, ...box };
  }
  const outwards = bet.x + bet.w / 2 <= to.x ? bet.x - GAP - size : bet.x + bet.w + GAP;
  return { x: outwards, y: bet.y + (bet.h - size) / 2, ...box };
}

const OFFSETS: readonly Point[] = offsets();

function offsets(): Point[] {
  const found: Point[] = [];
  for (let x = -FAR; x <= FAR; x += STEP) for (let y = -FAR; y <= FAR; y += STEP) found.push({ x, y });
  return found.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
}

interface Around {
  /** Its middle must be there. */
  room: Box;
  taken: readonly Box[];
  seats: readonly Standing[];
  i: number;
  target: Point;
  far: number;
}

/**
 * As near to where it should be as nothing else is, nearer to its own seat than to any other, and on its inner side.
 * Null: nowhere.
 */
function settle(wanted: Box, { room, taken, seats, i, target, far }: Around): Box | null {
  const own = seats[i];
  if (!own) return null;
  const inner = away(own.pod, target);
  for (const { x, y } of OFFSETS) {
    const box = { ...wanted, x: wanted.x + x, y: wanted.y + y };
    if (!holds(room, box) || taken.some((other) => meet(grown(box, GAP / 2), other))) continue;
    const apartness = apart(box, own.all);
    if (apartness > far || away(box, target) > inner) continue;
    if (seats.every(({ all }, j) => j === i || apart(box, all) > apartness + GAP)) return box;
  }
  return null;
}

function cloth(width: number, height: number, m: Measures, k: number): Box {
  const x = m.pod[0] * k * 0.46;
  const top = (m.cards + m.pod[1] * 0.5) * k;
  const bottom = (m.tag + m.ownPod[1] * 0.5) * k;
  return { x, y: top, w: width - 2 * x, h: height - top - bottom };
}
