import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FetchInit, FetchPort } from '../../../lib/protocol/client/ports';
import type { Fault } from '../scripted-rgs';

/** A fetch that reaches a listener of this process, and fails as {@link Fault} has it. */
export class FaultyLine {
  /** For the requests to come, in order; then nothing fails. */
  faults: Fault[] = [];
  /** Names of the calls that were sent. */
  readonly names: string[] = [];
  readonly #late: { readonly after: number; readonly deliver: () => Promise<Response> }[] = [];

  constructor(private readonly listener: RequestListener) {}

  /** All that is late arrives. */
  async arrive(): Promise<void> {
    for (const { deliver } of this.#late.splice(0)) await deliver();
  }

  readonly fetch: FetchPort = async (url, init) => {
    const { pathname, search } = new URL(url);
    this.names.push(pathname.slice(pathname.lastIndexOf('/') + 1));
    const deliver = () => this.#deliver(pathname + search, init);
    const due = this.#late.filter(({ after }) => after < this.names.length);
    for (const late of due) {
      this.#late.splice(this.#late.indexOf(late), 1);
      await late.deliver();
    }
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'late') this.#late.push({ after: this.names.length + 2, deliver });
    if (fault === 'lost' || fault === 'late') throw disconnected();
    if (fault === 'busy') return new Response('', { status: 503 });
    const reply = await deliver();
    if (fault === 'replyLost') throw disconnected();
    if (fault === 'broken') return new Response('', { status: 500 });
    if (fault === 'nonsense') return new Response('<html>', { status: 200 });
    return reply;
  };

  #deliver(path: string, { method, headers, body }: FetchInit): Promise<Response> {
    const rawBody = body === undefined ? {} : { rawBody: Buffer.from(body) };
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      url: path,
      complete: true,
      ...rawBody,
    });
    for (const [name, value] of Object.entries(headers)) {
      request.headers[name.toLowerCase()] = value;
      request.headersDistinct[name.toLowerCase()] = [value];
    }
    return new Promise((resolve) => {
      const response = new ServerResponse(request);
      response.end = ((text: string) => {
        resolve(new Response(text, { status: response.statusCode }));
        return response;
      }) as typeof response.end;
      this.listener(request, response);
    });
  }
}

function disconnected(): Error {
  const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}
