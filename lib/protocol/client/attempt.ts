/** One attempt at a call, reported after its end. It holds nothing that must not be logged. */
export interface AttemptEvent {
  /** The operation, or the path of another call without its first slash. */
  readonly operation: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** `answered`: the call resolves to this reply. Otherwise `code` says what failed. */
  readonly outcome: 'answered' | 'failed';
  /** HTTP status, if a reply came. */
  readonly status?: number;
  /** The error's `code`, if the attempt failed. */
  readonly code?: string;
  /** X-Request-Id of the attempt, if the API has one (E2.5). */
  readonly requestId?: string;
  readonly durationMs: number;
  readonly willRetry: boolean;
  /** The pause before the next attempt, if there is one. */
  readonly retryInMs?: number;
}
