/** What was asked and has no answer yet, whichever line it was or will be said on. */

import type { ClientMessage, Ok } from '../wire';
import { Refusal } from './refusal';

/** Something to ask: a client's message without its id. */
export type Asked = ClientMessage extends infer M ? (M extends { id: string } ? Omit<M, 'id'> : never) : never;

export interface Asking {
  id: string;
  /** Rejects with Refusal alone. */
  answer: Promise<Ok>;
}

export interface Question {
  text: string;
  since: number;
  /** Said again on the next line. What only concerns this line is not. */
  again: boolean;
  done(ok: Ok): void;
  failed(refusal: Refusal): void;
}

export class Questions {
  readonly #open = new Map<string, Question>();

  /** Rejects with Refusal alone. */
  add(id: string, text: string, again: boolean): Promise<Ok> {
    return new Promise<Ok>((done, failed) => {
      this.#open.set(id, { text, since: Date.now(), again, done, failed });
    });
  }

  /** Every one, oldest first, as it is said. */
  texts(): string[] {
    return [...this.#open.values()].map(({ text }) => text);
  }

  /** The one that this is the answer to: it is open no more. */
  take(id: string | undefined): Question | undefined {
    const question = id === undefined ? undefined : this.#open.get(id);
    if (id !== undefined) this.#open.delete(id);
    return question;
  }

  /** No answer is waited for any more. */
  giveUp(which: (question: Question, id: string) => boolean): void {
    for (const [id, question] of [...this.#open]) {
      if (!which(question, id)) continue;
      this.#open.delete(id);
      question.failed(new Refusal('lost', 'the connection was lost: look at the table for what was done'));
    }
  }
}
