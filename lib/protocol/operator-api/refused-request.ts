import type { ErrorCode } from './catalogue';

/** A request that the protocol answers with an error object; nothing of it was processed. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';

  constructor(
    /** Stable code, see the catalogue (D8). */
    readonly code: ErrorCode,
    /** What is wrong, for the engineer. It names fields and never repeats the request. */
    readonly detail?: string,
    /** HTTP status of the answer. */
    readonly status: number = 400,
  ) {
    super(detail === undefined ? code : `${code}: ${detail}`);
  }
}
