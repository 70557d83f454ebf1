import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSED } from '../wire';
import { ANNA, FakeRoom } from '../test/room';
import { Session } from './session.svelte';
import { store, stored } from './storage';

let room: FakeRoom;
let session: Session;
let requests: { method: string; path: string; token: string | null; body: unknown }[];
let answers: (() => Response)[];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  requests = [];
  answers = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    requests.push({
      method: init.method ?? '',
      path,
      token: headers.get('authorization'),
      body: init.body ? JSON.parse(String(init.body)) : null,
    });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('no network'));
  });
  room = new FakeRoom();
  session = new Session('ws://room/api/v1/ws', room);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function answer(status: number, body: unknown): void {
  answers.push(() => new Response(body === null ? null : JSON.stringify(body), { status }));
}

/** As another tab would do it. */
function storedElsewhere(token: string | null): void {
  store('token', token);
  dispatchEvent(new StorageEvent('storage', { key: 'fullring.token' }));
}

describe('who we are', () => {
  test('is nobody at first, who may look on', () => {
    session.start();
    room.socket.welcomes();

    expect(room.socket.last('hello')).not.toHaveProperty('token');
    expect(session).toMatchObject({ account: null, live: true, banner: null });
  });

  test('is remembered from the last visit', () => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: ANNA, seats: [{ table: 't1', seat: 4 }] });

    expect(room.socket.last('hello')).toMatchObject({ token: 'of Anna' });
    expect(session.account).toEqual(ANNA);
    expect(session.seats).toEqual([{ table: 't1', seat: 4 }]);
  });

  test('is a guest at once', async () => {
    session.start();
    room.socket.welcomes();
    answer(201, { account: ANNA, token: 'of Anna' });

    expect(await session.playAsGuest('  ')).toBeNull();
    expect(requests).toEqual([{ method: 'POST', path: '/api/v1/guests', token: null, body: {} }]);
    expect(session.account).toEqual(ANNA);
    expect(stored('token')).toBe('of Anna');

    room.socket.welcomes({ account: ANNA });
    expect(room.sockets).toHaveLength(2);
    expect(room.socket.last('hello')).toMatchObject({ token: 'of Anna' });
  });

  test('is an account, with a name and a password', async () => {
    session.start();
    answer(201, { account: ANNA, token: 'one' });
    answer(201, { account: ANNA, token: 'two' });
    expect(await session.register('Anna', 'correct horse')).toBeNull();
    expect(await session.logIn('Anna', 'correct horse')).toBeNull();

    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ['/api/v1/accounts', { name: 'Anna', password: 'correct horse' }],
      ['/api/v1/sessions', { name: 'Anna', password: 'correct horse' }],
    ]);
    expect(stored('token')).toBe('two');
  });

  test('stays as it was where the room refuses, which says why', async () => {
    session.start();
    const problem = { title: 'Conflict', status: 409, detail: 'another account has that name', code: 'name_taken' };
    answer(409, problem);

    expect(await session.register('Anna', 'correct horse')).toBe('Another account has that name');
    expect(session).toMatchObject({ account: null, busy: false });
    expect(stored('token')).toBeNull();
  });

  test('stays as it was where the room is not reached', async () => {
    session.start();

    expect(await session.playAsGuest()).toBe('The room cannot be reached');
  });

  test('is nobody again after logging out', async () => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: ANNA });
    answer(204, null);

    expect(await session.logOut()).toBeNull();
    expect(requests[0]).toMatchObject({ method: 'DELETE', path: '/api/v1/sessions/current', token: 'Bearer of Anna' });
    expect(session.account).toBeNull();
    expect(stored('token')).toBeNull();
    room.socket.welcomes();
    expect(room.socket.last('hello')).not.toHaveProperty('token');
  });
});

describe('chips', () => {
  test('are asked for once where many ask', async () => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: ANNA });
    answer(200, { account: { ...ANNA, chips: 9_000 }, seats: [{ table: 't1', seat: 2 }] });
    session.refresh();
    session.refresh();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(requests).toHaveLength(1);
    expect(session.account?.chips).toBe(9_000);
    expect(session.seats).toEqual([{ table: 't1', seat: 2 }]);
  });

  test('of whoever was here before are not those of who came then', async () => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: ANNA });
    let told = (_: Response): void => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((done) => (told = done)));
    session.refresh();
    await vi.advanceTimersByTimeAsync(1_000);
    storedElsewhere('of Bo');
    told(new Response(JSON.stringify({ account: ANNA, seats: [{ table: 't1', seat: 2 }] })));
    await vi.advanceTimersByTimeAsync(0);

    expect(session.account).toBeNull();
    expect(session.seats).toEqual([]);
  });

  test('of nobody are not asked for', async () => {
    session.start();
    session.refresh();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(requests).toHaveLength(0);
  });
});

describe('the banner', () => {
  beforeEach(() => {
    store('token', 'of Anna');
    session.start();
  });

  test('says nothing while the page opens', () => {
    expect(session.link.is).toBe('connecting');
    expect(session.banner).toBeNull();
  });

  test('says that the line is lost until it is back', () => {
    room.socket.welcomes({ account: ANNA });
    room.socket.closes(1006);
    expect(session.banner).toMatchObject({ kind: 'lost', act: null });
    vi.advanceTimersByTime(300);
    expect(session.banner?.kind).toBe('lost');
    room.socket.welcomes({ account: ANNA });

    expect(session.banner).toBeNull();
  });

  test('says that there is no network', () => {
    room.socket.welcomes({ account: ANNA });
    dispatchEvent(new Event('offline'));
    expect(session.banner).toBeNull();
    vi.advanceTimersByTime(3_000);
    expect(session.banner?.kind).toBe('offline');

    dispatchEvent(new Event('online'));
    room.socket.welcomes({ account: ANNA });
    expect(session.banner).toBeNull();
  });

  test('offers to use the account here after another page has taken it', () => {
    room.socket.welcomes({ account: ANNA });
    room.socket.closes(CLOSED.REPLACED);
    vi.advanceTimersByTime(60_000);
    expect(room.sockets).toHaveLength(1);
    expect(session.banner).toMatchObject({ kind: 'replaced', actText: 'Use it here' });

    session.banner?.act?.();
    room.socket.welcomes({ account: ANNA });
    expect(session.banner).toBeNull();
  });

  test('says that a token is good no longer, and the page looks on', () => {
    room.socket.closes(CLOSED.BAD_CREDENTIALS);
    expect(stored('token')).toBeNull();
    room.socket.welcomes();
    expect(session).toMatchObject({ account: null, banner: { kind: 'expired' } });

    session.banner?.act?.();
    flushSync();
    expect(session.banner).toBeNull();
  });

  test('asks to load a page again that is too old', () => {
    room.socket.closes(CLOSED.VERSION);

    expect(session.banner).toMatchObject({ kind: 'version', actText: 'Load again' });
  });

  test('says that the room restarts', () => {
    room.socket.welcomes({ account: ANNA });
    room.socket.says({ type: 'notice', kind: 'restart', at: 77 });

    expect(session.banner).toMatchObject({ kind: 'restart', at: 77 });
    room.socket.closes(CLOSED.GOING_AWAY);
    vi.advanceTimersByTime(5_000);
    room.socket.welcomes({ account: ANNA });
    expect(session.banner).toBeNull();
  });
});

describe('another tab', () => {
  beforeEach(() => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: ANNA });
  });

  test('that logs in has the line from then on', () => {
    storedElsewhere('of Bo');
    expect(session).toMatchObject({ account: null, banner: { kind: 'replaced' } });

    session.useHere();
    room.socket.welcomes();
    expect(room.socket.last('hello')).toMatchObject({ token: 'of Bo' });
  });

  test('that logs out logs out this one', () => {
    storedElsewhere(null);
    room.socket.welcomes();

    expect(session).toMatchObject({ account: null, banner: null });
    expect(room.socket.last('hello')).not.toHaveProperty('token');
  });

  test('that has logged in anew keeps its token when the old one of this tab is refused', () => {
    store('token', 'of Bo');
    room.socket.closes(CLOSED.BAD_CREDENTIALS);

    expect(stored('token')).toBe('of Bo');
  });
});

describe('what we may do', () => {
  const PLAYER = { ...ANNA, kind: 'player' } as const;

  test('is said with who we are', () => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: PLAYER });
    expect(session.role).toBe('player');

    room.socket.welcomes({ account: { ...PLAYER, role: 'host' } });
    expect(session.role).toBe('host');
  });

  test('is nothing more once we have left', async () => {
    session.start();
    answer(201, { account: { ...PLAYER, role: 'admin' }, token: 'of Anna' });
    await session.logIn('Anna', 'correct horse');
    expect(session.role).toBe('admin');

    answer(204, null);
    await session.logOut();
    expect(session.role).toBe('player');
  });
});

describe('what the operators say', () => {
  test('is kept until it is put away, the oldest not for ever', () => {
    session.start();
    room.socket.welcomes();
    for (const text of ['one', 'two', 'three', 'four']) room.socket.says({ type: 'notice', kind: 'announcement', text, at: 5 });
    expect(session.news.map(({ text }) => text)).toEqual(['two', 'three', 'four']);
    expect(session.news[0]).toMatchObject({ kind: 'announcement', at: 5, table: null });
    expect(session.banner).toBeNull();

    for (const news of [...session.news]) session.putAway(news);
    expect(session.news).toEqual([]);
  });

  test('to us alone or to a table is no announcement', () => {
    session.start();
    room.socket.welcomes();
    room.socket.says({ type: 'notice', kind: 'message', text: 'be kind' });

    expect(session.news[0]).toMatchObject({ kind: 'message', text: 'be kind' });
  });

  test('to us alone is not read by whoever comes after us', async () => {
    store('token', 'of Anna');
    session.start();
    room.socket.welcomes({ account: ANNA });
    room.socket.says({ type: 'notice', kind: 'message', text: 'your new password is on its way' });
    room.socket.says({ type: 'notice', kind: 'announcement', text: 'a new version tonight' });
    answer(204, null);
    await session.logOut();

    expect(session.news.map(({ text }) => text)).toEqual(['a new version tonight']);
  });
});
