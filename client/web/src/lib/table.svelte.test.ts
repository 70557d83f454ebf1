import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event, Update } from '../wire';
import { folds, hand, seat, turn, update, view, you } from '../test/room';
import type { Follower } from './following';
import type { Asked, Asking } from './questions';
import { Refusal } from './refusal';
import type { Frames } from './frames';
import { LINES_MAX, TableState, type Line } from './table.svelte';

/** Draws when the test says so. */
class FakeFrames implements Frames {
  readonly waiting: (() => void)[] = [];
  request = (draw: () => void) => void this.waiting.push(draw);

  draw(): void {
    for (const draw of this.waiting.splice(0)) draw();
  }
}

/** Keeps what was asked, for the test to answer. */
class FakeLine implements Line {
  readonly asked: (Asked & { done(seq?: number): void; failed(refusal: Refusal): void })[] = [];
  follower: Follower | null = null;

  ask(asked: Asked): Asking {
    const id = String(this.asked.length + 1);
    const answer = new Promise<{ type: 'ok'; re: string; seq?: number }>((done, failed) => {
      const granted = (seq?: number) => done({ type: 'ok', re: id, ...(seq !== undefined && { seq }) });
      this.asked.push({ ...asked, done: granted, failed });
    });
    return { id, answer };
  }

  follow(_: string, follower: Follower): () => void {
    this.follower = follower;
    return () => (this.follower = null);
  }

  get last() {
    const asked = this.asked.at(-1);
    if (!asked) throw new Error('nothing was asked');
    return asked;
  }
}

let line: FakeLine;
let frames: FakeFrames;
let table: TableState;

beforeEach(() => {
  line = new FakeLine();
  frames = new FakeFrames();
  table = new TableState('t1', line, undefined, frames);
});

afterEach(() => {
  table.close();
});

function comes(...updates: Update[]): void {
  for (const update of updates) line.follower?.update(update);
}

function shows(...updates: Update[]): void {
  comes(...updates);
  frames.draw();
}

/** The promises of what was answered have run. */
function settled(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

const MY_TURN = { view: view({ hand: hand({ turn: turn(4) }) }), you: you('As', 'Kd') };
const TURN_OF_BO = { view: view({ hand: hand({ turn: turn(1) }) }), you: you('As', 'Kd') };

describe('an update', () => {
  test('is drawn with the next frame', () => {
    comes(update(1, MY_TURN));
    expect(table.status).toBe('connecting');
    expect(table.view).toBeNull();

    frames.draw();
    expect(table.status).toBe('live');
    expect(table).toMatchObject({ seq: 1, epoch: 1, you: { cards: ['As', 'Kd'] }, behind: false, drawn: 1 });
    expect(table.mySeat?.name).toBe('Anna');
    expect(table.myTurn?.actions.call).toBe(50);
  });

  test('of somebody else has no turn of mine', () => {
    shows(update(1, TURN_OF_BO));

    expect(table.turn?.seat).toBe(1);
    expect(table.myTurn).toBeNull();
  });

  test('waits for the same frame as the one after it: the last view counts, the log misses nothing', () => {
    comes(update(1), update(2, { events: [folds(1)] }), update(3, { ...MY_TURN, events: [folds(2)] }));
    expect(frames.waiting).toHaveLength(1);
    frames.draw();

    expect(table).toMatchObject({ seq: 3, behind: true, drawn: 1 });
    expect(table.myTurn).not.toBeNull();
    expect(table.events).toEqual([folds(1), folds(2)]);
    expect(table.log.map(({ text }) => text)).toEqual(['Bo folds', 'seat 2 folds']);
  });

  test('older than what is shown changes nothing', () => {
    shows(update(5, MY_TURN));
    shows(update(4, TURN_OF_BO));

    expect(table.seq).toBe(5);
    expect(table.myTurn).not.toBeNull();
  });

  test('of another history counts whatever its number', () => {
    shows(update(5, MY_TURN));
    shows(update(1, { ...TURN_OF_BO, epoch: 2 }));

    expect(table).toMatchObject({ epoch: 2, seq: 1 });
  });

  test('that comes twice is told once', () => {
    shows(update(5, { events: [folds(1)] }));
    shows(update(5, { events: [folds(1)] }));

    expect(table.log).toHaveLength(1);
    expect(table.events).toEqual([]);
  });

  test('with lost events says so in the log', () => {
    shows(update(5));
    shows(update(9, { lost: true, events: [folds(1)] }));

    expect(table.lost).toBe(true);
    expect(table.log.map(({ kind }) => kind)).toEqual(['gap', 'action']);
  });

  test('after the line was down makes the table live again', () => {
    shows(update(5));
    line.follower?.stale();
    expect(table.status).toBe('stale');
    shows(update(5));

    expect(table.status).toBe('live');
  });
});

describe('the log', () => {
  test('is capped, and keeps what people said apart', () => {
    const said: Event = { type: 'chatted', account: 'a1', name: 'Bo', text: 'hello' };
    for (let seq = 1; seq <= LINES_MAX + 10; seq += 1) shows(update(seq, { events: [folds(1), said] }));

    expect(table.log).toHaveLength(LINES_MAX);
    expect(table.talk).toHaveLength(LINES_MAX);
    expect(table.log.at(-1)?.text).toBe('Bo folds');
    expect(table.talk.at(-1)?.text).toBe('Bo: hello');
    expect(new Set([...table.log, ...table.talk].map(({ id }) => id)).size).toBe(2 * LINES_MAX);
  });

  test('calls people what they were called when it happened', () => {
    shows(update(1));
    const gone: Event = { type: 'left', seat: 1, account: 'a1', name: 'Bo', stack: 900 };
    const came: Event = { type: 'seated', seat: 1, account: 'a9', name: 'Cleo', stack: 500 };
    const after = view({ seats: [seat(1, 'Cleo'), seat(4, 'Anna')] });
    shows(update(2, { events: [folds(1), gone, came, folds(1)], view: after }));

    expect(table.log.map(({ text }) => text)).toEqual([
      'Bo folds',
      'Bo leaves with 900',
      'Cleo sits down with 500',
      'Cleo folds',
    ]);
  });

  test('knows who sat down where somebody else had been', () => {
    shows(update(1, { view: view({ seats: [seat(4, 'Bo')] }) }));
    const gone: Event = { type: 'left', seat: 4, account: 'a4', name: 'Bo', stack: 900 };
    const came: Event = { type: 'seated', seat: 4, account: 'a7', name: 'Anna', stack: 500 };
    shows(update(2, { events: [gone, came], you: you() }));
    const leaves: Event = { type: 'left', seat: 4, account: 'a7', name: 'Anna', stack: 400 };
    shows(update(3, { events: [leaves], view: view({ seats: [] }) }));

    expect(table.log.map(({ text }) => text)).toEqual(['Bo leaves with 900', 'You sit down with 500', 'You leave with 400']);
  });

  test('says you where it is you', () => {
    shows(update(1, MY_TURN));
    shows(update(2, { ...TURN_OF_BO, events: [folds(4)] }));

    expect(table.log.map(({ text, mine }) => [text, mine])).toEqual([['You fold', true]]);
  });
});

describe('acting', () => {
  beforeEach(() => shows(update(1, MY_TURN)));

  test('answers the turn on the screen', () => {
    void table.act('raise', 180);

    expect(line.last).toMatchObject({ type: 'act', table: 't1', hand: 'h1', turn: 'h1-4', action: 'raise', to: 180 });
    expect(table.pending).toEqual({ action: 'raise', to: 180, id: '1', turn: 'h1-4' });
  });

  test('is pending until the update that shows it, though the answer comes first', async () => {
    const acted = table.act('fold');
    line.last.done(3);
    expect(await acted).toBe(true);
    expect(table.pending).not.toBeNull();

    shows(update(2, MY_TURN));
    expect(table.pending).not.toBeNull();
    shows(update(3, TURN_OF_BO));
    expect(table.pending).toBeNull();
  });

  test('is not pending any more when the update comes before the answer', async () => {
    const acted = table.act('fold');
    shows(update(2, TURN_OF_BO));
    expect(table.pending).toBeNull();

    line.last.done(2);
    expect(await acted).toBe(true);
    expect(table.pending).toBeNull();
  });

  test('a second time before the answer does nothing', () => {
    void table.act('call');
    void table.act('fold');

    expect(line.asked).toHaveLength(1);
  });

  test('without a turn does nothing', async () => {
    shows(update(2, TURN_OF_BO));

    expect(await table.act('fold')).toBe(false);
    expect(line.asked).toHaveLength(0);
  });

  test('refused says why, and the turn is still open', async () => {
    const acted = table.act('raise', 20);
    line.last.failed(new Refusal('bad_amount', 'raise to 20 is below the minimum of 110', { min: 110, max: 1000 }));

    expect(await acted).toBe(false);
    expect(table.pending).toBeNull();
    expect(table.refusal).toMatchObject({
      command: 'act',
      code: 'bad_amount',
      text: 'Raise to 20 is below the minimum of 110',
    });

    void table.act('raise', 110);
    expect(table.refusal).toBeNull();
  });

  test('refused is forgotten when the next turn comes', async () => {
    const acted = table.act('fold');
    line.last.failed(new Refusal('stale_turn', 'that turn is over'));
    await acted;
    shows(update(2, TURN_OF_BO));
    expect(table.refusal).not.toBeNull();

    shows(update(3, { ...MY_TURN, view: view({ hand: hand({ id: 'h2', turn: turn(4, { id: 'h2-1' }) }) }) }));
    expect(table.refusal).toBeNull();
  });

  test('an answer to an old turn does not touch the next one', async () => {
    const first = table.act('call');
    shows(update(2, { ...MY_TURN, view: view({ hand: hand({ turn: turn(4, { id: 'h1-9' }) }) }) }));
    expect(table.pending).toBeNull();
    void table.act('fold');
    line.asked[0]?.done(2);
    await first;

    expect(table.pending).toMatchObject({ action: 'fold', turn: 'h1-9' });
  });
});

describe('other commands', () => {
  beforeEach(() => shows(update(1, TURN_OF_BO)));

  test('go to the table, and are busy until they are answered', async () => {
    const sat = table.sit(null, 500, true);
    expect(line.last).toMatchObject({ type: 'sit', table: 't1', buy_in: 500, post_now: true });
    expect(line.last).not.toHaveProperty('seat');
    expect(line.last).not.toHaveProperty('join_code');
    expect(table.asking.has('sit')).toBe(true);
    line.last.done(2);

    expect(await sat).toBe(true);
    expect(table.asking.size).toBe(0);
  });

  test('one of a kind at a time, of different kinds at once', () => {
    void table.sitOut();
    void table.sitOut();
    void table.leave();

    expect(line.asked.map(({ type }) => type)).toEqual(['sit_out', 'leave']);
  });

  test('refused say which it was', async () => {
    const left = table.leave();
    line.last.failed(new Refusal('not_seated', 'you have no seat at this table'));

    expect(await left).toBe(false);
    expect(table.refusal).toMatchObject({ command: 'leave', text: 'You have no seat at this table' });
    table.dismiss();
    expect(table.refusal).toBeNull();
  });

  test('refused say until when', async () => {
    const until = new Date().setHours(23, 59);
    const said = table.chat('buy my book');
    line.last.failed(new Refusal('forbidden', 'you are muted: spam', { reason: 'spam', until }));

    expect(await said).toBe(false);
    expect(table.refusal?.text).toBe('You are muted: spam (until 23:59)');
  });

  test('refused say what amount would do', async () => {
    const sat = table.sit(null, 1000, true);
    line.last.failed(new Refusal('bad_amount', 'a buy-in of 1000 is outside 1500 to 1500', { min: 1500, max: 1500 }));

    expect(await sat).toBe(false);
    expect(table.refusal?.bounds).toEqual({ min: 1500, max: 1500 });
  });

  test('refused for another reason know no amount', async () => {
    const sat = table.sit(null, 1000, true);
    line.last.failed(new Refusal('table_full', 'all 6 seats are taken'));

    expect(await sat).toBe(false);
    expect(table.refusal?.bounds).toBeNull();
  });

  test('a seat, and the code of the invitation, are sent where they are known', () => {
    table.joinCode = 'sesame';
    void table.sit(3, 500, false);

    expect(line.last).toMatchObject({ seat: 3, join_code: 'sesame' });
  });

  test('the code that was typed is known once it was right', async () => {
    const wrong = table.sit(3, 500, false, 'open');
    line.last.failed(new Refusal('forbidden', "that is not this table's join code"));
    await wrong;
    expect(table.joinCode).toBeNull();

    const right = table.sit(3, 500, false, 'sesame');
    line.last.done(2);
    await right;
    expect(table.joinCode).toBe('sesame');
  });

  test('each says what the protocol wants', async () => {
    shows(update(2, { ...TURN_OF_BO, you: { ...you('As', 'Kd'), to_call: 40 } }));
    for (const ask of [
      () => table.arm('call'),
      () => table.disarm(),
      () => table.sitIn(true),
      () => table.topUp(300),
      () => table.show(['As']),
      () => table.chat('hello'),
    ]) {
      void ask();
      line.last.done();
      await settled();
    }

    expect(line.asked).toMatchObject([
      { type: 'arm', table: 't1', hand: 'h1', action: 'call', to_call: 40 },
      { type: 'disarm', table: 't1', hand: 'h1' },
      { type: 'sit_in', table: 't1', post_now: true },
      { type: 'top_up', table: 't1', amount: 300 },
      { type: 'show', table: 't1', hand: 'h1', cards: ['As'] },
      { type: 'chat', table: 't1', text: 'hello' },
    ]);
  });

  test('a pre-action needs a price to be meant for', async () => {
    expect(await table.arm('call')).toBe(false);
    expect(line.asked).toHaveLength(0);
  });
});

describe('a table that goes', () => {
  test('is gone when it is closed', () => {
    shows(update(1));
    shows(update(2, { events: [{ type: 'table_closed', reason: 'good night' }] }));

    expect(table).toMatchObject({ status: 'gone', goneBecause: 'table_closed' });
    expect(table.view).not.toBeNull();
  });

  test('is nobody\'s turn any more, also where the line was down when it went', () => {
    shows(update(1, MY_TURN));
    line.follower?.refused(new Refusal('not_found', 'no such table'));

    expect(table).toMatchObject({ gone: true, you: null, mySeat: null, myTurn: null });
    expect(table.view).not.toBeNull();
  });

  test('is gone when the room does not know it', () => {
    line.follower?.refused(new Refusal('not_found', 'no such table'));

    expect(table).toMatchObject({ status: 'gone', goneBecause: 'not_found', view: null });
  });

  test('is not drawn any more once it is closed here', () => {
    comes(update(1));
    table.close();
    frames.draw();

    expect(table.view).toBeNull();
    expect(line.follower).toBeNull();
  });
});
