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
