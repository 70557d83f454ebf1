/** Whose talk this browser does not show. */

import { onStored, store, stored } from './storage';

const KEY = 'muted';
const MAX = 500;

class Mutes {
  #accounts = $state.raw<readonly string[]>(read());

  constructor() {
    onStored(KEY, () => (this.#accounts = read()));
  }

  has(account: string): boolean {
    return this.#accounts.includes(account);
  }

  get size(): number {
    return this.#accounts.length;
  }

  add(account: string): void {
    this.#keep([...this.#accounts.filter((other) => other !== account), account].slice(-MAX));
  }

  clear(): void {
    this.#keep([]);
  }

  #keep(accounts: readonly string[]): void {
    this.#accounts = accounts;
    store(KEY, accounts);
  }
}

function read(): readonly string[] {
  const kept = stored(KEY);
  return Array.isArray(kept) ? kept.filter((account) => typeof account === 'string') : [];
}

export const mutes = new Mutes();
