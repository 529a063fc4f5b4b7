import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from '../../../lib/platform/http';

/** A request as bytes on a line. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  /** By their names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer;
}

/** A reply as bytes on a line. */
export interface HttpReply {
  readonly status: number;
  readonly body: string;
}

/** How much of a request arrives: the connection may end in the middle of its body. */
export type Arriving = 'whole' | 'half';

/** What Node's request is to a listener: it reads nothing else of it. */
class ArrivingRequest extends EventEmitter {
  readonly headers: HttpRequest['headers'];
  readonly headersDistinct: { readonly [name: string]: readonly string[] };
  readonly url: string;
  readonly readableEnded = false;
  readonly readableDidRead = false;
  complete = false;

  constructor(readonly sent: HttpRequest) {
    super();
    const { target, headers, body } = sent;
    this.url = target;
    this.headers = { 'content-length': String(body.byteLength), ...headers };
    this.headersDistinct = Object.fromEntries(
      Object.entries(this.headers).map(([name, value]) => [name, [value]]),
    );
  }

  get method(): string {
    return this.sent.method;
  }

  /** The body comes, in two pieces if it has several bytes. */
  arrive(arriving: Arriving): void {
    const { body } = this.sent;
    const middle = body.byteLength >> 1;
    if (middle > 0) this.emit('data', body.subarray(0, middle));
    if (arriving === 'half') return void this.emit('close');
    if (middle < body.byteLength) this.emit('data', body.subarray(middle));
    this.complete = true;
    this.emit('end');
    this.emit('close');
  }
}

/** What Node's response is to a listener; the reply goes to `answer`. */
class LeavingResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  destroyed = false;
  readonly socket = null;

  constructor(private readonly answer: (reply: HttpReply) => void) {
    super();
  }

  setHeader(): this {
    return this;
  }

  writeHead(status: number): this {
    this.statusCode = status;
    this.headersSent = true;
    return this;
  }

  end(text: string): this {
    this.answer({ status: this.statusCode, body: text });
    this.emit('finish');
    return this;
  }

  destroy(): this {
    this.destroyed = true;
    return this;
  }
}

/**
 * Gives a request to a listener, and its reply to `answer`: without a socket, and without a turn of the event
 * loop, so that the order of everything is the world's.
 */
export function serve(
  listener: RequestListener,
  sent: HttpRequest,
  arriving: Arriving,
  answer: (reply: HttpReply) => void,
): void {
  const request = new ArrivingRequest(sent);
  const response = new LeavingResponse(answer);
  listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  request.arrive(arriving);
}
