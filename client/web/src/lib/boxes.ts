/** Rectangles and points, in pixels. They know no table. */

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Point {
  x: number;
  y: number;
}

/** No wider than that, around the same middle. */
export function narrowed(box: Box, most: number): Box {
  const w = Math.min(box.w, most);
  return { ...box, x: box.x + (box.w - w) / 2, w };
}

/** From its middle to there. */
export function away({ x, y, w, h }: Box, from: Point): number {
  return Math.hypot(x + w / 2 - from.x, y + h / 2 - from.y);
}

/** How far it is from one edge to the other. */
export function apart(a: Box, b: Box): number {
  return Math.hypot(Math.max(0, a.x - b.x - b.w, b.x - a.x - a.w), Math.max(0, a.y - b.y - b.h, b.y - a.y - a.h));
}

/** Whether they have room in common. */
export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

export function grown({ x, y, w, h }: Box, by: number): Box {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/** Whether the middle of the box is in the room. */
export function holds(room: Box, { x, y, w, h }: Box): boolean {
  const [cx, cy] = [x + w / 2, y + h / 2];
  return cx >= room.x && cy >= room.y && cx <= room.x + room.w && cy <= room.y + room.h;
}
