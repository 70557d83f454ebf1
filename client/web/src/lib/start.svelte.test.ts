import { flushSync } from 'svelte';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ANNA, FakeRoom, update, you } from '../test/room';
import type { Event } from '../wire';
import { route } from './route.svelte';
import { session } from './session.svelte';
import { start } from './start.svelte';
import { store } from './storage';
import { tables } from './tables.svelte';

const room = new FakeRoom();
const asked = vi.fn();

beforeAll(async () => {
  vi.stubGlobal('WebSocket', class {
    constructor() {
      return room.open();
    }
  });
  vi.stubGlobal('Worker', undefined);
  store('token', 'of Anna');
  history.replaceState(null, '', '/join/t1#sesame');
  await start();
});

beforeEach(() => {
  asked.mockReset();
  vi.stubGlobal('fetch', (path: string) => {
    asked(path);
    return Promise.resolve(Response.json({ account: ANNA, seats: [] }));
  });
  flushSync();
});

test('the address opens its table in front, with the code it brings', () => {
  expect(tables.focused).toMatchObject({ id: 't1', joinCode: 'sesame' });
});

test('the lobby, and where we sit, are followed once the line is open', () => {
  room.socket.welcomes({ account: ANNA, seats: [{ table: 't2', seat: 4 }] });
  flushSync();

  expect(tables.list.map(({ id }) => id)).toEqual(['t1', 't2']);
  expect(tables.focus).toBe('t1');
  expect(room.socket.all('watch').map(({ table }) => table).sort()).toEqual(['lobby', 't1', 't2']);
});

test('a table closed by hand stays closed until we go there again', () => {
  tables.close('t2');
  flushSync();
  expect(tables.get('t2')).toBeNull();

  route.go('/table/t2');
  flushSync();
  expect(tables.focus).toBe('t2');
});

test('our chips are asked for once after they moved, and not after those of others did', async () => {
  const says = async (seq: number, account: string, seat: number): Promise<void> => {
    const seated: Event = { type: 'seated', seat, account, name: 'Bo or Anna', stack: 500 };
    room.socket.says(update(seq, { events: [seated], you: you() }));
    await vi.waitFor(() => expect(tables.get('t1')?.seq).toBe(seq));
    flushSync();
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await says(1, 'a1', 1);
  vi.advanceTimersByTime(1_000);
  expect(asked).not.toHaveBeenCalled();

  await says(2, ANNA.id, 4);
  await says(3, 'a1', 1);
  for (let later = 0; later < 10; later += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    flushSync();
  }
  vi.useRealTimers();

  expect(asked.mock.calls).toEqual([['/api/v1/me']]);
  expect(session.account).toEqual(ANNA);
});
