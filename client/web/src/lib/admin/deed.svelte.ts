/** Something an admin does: once, however often the button is pressed or the line is lost, and with what was refused. */

import { Refusal } from '../connection';
import { refusalText } from '../words';

export class Deed {
  busy = $state(false);
  /** Why it was not done. */
  why = $state<string | null>(null);
  #open: { key: string; asked: string } | null = null;

  /**
   * True: it is done. `todo` gets a key that stays the same for the same `asked` while nobody knows whether it was done:
   * the room does it once. After an answer, also one that refuses, the next is another.
   */
  async run(asked: unknown, todo: (key: string) => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.why = null;
    const text = JSON.stringify(asked);
    if (this.#open?.asked !== text) this.#open = { key: newKey(), asked: text };
    try {
      await todo(this.#open.key);
      this.#open = null;
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'lost') this.#open = null;
      this.why = refusalText(error.code, error.text, error.details);
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
