/** A list that comes a page at a time, and what is known of its loading. The latest question alone is answered. */

import { reasonOf } from '../words';

export interface Page<Row> {
  rows: readonly Row[];
  next?: string | null | undefined;
}

export class Pages<Row> {
  rows = $state.raw<readonly Row[]>([]);
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  /** Why there is nothing, or no more of it. */
  why = $state<string | null>(null);
  busy = $state(false);
  #next = $state.raw<string | null>(null);
  #asked = 0;
  #pages = 0;

  constructor(private readonly ask: (cursor?: string) => Promise<Page<Row>>) {}

  /** There are rows after these. */
  get more(): boolean {
    return this.#next !== null;
  }

  /** From the first page. What is there stays until the answer comes. */
  async load(): Promise<void> {
    await this.#turn(undefined, (page) => {
      this.rows = page;
      this.#pages = 1;
    });
  }

  /** The first page again, unless the reader has gone on from it. */
  async refresh(): Promise<void> {
    if (this.#pages < 2 && !this.busy) await this.load();
  }

  async loadMore(): Promise<void> {
    if (this.#next === null || this.busy) return;
    await this.#turn(this.#next, (page) => {
      this.rows = [...this.rows, ...page];
      this.#pages += 1;
    });
  }

  async #turn(cursor: string | undefined, keep: (rows: readonly Row[]) => void): Promise<void> {
    const asked = (this.#asked += 1);
    this.busy = true;
    try {
      const { rows, next } = await this.ask(cursor);
      if (asked !== this.#asked) return;
      keep(rows);
      this.#next = next ?? null;
      this.status = 'ready';
      this.why = null;
    } catch (error) {
      const why = reasonOf(error);
      if (asked !== this.#asked) return;
      this.why = why;
      if (this.status === 'loading') this.status = 'failed';
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }
}
