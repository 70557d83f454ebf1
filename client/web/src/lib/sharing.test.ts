import { expect, test } from 'vitest';
import { sharing } from './sharing';

const before = { name: 'Oak', seats: [{ seat: 1, cards: ['As', 'Kd'] }, { seat: 2, cards: [] }], hand: { board: ['2c'] } };

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

test('what is equal as a whole is what there was', () => {
  expect(sharing(before, copy(before))).toBe(before);
  expect(sharing(null, before)).toBe(before);
  expect(sharing('a', 'a')).toBe('a');
});

test('what is equal in part is new, around what there was', () => {
  const after = copy(before);
  after.seats[1] = { seat: 2, cards: ['2h'] };
  const wanted = copy(after);
  const shared = sharing(before, after);

  expect(shared).toEqual(wanted);
  expect(shared).not.toBe(before);
  expect(shared.seats).not.toBe(before.seats);
  expect(shared.seats[0]).toBe(before.seats[0]);
  expect(shared.hand).toBe(before.hand);
});

test('more, fewer and other fields are other things', () => {
  const cases: [unknown, unknown][] = [
    [[1, 2], [1]],
    [[1], [1, 2]],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    [null, {}],
    [{ a: 1 }, null],
    [{ a: { b: 1 } }, { a: 1 }],
  ];
  for (const [old, fresh] of cases) {
    const wanted = structuredClone(fresh);
    expect(sharing(old, fresh)).toEqual(wanted);
    expect(sharing(old, fresh)).not.toBe(old);
  }
});
