/** What the room says no with, on the socket and over HTTP. */

import type { ErrorCode } from '../wire';

/** The server's `error`, or `lost`: the line was down for too long and nobody knows whether it was done. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode | 'lost',
    readonly text: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${code}: ${text}`);
  }
}
