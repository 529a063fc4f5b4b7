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
  /** Where the client looks for x-h-error-id, if it is set. */
  readonly headers?: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The whole body, for a fetch that has it at once: then `body` is not read. */
  readonly whole?: Uint8Array;
}

/** A `fetch`: the platform's, or undici's with your own dispatcher: a pool, a proxy, mTLS. */
export type FetchPort = (url: string, init: FetchInit) => Promise<FetchReply>;
