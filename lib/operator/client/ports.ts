/** What the client asks of `fetch`. */
export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What the client reads of a response. */
export interface FetchReply {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The platform's `fetch`, or undici's with your own dispatcher: a pool, a proxy, mTLS. */
export type FetchPort = (url: string, init: FetchInit) => Promise<FetchReply>;

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
  readonly durationMs: number;
  readonly willRetry: boolean;
  /** The pause before the next attempt, if there is one. */
  readonly retryInMs?: number;
}
