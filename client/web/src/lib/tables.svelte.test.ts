import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hand, turn, update, view, you } from '../test/room';
import { ServerClock } from './clock';
import type { Follower } from './following';
import type { Asking } from './questions';
import { TABLES_MAX, Tables } from './tables.svelte';

let followers: Map<string, Follower>;
let tables: Tables;

beforeEach(() => {
  followers = new Map();
  const line = {
    ask: (): Asking => {
      throw new Error('nothing is asked here');
    },
    follow: (id: string, follower: Follower) => {
      followers.set(id, follower);
      return () => void followers.delete(id);
    },
  };
  tables = new Tables(line, new ServerClock());
});

/** It is our turn there until then; drawn at once, as on a hidden page. */
function myTurn(id: string, deadline: number): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  followers.get(id)?.update(
    update(1, { table: id, view: view({ hand: hand({ turn: turn(4, { deadline }) }) }), you: you('As', 'Kd') }),
  );
}

test('a table is opened once, followed, and in front where it is shown', () => {
  const first = tables.open('t1');
  tables.show('t2');
  tables.open('t1', 'sesame');

  expect(tables.list.map(({ id }) => id)).toEqual(['t1', 't2']);
  expect([...followers.keys()]).toEqual(['t1', 't2']);
  expect(tables.get('t1')).toBe(first);
  expect(first?.joinCode).toBe('sesame');
  expect(tables.focused?.id).toBe('t2');
});

test('we sit where a table shows it, and else where it was said', () => {
  tables.open('t1');
  tables.open('t2');
  tables.open('t3');
  myTurn('t1', 1_000);
  followers.get('t2')?.update(update(1, { table: 't2', view: view() }));

  expect([...tables.seated([{ table: 't2', seat: 4 }, { table: 't3', seat: 1 }])].sort()).toEqual(['t1', 't3']);
});

test('a closed table is followed no longer, and another comes to the front', () => {
  tables.show('t1');
  tables.show('t2');
  tables.close('t2');

  expect([...followers.keys()]).toEqual(['t1']);
  expect(tables.focus).toBe('t1');
  tables.close('t1');
  expect(tables.focus).toBeNull();
});

test('there is a limit', () => {
  for (let number = 0; number < TABLES_MAX; number += 1) tables.open(`t${number}`);

  expect(tables.open('one too many')).toBeNull();
  expect(tables.list).toHaveLength(TABLES_MAX);
});

test('where one too many is asked for, no other is shown in its place', () => {
  for (let number = 0; number < TABLES_MAX; number += 1) tables.show(`t${number}`);

  expect(tables.show('one too many')).toBeNull();
  expect(tables.focused).toBeNull();
  expect(tables.show('t1')).toBe(tables.focused);
});

test('where we sit is opened, without coming to the front', () => {
  tables.show('t1');
  tables.adopt([
    { table: 't1', seat: 2 },
    { table: 't2', seat: 4 },
  ]);

  expect(tables.list.map(({ id }) => id)).toEqual(['t1', 't2']);
  expect(tables.focus).toBe('t1');
});

describe('the table that waits for me', () => {
  test('is none where it is nobody', () => {
    tables.open('t1');

    expect(tables.whichWaitsForMe).toBeNull();
  });

  test('is the most urgent', () => {
    for (const id of ['t1', 't2', 't3']) tables.open(id);
    myTurn('t1', 3_000);
    myTurn('t3', 2_000);

    expect(tables.waiting.map(({ id }) => id)).toEqual(['t3', 't1']);
    expect(tables.whichWaitsForMe?.id).toBe('t3');
  });
});
