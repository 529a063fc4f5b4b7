import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTurn } from '../../lib/platform/turn';
import type { RequestListener } from '../../lib/platform/http';
import type { RawRequest } from './inputs/raw-request';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
  /** How many times the answer was ended: 0 if the caller was left without one. */
  readonly times: number;
}

/** What the listener threw at once. */
export class Thrown extends Error {
  override readonly name = 'Thrown';
}

/** How Node hands over what its parser has read. */
interface HeaderReader {
  _addHeaderLines(headers: readonly string[], length: number): void;
}

/** A request without a socket. Node itself reads its headers, as it does those of a connection. */
class Arriving extends IncomingMessage {
  readonly rawBody?: Uint8Array;

  constructor({ method, target, headers, body, pieceBytes, cutAt }: RawRequest) {
    super(null as unknown as Socket);
    this.method = method;
    this.url = target;
    // oxlint-disable-next-line no-underscore-dangle
    (this as unknown as HeaderReader)._addHeaderLines(headers, headers.length);
    if (pieceBytes !== null || cutAt !== null) return;
    this.rawBody = body;
    this.complete = true;
    this.push(null);
  }

  override _read(): void {}
}

/** A response that goes nowhere. */
class Leaving extends ServerResponse {
  times = 0;
  text = '';
  sent: OutgoingHttpHeaders = {};

  override writeHead(status: number, headers: unknown = {}): this {
    this.sent = headers as OutgoingHttpHeaders;
    return super.writeHead(status, headers as OutgoingHttpHeaders);
  }

  override end(last?: unknown): this {
    this.times++;
    if (typeof last === 'string') this.text = last;
    this.finished = true;
    return this;
  }

  override destroy(): this {
    this.destroyed = true;
    return this;
  }
}

/** Awaited to let other promises go on by one step. */
const tick = Promise.resolve();

/** Ticks of promises that a call may need, and then turns of the event loop. */
const maxTicks = 200;
const maxTurns = 100;

/** Sends a request to a listener; resolves once it is answered, or will not be any more. @throws Thrown. */
export async function exchange(listener: RequestListener, request: RawRequest): Promise<Answer> {
  const arriving = new Arriving(request);
  const leaving = new Leaving(arriving);
  try {
    listener(arriving, leaving);
  } catch (error) {
    throw new Thrown(String(error));
  }
  if (request.pieceBytes !== null || request.cutAt !== null)
    await deliver(request, arriving, leaving);
  for (let at = 0; leaving.times === 0 && at < maxTicks; at++) await tick;
  const turns = request.cutAt !== null ? 3 : maxTurns;
  for (let turn = 0; leaving.times === 0 && turn < turns; turn++) await nextTurn();
  const { statusCode: status, sent: headers, text, times } = leaving;
  return { status, headers, text, times };
}

/** Hands over the body piece by piece, and where it is cut off not all of it. */
async function deliver(
  { body, pieceBytes, cutAt }: RawRequest,
  arriving: Arriving,
  leaving: Leaving,
): Promise<void> {
  const size = pieceBytes ?? Math.max(1, body.byteLength);
  const end = cutAt ?? body.byteLength;
  for (let at = 0; at < end; at += size) {
    arriving.push(body.subarray(at, Math.min(at + size, end)));
    await tick;
  }
  if (cutAt !== null) {
    leaving.destroyed = true;
    leaving.emit('close');
    arriving.destroy(new Error('aborted'));
    return;
  }
  arriving.complete = true;
  arriving.push(null);
}
