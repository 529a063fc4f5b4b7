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
