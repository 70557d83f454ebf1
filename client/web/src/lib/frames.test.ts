import { beforeEach, expect, test, vi } from 'vitest';
import { frames } from './frames';

let hidden: boolean;

beforeEach(() => {
  hidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});

function frame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

test('what is asked for often is drawn once, with the next frame', async () => {
  const draw = vi.fn();
  frames.request(draw);
  frames.request(draw);
  expect(draw).not.toHaveBeenCalled();
  await frame();

  expect(draw).toHaveBeenCalledTimes(1);
  frames.request(draw);
  await frame();
  expect(draw).toHaveBeenCalledTimes(2);
});

test('a hidden page has no frames: it draws at once', () => {
  hidden = true;
  const draw = vi.fn();
  frames.request(draw);

  expect(draw).toHaveBeenCalledTimes(1);
});

test('a page that is hidden before its frame comes draws then, and only once', async () => {
  const draw = vi.fn();
  frames.request(draw);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(draw).toHaveBeenCalledTimes(1);
  await frame();

  expect(draw).toHaveBeenCalledTimes(1);
});
