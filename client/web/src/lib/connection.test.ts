import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSED, type Notice, type Update } from '../wire';
import { FakeRoom, update } from '../test/room';
import { Connection, type Credentials, type Link } from './connection';
import type { Follower } from './following';
import { Refusal } from './refusal';

let room: FakeRoom;
let links: Link[];
let notices: Notice[];
let times: number[][];
let woken: number;
let who: Credentials;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  room = new FakeRoom();
  links = [];
  notices = [];
  times = [];
  woken = 0;
  who = { token: 'of Anna' };
  const listener = {
    link: (link: Link) => links.push(link),
    notice: (notice: Notice) => notices.push(notice),
    time: (...given: number[]) => times.push(given),
    woke: () => (woken += 1),
  };
  connection = new Connection('ws://room/api/v1/ws', () => who, listener, room);
});

afterEach(() => {
  vi.useRealTimers();
});

function open(): void {
  connection.open();
  room.socket.welcomes();
}

class Spy implements Follower {
  updates: Update[] = [];
  staleTimes = 0;
  refusals: Refusal[] = [];
  update = (update: Update) => this.updates.push(update);
  stale = () => (this.staleTimes += 1);
  refused = (refusal: Refusal) => this.refusals.push(refusal);
}

async function refusal(answer: Promise<unknown>): Promise<Refusal> {
  const error = await answer.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof Refusal)) throw new Error('it was not refused');
  return error;
}

describe('hello', () => {
  test('comes first, with the token of the moment, and welcome opens the line', () => {
    connection.open();
    room.socket.onopen?.();

    expect(room.socket.sent).toEqual([expect.objectContaining({ type: 'hello', protocol: 1, token: 'of Anna' })]);
    expect(connection.link.is).toBe('connecting');

    room.socket.welcomes();
    expect(connection.link).toMatchObject({ is: 'open', welcome: { connection: 'c1' } });
  });

  test('of a spectator has no credentials', () => {
    who = {};
    open();

    expect(room.socket.last('hello')).not.toHaveProperty('token');
  });

  test('tells what time it is at the server', () => {
    connection.open();
    room.socket.onopen?.();
    const sent = performance.now();
    vi.advanceTimersByTime(40);
    room.socket.says({ type: 'pong', re: room.socket.last('hello').id, time: 5_000 });

    expect(times).toEqual([[5_000, sent, sent + 40]]);
  });

  test('without an answer is tried again on another socket', () => {
    connection.open();
    room.socket.onopen?.();
    vi.advanceTimersByTime(10_000);

    expect(room.sockets[0]?.closed).toBe(true);
    expect(connection.link.is).toBe('waiting');

    vi.advanceTimersByTime(1_000);
    expect(room.sockets).toHaveLength(2);
  });
});

describe('asking', () => {
  test('gets the answer with its id, whatever the order', async () => {
    open();
    const first = connection.ask({ type: 'leave', table: 't1' });
    const second = connection.ask({ type: 'sit', table: 't2', buy_in: 500 });
    room.socket.says({ type: 'ok', re: second.id, seat: 4, seq: 9 });
    room.socket.says({ type: 'error', re: first.id, code: 'not_seated', message: 'you have no seat', details: { a: 1 } });

    expect(await second.answer).toMatchObject({ seat: 4, seq: 9 });
    expect(await refusal(first.answer)).toMatchObject({ code: 'not_seated', text: 'you have no seat', details: { a: 1 } });
    expect(first.id).not.toBe(second.id);
  });

  test('before the line is open waits for it', async () => {
    connection.open();
    const { answer } = connection.ask({ type: 'leave', table: 't1' });
    expect(room.socket.sent).toEqual([]);

    room.socket.welcomes();
    room.socket.grants('leave', { seq: 3 });

    expect(await answer).toMatchObject({ seq: 3 });
  });

  test('is said again under the same id when the line comes back without an answer', async () => {
    open();
    const { id, answer } = connection.ask({ type: 'leave', table: 't1' });
    room.socket.closes(1006);
    vi.advanceTimersByTime(1_000);
    room.socket.welcomes();

    expect(room.socket.all('leave')).toEqual([{ type: 'leave', table: 't1', id }]);
    room.socket.grants('leave');
    expect(await answer).toMatchObject({ re: id });
  });

  test('is not said again when it was answered', async () => {
    open();
    const { answer } = connection.ask({ type: 'leave', table: 't1' });
    room.socket.grants('leave');
    await answer;
    room.socket.closes(1006);
    vi.advanceTimersByTime(1_000);
    room.socket.welcomes();

    expect(room.socket.all('leave')).toEqual([]);
  });

  test('is given up when the line was down for a minute', async () => {
    open();
    const lost = refusal(connection.ask({ type: 'leave', table: 't1' }).answer);
    room.socket.closes(1006);
    vi.advanceTimersByTime(62_000);

    expect((await lost).code).toBe('lost');
    connection.hurry();
    room.socket.welcomes();
    expect(room.socket.all('leave')).toEqual([]);
  });

  test('is given up when somebody else takes over this page', async () => {
    open();
    const lost = refusal(connection.ask({ type: 'leave', table: 't1' }).answer);
    who = { token: 'of Bo' };
    connection.open();
    room.socket.welcomes();

    expect((await lost).code).toBe('lost');
    expect(room.socket.all('leave')).toEqual([]);
    expect(room.socket.last('hello')).toMatchObject({ token: 'of Bo' });
  });

  test('on a stopped line is refused at once', async () => {
    open();
    room.socket.closes(CLOSED.REPLACED);

    expect((await refusal(connection.ask({ type: 'leave', table: 't1' }).answer)).code).toBe('lost');
  });
});

describe('following', () => {
  test('asks to watch, and hears of that table alone', () => {
    open();
    const [mine, other] = [new Spy(), new Spy()];
    connection.follow('t1', mine);
    connection.follow('t2', other);
    room.socket.says(update(7));

    expect(room.socket.all('watch').map(({ table }) => table)).toEqual(['t1', 't2']);
    expect(mine.updates.map(({ seq }) => seq)).toEqual([7]);
    expect(other.updates).toEqual([]);
  });

  test('goes on from the last update after the line was down, and says so in between', () => {
    const spy = new Spy();
    connection.follow('t1', spy);
    open();
    expect(room.socket.last('watch')).not.toHaveProperty('since');
    room.socket.says(update(7, { epoch: 2 }));
    room.socket.closes(1006);
    expect(spy.staleTimes).toBe(1);

    vi.advanceTimersByTime(1_000);
    room.socket.welcomes();
    expect(room.socket.all('watch')).toEqual([
      expect.objectContaining({ table: 't1', since: { epoch: 2, seq: 7 } }),
    ]);
  });

  test('ends when it is told to, and hears nothing late', () => {
    open();
    const spy = new Spy();
    const unfollow = connection.follow('t1', spy);
    unfollow();
    room.socket.says(update(7));

    expect(room.socket.last('unwatch')).toMatchObject({ table: 't1' });
    expect(spy.updates).toEqual([]);
  });

  test('a table that is not there ends it', async () => {
    open();
    const spy = new Spy();
    connection.follow('t1', spy);
    room.socket.says({ type: 'error', re: room.socket.last('watch').id, code: 'not_found', message: 'no such table' });
    await vi.advanceTimersByTimeAsync(0);

    expect(spy.refusals.map(({ code }) => code)).toEqual(['not_found']);
  });

  test('a busy room is asked again after a moment', async () => {
    open();
    const spy = new Spy();
    connection.follow('t1', spy);
    room.socket.says({ type: 'error', re: room.socket.last('watch').id, code: 'rate_limited', message: 'too fast' });
    await vi.advanceTimersByTimeAsync(2_000);

    expect(room.socket.all('watch')).toHaveLength(2);
    expect(spy.refusals).toEqual([]);
  });
});

describe('a line that ends', () => {
  test('is tried again, later and later, up to a limit', () => {
    connection.open();
    const waits = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const before = Date.now();
      const sockets = room.sockets.length;
      room.socket.closes(1006);
      while (room.sockets.length === sockets) vi.advanceTimersByTime(10);
      waits.push(Date.now() - before);
    }

    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  test('at random, so that not everybody comes at once', () => {
    const waits = [0, 0.9].map((random) => {
      room.random = () => random;
      connection.open();
      room.socket.closes(CLOSED.GOING_AWAY);
      const before = Date.now();
      const sockets = room.sockets.length;
      while (room.sockets.length === sockets) vi.advanceTimersByTime(5);
      return Date.now() - before;
    });

    expect(waits[0]).toBe(125);
    expect(waits[1]).toBeGreaterThan(2_000);
  });

  test('begins with short waits again once it has held for a while', () => {
    connection.open();
    for (let tries = 0; tries < 4; tries += 1) {
      room.socket.closes(1006);
      vi.advanceTimersByTime(15_000);
    }
    room.socket.welcomes();
    vi.advanceTimersByTime(10_000);
    room.socket.closes(1006);
    const sockets = room.sockets.length;
    vi.advanceTimersByTime(260);

    expect(room.sockets).toHaveLength(sockets + 1);
  });

  test.each([
    [CLOSED.REPLACED, 'replaced'],
    [CLOSED.BAD_CREDENTIALS, 'credentials'],
    [CLOSED.VERSION, 'version'],
    [CLOSED.KICKED, 'kicked'],
  ])('with %i stays closed until it is opened again', (code, why) => {
    open();
    room.socket.closes(code);
    connection.hurry();
    vi.advanceTimersByTime(600_000);

    expect(connection.link).toEqual({ is: 'stopped', why });
    expect(room.sockets).toHaveLength(1);

    connection.open();
    room.socket.welcomes();
    expect(connection.link.is).toBe('open');
  });

  test('says why the room did not let us in', () => {
    connection.open();
    room.socket.onopen?.();
    const re = room.socket.last('hello').id;
    room.socket.says({ type: 'error', re, code: 'forbidden', message: 'this account is banned: two at once', details: { reason: 'two at once' } });
    room.socket.closes(CLOSED.KICKED);

    expect(connection.link).toMatchObject({ is: 'stopped', why: 'kicked', refusal: { code: 'forbidden', details: { reason: 'two at once' } } });
  });

  test.each([CLOSED.TOO_SLOW, CLOSED.NO_HEARTBEAT, CLOSED.GOING_AWAY, CLOSED.NO_HELLO, 1001])(
    'with %i comes back by itself',
    (code) => {
      open();
      room.socket.closes(code);
      vi.advanceTimersByTime(5_000);

      expect(room.sockets).toHaveLength(2);
    },
  );

  test('does not wait when the network is back', () => {
    connection.open();
    for (let tries = 0; tries < 7; tries += 1) {
      room.socket.closes(1006);
      vi.advanceTimersByTime(15_000);
    }
    room.socket.closes(1006);
    const sockets = room.sockets.length;
    connection.hurry();

    expect(room.sockets).toHaveLength(sockets + 1);
  });
});

describe('the heartbeat', () => {
  test('is a ping for each ten seconds in which nothing was sent', () => {
    open();
    vi.advanceTimersByTime(9_000);
    expect(room.socket.all('ping')).toHaveLength(0);
    connection.ask({ type: 'leave', table: 't1' });
    vi.advanceTimersByTime(9_000);
    expect(room.socket.all('ping')).toHaveLength(0);
    vi.advanceTimersByTime(2_000);
    expect(room.socket.all('ping')).toHaveLength(1);
  });

  test('is as often as the room asks for', () => {
    connection.open();
    room.socket.welcomes({ heartbeat_seconds: 3 });
    vi.advanceTimersByTime(3_000);

    expect(room.socket.all('ping')).toHaveLength(1);
  });

  test('goes on when the clock of this machine is set back', () => {
    open();
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(2_000);
    room.socket.says({ type: 'pong', re: room.socket.last('ping').id, time: 1 });
    vi.advanceTimersByTime(11_000);

    expect(room.socket.all('ping')).toHaveLength(2);
    expect(room.sockets).toHaveLength(1);
  });

  test('without an answer for long means that the line is dead', () => {
    open();
    vi.advanceTimersByTime(26_000);

    expect(room.sockets[0]?.closed).toBe(true);
    expect(room.sockets).toHaveLength(2);
  });

  test('with answers goes on for ever, and measures the time', () => {
    open();
    for (let beats = 0; beats < 10; beats += 1) {
      vi.advanceTimersByTime(10_000);
      room.socket.says({ type: 'pong', re: room.socket.last('ping').id, time: 1 });
    }

    expect(room.sockets).toHaveLength(1);
    expect(times).toHaveLength(11);
  });
});

describe('a machine that slept', () => {
  function sleep(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
    vi.advanceTimersByTime(1_000);
  }

  test('asks at once whether the line is still there', () => {
    open();
    sleep(3_600_000);

    expect(woken).toBe(1);
    expect(room.socket.all('ping')).toHaveLength(1);
  });

  test('keeps a line that answers', () => {
    open();
    sleep(3_600_000);
    room.socket.says({ type: 'pong', re: room.socket.last('ping').id, time: 1 });
    vi.advanceTimersByTime(5_000);

    expect(room.sockets).toHaveLength(1);
  });

  test('takes another where it does not', () => {
    open();
    sleep(3_600_000);
    vi.advanceTimersByTime(4_000);

    expect(room.sockets).toHaveLength(2);
  });
});

test('going offline makes sure that the line is dead before it takes another', () => {
  open();
  connection.suspect();
  expect(room.socket.all('ping')).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  expect(room.sockets).toHaveLength(1);
  vi.advanceTimersByTime(2_000);

  expect(room.sockets).toHaveLength(2);
});

test('a notice is told, and what a newer server may say is not minded', () => {
  open();
  room.socket.says({ type: 'notice', kind: 'restart', at: 5 });
  room.socket.onmessage?.({ data: '{"type":"weather","rain":true}' });

  expect(notices).toEqual([{ type: 'notice', kind: 'restart', at: 5 }]);
});
