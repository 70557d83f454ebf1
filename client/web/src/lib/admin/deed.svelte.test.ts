import { expect, test, vi } from 'vitest';
import { Refusal } from '../refusal';
import { Deed } from './deed.svelte';

const LOST = new Refusal('unreached', 'the room cannot be reached');
const REFUSED = new Refusal('insufficient_chips', 'the account has not 50 chips');

/** Does it, and keeps the key that it was given. */
async function run(deed: Deed, asked: unknown, refusal: Refusal | null, keys: string[]): Promise<boolean> {
  return deed.run(asked, (key) => {
    keys.push(key);
    return refusal ? Promise.reject(refusal) : Promise.resolve();
  });
}

test('a key is the same while nobody knows whether it was done, and another after an answer', async () => {
  const [deed, keys] = [new Deed(), [] as string[]];
  expect(await run(deed, 100, LOST, keys)).toBe(false);
  expect(await run(deed, 100, null, keys)).toBe(true);
  expect(await run(deed, 100, REFUSED, keys)).toBe(false);
  expect(await run(deed, 100, null, keys)).toBe(true);

  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

test.each(['internal', 'bad_message'] as const)('after %s too nobody knows whether it was done', async (code) => {
  const [deed, keys] = [new Deed(), [] as string[]];
  await run(deed, 100, new Refusal(code, 'that is being done now: ask again'), keys);
  await run(deed, 100, null, keys);

  expect(new Set(keys).size).toBe(1);
});

test('asked again, it is the very same, with the time of the first', async () => {
  const [deed, times] = [new Deed(), [] as number[]];
  const clock = vi.spyOn(Date, 'now');
  for (const now of [1000, 2000]) {
    clock.mockReturnValue(now);
    await deed.run('a day', (_, at) => {
      times.push(at);
      return Promise.reject(LOST);
    });
  }

  expect(times).toEqual([1000, 1000]);
});

test('something else is asked for under another key', async () => {
  const [deed, keys] = [new Deed(), [] as string[]];
  await run(deed, [100, 'raffle'], LOST, keys);
  await run(deed, [200, 'raffle'], LOST, keys);

  expect(new Set(keys).size).toBe(2);
});

test('why it was not done is said until it is tried again', async () => {
  const [deed, keys] = [new Deed(), [] as string[]];
  await run(deed, 1, REFUSED, keys);
  expect(deed).toMatchObject({ busy: false, why: 'The account has not 50 chips' });

  await run(deed, 1, null, keys);
  expect(deed.why).toBeNull();
});

test('pressing twice does it once', async () => {
  const deed = new Deed();
  let done = 0;
  let answer = (): void => undefined;
  const slow = (): Promise<void> => {
    done += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const [first, second] = [deed.run(1, slow), deed.run(1, slow)];
  expect(deed.busy).toBe(true);
  expect(await second).toBe(false);
  answer();

  expect(await first).toBe(true);
  expect(done).toBe(1);
});
