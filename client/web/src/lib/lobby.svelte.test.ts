import { beforeEach, describe, expect, test } from 'vitest';
import type { TableInfo } from '../wire';
import { update } from '../test/room';
import type { Follower } from './following';
import type { Asking } from './questions';
import { Refusal } from './refusal';
import { Lobby, usualBuyIn } from './lobby.svelte';

let follower: Follower | null;
let draws: (() => void)[];
let hidden: boolean;
let lobby: Lobby;

beforeEach(() => {
  follower = null;
  draws = [];
  hidden = false;
  const line = {
    ask: (): Asking => {
      throw new Error('the lobby only looks');
    },
    follow: (_: string, given: Follower) => {
      follower = given;
      return () => (follower = null);
    },
  };
  lobby = new Lobby(line, { request: (draw) => void (hidden ? draw() : draws.push(draw)) });
  lobby.start();
});

function row(id: string, given: Partial<TableInfo> = {}): TableInfo {
  return {
    id,
    name: `Table ${id}`,
    game: 'nlhe',
    seats: 6,
    taken: 3,
    waiting: 0,
    small_blind: 5,
    big_blind: 10,
    buy_in_min: 200,
    buy_in_max: 1000,
    status: 'playing',
    ...given,
  };
}

function lists(seq: number, ...tables: TableInfo[]): void {
  follower?.update(update(seq, { table: 'lobby', view: { tables } }));
}

function draw(): void {
  for (const each of draws.splice(0)) each();
}

describe('the list', () => {
  test('is loading, live, stale, and live again', () => {
    expect(lobby.status).toBe('loading');
    lists(1, row('a'));
    draw();
    expect(lobby.status).toBe('live');
    follower?.stale();
    expect(lobby).toMatchObject({ status: 'stale', rows: [{ id: 'a' }] });
    lists(2, row('b'));
    draw();
    expect(lobby).toMatchObject({ status: 'live', rows: [{ id: 'b' }] });
  });

  test('is drawn once a frame, as it is then', () => {
    lists(1, row('a'));
    lists(2, row('a'), row('b'));
    expect(draws).toHaveLength(1);
    draw();

    expect(lobby.rows).toHaveLength(2);
  });

  test('is drawn also while the page is hidden, which draws at once, and goes on when it is seen', () => {
    hidden = true;
    lists(1, row('a'));
    expect(lobby).toMatchObject({ status: 'live', rows: [{ id: 'a' }] });
    hidden = false;
    lists(2, row('b'));
    draw();

    expect(lobby.rows).toMatchObject([{ id: 'b' }]);
  });

  test('has failed where the room refuses it', () => {
    follower?.refused(new Refusal('forbidden', 'not for you'));

    expect(lobby.status).toBe('failed');
  });
});

test('filters go together, and say whether they hide anything', () => {
  lists(
    1,
    row('a', { name: 'Magnolia' }),
    row('b', { name: 'Juniper', big_blind: 50 }),
    row('c', { name: 'Magnet', taken: 6 }),
    row('d', { name: 'Magma', game: 'plhe' }),
  );
  draw();
  expect(lobby.filtered).toBe(false);
  expect(lobby.stakes).toEqual([10, 50]);

  lobby.name = ' mag ';
  expect(lobby.shown.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  lobby.free = true;
  expect(lobby.shown.map(({ id }) => id)).toEqual(['a', 'd']);
  lobby.game = 'nlhe';
  expect(lobby.shown.map(({ id }) => id)).toEqual(['a']);
  lobby.bigBlind = 50;
  expect(lobby.shown).toEqual([]);
  expect(lobby.filtered).toBe(true);

  lobby.showAll();
  expect(lobby.shown).toHaveLength(4);
});

describe('a quick seat', () => {
  function choice(chips: number, ...tables: TableInfo[]): string | null {
    lists(1, ...tables);
    draw();
    return lobby.quickSeat(chips)?.id ?? null;
  }

  test('is where most people are and one seat is free', () => {
    expect(choice(10_000, row('a', { taken: 2 }), row('b', { taken: 5 }), row('c', { taken: 6 }))).toBe('b');
  });

  test('is not where the reader sits already, nor where a code is wanted', () => {
    choice(10_000, row('a', { taken: 5 }), row('b', { taken: 4, join_code: true }), row('c', { taken: 2 }));

    expect(lobby.quickSeat(10_000, new Set(['a']))?.id).toBe('c');
    expect(lobby.quickSeat(10_000, new Set(['a', 'c']))).toBeNull();
  });

  test('costs no more than there is', () => {
    expect(choice(300, row('a', { taken: 1 }), row('b', { buy_in_min: 400 }))).toBe('a');
    expect(lobby.tooFew(300)).toBe(false);
    expect(choice(100, row('a'), row('b'))).toBeNull();
    expect(lobby.tooFew(100)).toBe(true);
  });

  test('is not where the table pauses or closes, if there is another', () => {
    expect(choice(10_000, row('a', { status: 'closing' }), row('b', { status: 'paused' }), row('c', { taken: 0 }))).toBe('c');
    expect(choice(10_000, row('a', { status: 'closing' }), row('b', { status: 'paused' }))).toBe('b');
  });
});

test('the usual buy-in is hundred big blinds, within what the table takes', () => {
  const table = { big_blind: 10, buy_in_min: 200, buy_in_max: 3_000 };

  expect(usualBuyIn(table, 10_000)).toBe(1_000);
  expect(usualBuyIn({ ...table, buy_in_max: 800 }, 10_000)).toBe(800);
  expect(usualBuyIn(table, 350)).toBe(350);
  expect(usualBuyIn(table, 50)).toBe(200);
});
