import type { ErrorCode } from './catalogue';

/** A request that the protocol answers with an error object; nothing of it was processed. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';

  constructor(
    /** Stable code, see the catalogue (D8). */
    readonly code: ErrorCode,
    /** What is wrong, for the engineer; names fields, never repeats what came in. */
    readonly detail?: string,
    /** HTTP status of the answer. */
    readonly status: number = 400,
  ) {
    super(detail === undefined ? code : `${code}: ${detail}`);
  }
}

/** A store did not answer, or not in time: what was asked may or may not have happened. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'STOREUNAVAILABLE';
}

/** A store whose server or settings do not keep what the store promises. */
export class StoreUnsafeError extends Error {
  override readonly name = 'StoreUnsafeError';
  readonly code = 'STOREUNSAFE';
}
