import { createMemoryExchange } from './memory-server';
import type { RequestListener } from './routes';

/** What a request in memory may say, as for `fetch`. */
export interface MemoryFetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Redirects are never followed. */
  readonly redirect?: 'manual';
}

/** `fetch` of a listener: real HTTP, without a port. */
export type MemoryFetch = (url: string | URL, init?: MemoryFetchInit) => Promise<Response>;

/** Statuses whose replies have no body. */
const bodiless = new Set([204, 205, 304]);

/** A `fetch` that reaches a listener, whatever the URL's host is; it needs no socket, so a virtual clock can wait for it. */
export function createMemoryFetch(listener: RequestListener): MemoryFetch {
  const exchange = createMemoryExchange(listener);
  return async (url, { method = 'GET', headers = {}, body = '', signal } = {}) => {
    const { host, pathname, search } = new URL(url);
    const rawHeaders = ['host', host, ...Object.entries(headers).flat()];
    const request = { method, target: pathname + search, rawHeaders, body: Buffer.from(body) };
    const reply = await exchange(request, signal);
    const content = bodiless.has(reply.status) ? null : reply.body;
    return new Response(content, { status: reply.status, headers: { ...reply.headers } });
  };
}
