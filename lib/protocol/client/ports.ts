import { fetchWhole } from '../../platform/http/fetch-whole';

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

/** The platform's own, before a tracer or a test has put another in its place. */
const platformFetch = globalThis.fetch;

/**
 * What a client calls with unless its options say otherwise: the kept connections of `node:http` and `node:https`,
 * which take a fifth of the processor time of the platform's `fetch` (docs/performance.md). Where that was replaced since
 * the start, by a tracer or a test, the replacement is called.
 * @param maxReplyBytes Of a longer reply a little more than this is read.
 */
export function ownFetch(maxReplyBytes: number): FetchPort {
  return (url, init) =>
    globalThis.fetch === platformFetch
      ? fetchWithNode(url, init, maxReplyBytes)
      : globalThis.fetch(url, init);
}

async function fetchWithNode(
  url: string,
  { method, headers, body, signal }: FetchInit,
  maxReplyBytes: number,
): Promise<FetchReply> {
  const rawHeaders: string[] = [];
  for (const name of Object.keys(headers)) rawHeaders.push(name, headers[name] ?? '');
  const request = { method, target: '', rawHeaders, body: Buffer.from(body ?? '', 'utf8') };
  const reply = await fetchWhole(url, request, signal, maxReplyBytes);
  const get = (name: string): string | null => reply.headers[name.toLowerCase()] ?? null;
  return { status: reply.status, headers: { get }, body: null, whole: reply.body };
}
