/**
 * Why a journal cannot be used: its folder or file cannot be opened, another process uses it, it is
 * damaged, a write failed, or it is closed.
 */
export type JournalErrorCode = 'CANNOT_OPEN' | 'LOCKED' | 'DAMAGED' | 'WRITE_FAILED' | 'CLOSED';

/** A journal that cannot be used; `message` says what to do (B4). */
export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    readonly code: JournalErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What every append after a failed one rejects with: what is durable is unknown (B4). */
export function writeFailed(cause: unknown): JournalError {
  const message = 'An append to the journal failed: it takes no more until it is opened again.';
  return new JournalError('WRITE_FAILED', message, { cause });
}

/** What a closed journal rejects with. */
export function closed(): JournalError {
  return new JournalError('CLOSED', 'The journal is closed.');
}
