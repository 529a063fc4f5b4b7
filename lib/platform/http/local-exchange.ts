import {
  type IncomingHttpHeaders,
  IncomingMessage,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { afterThisTurn } from '../turn';
import {
  headersOf,
  type MemoryExchange,
  type PlainReply,
  type PlainRequest,
} from './memory-server';
import type { RequestListener } from './routes';

const nothing = Buffer.alloc(0);

/** A request that has arrived whole. */
class LocalRequest extends IncomingMessage {
  /** Where `readBody` and `readBytes` look first; any other reader finds the stream. */
  readonly rawBody: Uint8Array;

  constructor({ method, target, rawHeaders, body }: PlainRequest) {
    // No socket: nothing of ours looks at one.
    super(null as unknown as Socket);
    this.method = method;
    this.url = target;
    this.httpVersion = '1.1';
    this.httpVersionMajor = 1;
    this.httpVersionMinor = 1;
    this.rawHeaders = headersOf(rawHeaders, body, method);
    this.headers = joined(this.rawHeaders);
    this.rawBody = body;
    this.complete = true;
    if (body.byteLength > 0) this.push(body);
    this.push(null);
  }
}

/** What becomes of a response. */
interface Ending {
  readonly whole: (reply: PlainReply) => void;
  readonly broken: () => void;
}

/** A response whose reply is kept, not sent. */
class LocalResponse extends ServerResponse {
  readonly #ending: Ending;
  readonly #isHead: boolean;
  readonly #pieces: Buffer[] = [];

  constructor(request: IncomingMessage, ending: Ending) {
    super(request);
    this.#ending = ending;
    this.#isHead = request.method === 'HEAD';
  }

  override writeHead(status: number, headers: unknown = {}): this {
    // Node keeps what is given here apart from the other headers.
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) this.setHeader(name, value);
    }
    return super.writeHead(status);
  }

  override write(piece: unknown): boolean {
    this.#pieces.push(Buffer.from(piece as string | Uint8Array));
    return true;
  }

  override end(last?: unknown): this {
    if (this.writableEnded || this.destroyed) return this;
    if (typeof last === 'string' || last instanceof Uint8Array) this.write(last);
    // `super.end()` would write to a socket, which this exchange does not have.
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.finished = true;
    const hasBody = !this.#isHead && this.statusCode !== 204 && this.statusCode !== 304;
    const [first = nothing, ...others] = hasBody ? this.#pieces : [];
    const body = others.length === 0 ? first : Buffer.concat([first, ...others]);
    this.#ending.whole({ status: this.statusCode, headers: textsOf(this.getHeaders()), body });
    // As from a socket: once the reply is on its way.
    afterThisTurn(() => this.emit('finish'));
    return this;
  }

  override destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (!this.writableEnded) this.#ending.broken();
    afterThisTurn(() => this.emit('close'));
    return this;
  }
}

/**
 * An exchange with a listener of this package, without a connection: nothing is written as HTTP and parsed again,
 * which takes a tenth of the processor time of an exchange in memory. For a listener that looks at no socket and calls nothing back.
 * @returns Rejects if the listener destroys the response before its end, and with the reason of the signal.
 */
export function createLocalExchange(listener: RequestListener): MemoryExchange {
  return (request, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        reject(signal?.reason);
        response.destroy();
      };
      const release = (): void => signal?.removeEventListener('abort', abort);
      const incoming = new LocalRequest(request);
      const response = new LocalResponse(incoming, {
        whole(reply) {
          release();
          resolve(reply);
        },
        broken() {
          release();
          reject(new Error('the listener closed the connection'));
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
      listener(incoming, response);
    });
}

/** Headers of which Node takes the first (`message.headers`). */
const single = new Set(
  (
    'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since ' +
    'last-modified location max-forwards proxy-authorization referer retry-after server user-agent'
  ).split(' '),
);

/** Headers by name, as Node has them of a request: a name that comes twice has both values, but for some. */
function joined(rawHeaders: readonly string[]): IncomingHttpHeaders {
  const headers = Object.create(null) as IncomingHttpHeaders;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...(headers[name] ?? []), value];
    else if (before === undefined) headers[name] = value;
    else if (!single.has(name))
      headers[name] = `${String(before)}${name === 'cookie' ? ';' : ','} ${value}`;
  }
  return headers;
}

function textsOf(headers: OutgoingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(headers)) {
    texts[name] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return texts;
}
