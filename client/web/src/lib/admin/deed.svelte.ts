/** Something an admin does: once, however often the button is pressed or the line is lost, and with what was refused. */

import { Refusal } from '../refusal';
import { reasonOf } from '../words';

/** It may have been done, or be done yet: no answer came, something in between gave it, or the first try still runs. */
const OPEN_CODES: ReadonlySet<string> = new Set(['unreached', 'internal', 'bad_message']);

export class Deed {
  busy = $state(false);
  /** Why it was not done. */
  why = $state<string | null>(null);
  #open: { key: string; at: number; asked: string } | null = null;

  /**
   * True: it is done. `todo` gets a key, and the time when it was first asked for: both stay the same for the same
   * `asked` while nobody knows whether it was done, so that the room is asked the very same and does it once. After an
   * answer that says so, also one that refuses, the next is another.
   */
  async run(asked: unknown, todo: (key: string, at: number) => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.why = null;
    const text = JSON.stringify(asked);
    if (this.#open?.asked !== text) this.#open = { key: newKey(), at: Date.now(), asked: text };
    try {
      await todo(this.#open.key, this.#open.at);
      this.#open = null;
      return true;
    } catch (error) {
      this.why = reasonOf(error);
      if (error instanceof Refusal && !OPEN_CODES.has(error.code)) this.#open = null;
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** Unlikely to be given twice; `crypto.randomUUID` is only for pages that came over TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
