import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerClock } from './clock';

const SERVER = 1_795_968_000_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** The server says its time, so many milliseconds after it was asked; half of that is the way back. */
function measured(clock: ServerClock, time: number, roundTrip: number): void {
  const sent = performance.now();
  vi.advanceTimersByTime(roundTrip);
  clock.heard(time, sent, performance.now());
}

test('the time of the server goes on with the monotonic clock, whatever the clock of this machine says', () => {
  const clock = new ServerClock();
  measured(clock, SERVER, 0);
  vi.setSystemTime(0);
  vi.advanceTimersByTime(1_500);

  expect(clock.now()).toBe(SERVER + 1_500);
});

test('the answer was half a round trip old when it came', () => {
  const clock = new ServerClock();
  measured(clock, SERVER, 100);

  expect(clock.now()).toBe(SERVER + 50);
});

test('the quickest of the last answers counts', () => {
  const clock = new ServerClock();
  measured(clock, SERVER, 20);
  const right = clock.offsetMs;
  measured(clock, SERVER, 2_000);

  expect(clock.offsetMs).toBe(right);
});

test('old measurements are forgotten, as clocks drift', () => {
  const clock = new ServerClock();
  measured(clock, SERVER, 10);
  for (let later = 0; later < 8; later += 1) measured(clock, SERVER + 60_000, 40);

  expect(clock.now()).toBe(SERVER + 60_000 + 20);
});

test('after a sleep what was measured before counts no more', () => {
  const clock = new ServerClock();
  measured(clock, SERVER, 10);
  clock.doubt();
  measured(clock, SERVER + 3_600_000, 80);

  expect(clock.now()).toBe(SERVER + 3_600_000 + 40);
});

test('what is left of a turn ends at nothing', () => {
  const clock = new ServerClock();
  measured(clock, SERVER, 0);
  expect(clock.left(SERVER + 2_000)).toBe(2_000);
  vi.advanceTimersByTime(2_500);
  expect(clock.left(SERVER + 2_000)).toBe(0);
});

test('before the first answer the clock of this machine has to do', () => {
  const clock = new ServerClock();
  vi.setSystemTime(SERVER);

  expect(clock.now()).toBeCloseTo(SERVER, 3);
});
