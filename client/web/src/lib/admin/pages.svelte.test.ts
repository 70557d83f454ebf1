import { expect, test } from 'vitest';
import { Refusal } from '../refusal';
import { Pages, type Page } from './pages.svelte';

interface Asked {
  cursor: string | undefined;
  answer(page: Page<string>): void;
  refuse(refusal: Refusal): void;
}

function list(): { pages: Pages<string>; asked: Asked[] } {
  const asked: Asked[] = [];
  const pages = new Pages<string>(
    (cursor) => new Promise((answer, refuse) => asked.push({ cursor, answer, refuse })),
  );
  return { pages, asked };
}

const REFUSAL = new Refusal('forbidden', 'that takes an admin');

test('pages come one after the other, and stand below each other', async () => {
  const { pages, asked } = list();
  const first = pages.load();
  expect(pages.status).toBe('loading');
  asked[0]?.answer({ rows: ['a', 'b'], next: 'c' });
  await first;
  expect(pages).toMatchObject({ rows: ['a', 'b'], status: 'ready', more: true });

  const second = pages.loadMore();
  asked[1]?.answer({ rows: ['c'] });
  await second;
  expect(asked[1]?.cursor).toBe('c');
  expect(pages).toMatchObject({ rows: ['a', 'b', 'c'], more: false, busy: false });
  await pages.loadMore();
  expect(asked).toHaveLength(2);
});

test('what was asked before the latest question is not answered any more', async () => {
  const { pages, asked } = list();
  const [first, second] = [pages.load(), pages.load()];
  asked[1]?.answer({ rows: ['new'] });
  await second;
  asked[0]?.answer({ rows: ['old'] });
  await first;

  expect(pages.rows).toEqual(['new']);
});

test('why there is nothing is said in words, and what was there stays', async () => {
  const { pages, asked } = list();
  const first = pages.load();
  asked[0]?.refuse(REFUSAL);
  await first;
  expect(pages).toMatchObject({ status: 'failed', why: 'That takes an admin' });

  const second = pages.load();
  asked[1]?.answer({ rows: ['a'] });
  await second;
  const third = pages.refresh();
  asked[2]?.refuse(REFUSAL);
  await third;
  expect(pages).toMatchObject({ rows: ['a'], status: 'ready', why: 'That takes an admin' });
});

test('who has gone on to later pages is not thrown back', async () => {
  const { pages, asked } = list();
  const first = pages.load();
  asked[0]?.answer({ rows: ['a'], next: 'b' });
  await first;
  const second = pages.loadMore();
  asked[1]?.answer({ rows: ['b'], next: 'c' });
  await second;
  await pages.refresh();

  expect(asked).toHaveLength(2);
});
