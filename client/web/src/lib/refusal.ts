/** What the room says no with, on the socket and over HTTP. */

import type { ErrorCode } from '../wire';

/** The line was down for too long, or HTTP brought no answer: nobody knows whether it was done. */
export type Unanswered = 'lost' | 'unreached';

/** The server's `error`, or no answer. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode | Unanswered,
    readonly text: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${code}: ${text}`);
  }
}
