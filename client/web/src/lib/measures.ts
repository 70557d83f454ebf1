/** Where the seats of a table are, and how large what is drawn there: what somebody has measured, and nothing else. */

export type Shape = 'wide' | 'tall';

/** The left half of the table from the bottom up, in shares of the room that a seat can move in. */
export type Half = readonly (readonly [x: number, y: number])[];

/** The right half mirrors the left one; with an even number of seats one is opposite ours. */
export const HALVES: Record<Shape, Record<number, Half>> = {
  wide: {
    2: [],
    3: [[0.08, 0.24]],
    4: [[0, 0.44]],
    5: [[0, 0.6], [0.22, 0.03]],
    6: [[0, 0.64], [0.13, 0.1]],
    7: [[0.02, 0.74], [0, 0.26], [0.3, 0]],
    8: [[0.18, 0.98], [0, 0.5], [0.17, 0.03]],
    9: [[0.18, 1], [0, 0.62], [0.02, 0.16], [0.32, 0]],
    10: [[0.18, 1], [0, 0.66], [0, 0.25], [0.23, 0]],
  },
  tall: {
    2: [],
    3: [[0.02, 0.16]],
    4: [[0, 0.3]],
    5: [[0, 0.66], [0.05, 0.08]],
    6: [[0, 0.68], [0, 0.17]],
    7: [[0, 0.74], [0, 0.44], [0.04, 0.12]],
    8: [[0, 0.76], [0, 0.46], [0, 0.16]],
    9: [[0, 0.79], [0, 0.51], [0, 0.23], [0.24, 0]],
    10: [[0, 0.82], [0, 0.57], [0, 0.32], [0, 0.07]],
  },
};

export interface Measures {
  /** The felt that these are right for, and how much smaller and larger they may be drawn. */
  room: Record<Shape, readonly [w: number, h: number]>;
  least: number;
  most: number;
  pod: readonly [w: number, h: number];
  cards: number;
  tag: number;
  hole: number;
  ownPod: readonly [w: number, h: number];
  own: number;
  bet: readonly [w: number, h: number];
  disc: number;
  board: number;
  pill: number;
  total: number;
  text: number;
}

export const FULL: Measures = {
  room: { wide: [1060, 560], tall: [800, 760] },
  least: 0.8,
  most: 1.25,
  pod: [160, 54],
  cards: 54,
  tag: 22,
  hole: 42,
  ownPod: [176, 56],
  own: 64,
  bet: [104, 28],
  disc: 26,
  board: 68,
  pill: 30,
  total: 22,
  text: 15,
};
export const DENSE: Measures = {
  room: { wide: [560, 350], tall: [390, 530] },
  least: 0.86,
  most: 1.4,
  pod: [92, 42],
  cards: 34,
  tag: 18,
  hole: 32,
  ownPod: [128, 42],
  own: 54,
  bet: [76, 22],
  disc: 20,
  board: 52,
  pill: 24,
  total: 18,
  text: 13,
};
/** One of many tables. */
export const TINY: Measures = {
  room: { wide: [460, 268], tall: [320, 420] },
  least: 0.8,
  most: 1.2,
  pod: [84, 33],
  cards: 21,
  tag: 14,
  hole: 25,
  ownPod: [104, 33],
  own: 34,
  bet: [66, 17],
  disc: 16,
  board: 34,
  pill: 17,
  total: 0,
  text: 12,
};
