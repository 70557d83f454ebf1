import { beforeEach, expect, test, vi } from 'vitest';
import { frames } from './frames';

let hidden: boolean;
let now = 0;
let asked: FrameRequestCallback[] = [];

beforeEach(() => {
  hidden = false;
  now += 1000;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((callback) => asked.push(callback));
});

/** The next one, so much later. */
function frame(ms = 16): void {
  now += ms;
  const callbacks = asked;
  asked = [];
  for (const callback of callbacks) callback(now);
}

test('what is asked for often is drawn once, with the next frame', () => {
  const draw = vi.fn();
  frames.request(draw);
  frames.request(draw);
  expect(draw).not.toHaveBeenCalled();
  frame();

  expect(draw).toHaveBeenCalledTimes(1);
  frame();
  frame();
  expect(draw).toHaveBeenCalledTimes(1);
});

test('what comes in a hurry is not drawn in every frame', () => {
  const draw = vi.fn();
  const drawn = Array.from({ length: 8 }, () => {
    frames.request(draw);
    frame();
    return draw.mock.calls.length;
  });

  expect(drawn).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
});

test('a hidden page has no frames: it draws at once', () => {
  hidden = true;
  const draw = vi.fn();
  frames.request(draw);

  expect(draw).toHaveBeenCalledTimes(1);
});

test('a page that is hidden before its frame comes draws then, and only once', () => {
  const draw = vi.fn();
  frames.request(draw);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(draw).toHaveBeenCalledTimes(1);
  frame();

  expect(draw).toHaveBeenCalledTimes(1);
});
