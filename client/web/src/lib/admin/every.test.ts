import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { everyWhile, onceTyped } from './every';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is typed is asked for once, when the last letter has come, whatever letter that is', () => {
  const ask = vi.fn(() => Promise.resolve());
  const typed = onceTyped(ask);
  for (let letter = 0; letter < 3; letter++) {
    typed();
    vi.advanceTimersByTime(100);
  }
  expect(ask).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);

  expect(ask).toHaveBeenCalledTimes(1);
});

test('what is looked at is asked for at once and again, until nobody looks', () => {
  const ask = vi.fn(() => Promise.resolve());
  const stop = everyWhile(ask);
  expect(ask).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(ask).toHaveBeenCalledTimes(2);

  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  vi.advanceTimersByTime(10_000);
  expect(ask).toHaveBeenCalledTimes(2);
  hidden.mockReturnValue(false);
  stop();
  vi.advanceTimersByTime(30_000);
  expect(ask).toHaveBeenCalledTimes(2);
});
