import { createServer, type IncomingMessage, request as openRequest } from 'node:http';
import { Duplex } from 'node:stream';
import type { RequestListener } from './routes';

/** A request, as it goes over a connection. */
export interface PlainRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn, as in `rawHeaders`; a name may come twice. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

/** A whole reply. */
export interface PlainReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Headers of one connection, which are written anew for the next. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Sends requests to a listener without a port: real HTTP, over a pair of streams in memory. Each request
 * has its own connection.
 */
export type MemoryExchange = (request: PlainRequest, signal?: AbortSignal) => Promise<PlainReply>;

/**
 * An exchange with a listener, as `http.createServer` takes it; an Express application is one.
 * @returns Rejects if the listener closes the connection before its reply is whole, and with the reason of
 * the signal.
 */
export function createMemoryExchange(listener: RequestListener): MemoryExchange {
  const server = createServer(listener);
  return (request, signal) => {
    const [near, far] = streamPair();
    server.emit('connection', far);
    return exchangeOver(near, request, signal).finally(() => near.destroy());
  };
}

function exchangeOver(
  connection: Duplex,
  { method, target, rawHeaders, body }: PlainRequest,
  signal?: AbortSignal,
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      reject(signal?.reason);
      connection.destroy();
    };
    signal?.addEventListener('abort', abort, { once: true });
    const release = (): void => signal?.removeEventListener('abort', abort);
    const sent = openRequest({
      method,
      path: target,
      headers: [...headersOf(rawHeaders, body, method), 'Connection', 'close'],
      createConnection: () => connection,
    });
    const failed = (error: Error): void => {
      release();
      reject(error);
    };
    sent.on('error', failed);
    sent.on('response', (response) => {
      readReply(response).then((reply) => {
        release();
        resolve(reply);
      }, failed);
    });
    sent.end(body);
  });
}

/** All of a reply. Rejects if it ends early. */
async function readReply(response: IncomingMessage): Promise<PlainReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

/** The headers of a request as the next connection has them, with the length of its body. */
export function headersOf(
  rawHeaders: readonly string[],
  body: Uint8Array,
  method: string,
): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!ofConnection.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] ?? '');
  }
  const hasBody = body.byteLength > 0 || (method !== 'GET' && method !== 'HEAD');
  if (hasBody) kept.push('Content-Length', String(body.byteLength));
  return kept;
}

/** Two ends of one connection. */
function streamPair(): [Duplex, Duplex] {
  const near: Duplex = end(() => far);
  const far: Duplex = end(() => near);
  return [near, far];
}

function end(other: () => Duplex): Duplex {
  return new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      if (!other().destroyed) other().push(chunk);
      done();
    },
    final: (done) => {
      if (!other().destroyed) other().push(null);
      done();
    },
    // As TCP does: what was written before still arrives, then the end.
    destroy: (error, done) => {
      if (!other().destroyed) other().push(null);
      done(error);
    },
  });
}

/** What a request in memory may say, as for `fetch`. */
interface MemoryFetchInit {
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
