import { fetchWhole } from '../../platform/http';
import type { FetchInit, FetchPort, FetchReply } from './ports';

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
