import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the service does to one request instead of answering it as it should. */
export type RgsFault =
  /** Does what is asked and closes the connection without a reply. */
  | { readonly kind: 'loseReply' }
  /** Closes the connection and does nothing. */
  | { readonly kind: 'closeBefore' }
  /** Does what is asked, and replies once `until` has resolved, if the caller still waits. */
  | { readonly kind: 'replyAfter'; readonly until: Promise<unknown> }
  /** Does nothing and replies with exactly this. */
  | { readonly kind: 'say'; readonly answer: RawAnswer }
  /** Does what is asked and replies with this. */
  | { readonly kind: 'doAndSay'; readonly answer: RawAnswer };

/** An answer given byte for byte. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Does what is asked, then the reply is lost. */
export const loseReply: RgsFault = { kind: 'loseReply' };

/** The connection is closed before anything is done. */
export const closeBefore: RgsFault = { kind: 'closeBefore' };

/** A reply that comes when it is let go; a caller that gives up earlier never sees it. */
export function holdReply(): { readonly fault: RgsFault; readonly letGo: () => void } {
  const gate = new EventEmitter();
  const until = once(gate, 'open');
  return { fault: { kind: 'replyAfter', until }, letGo: () => gate.emit('open') };
}

/** An answer of this status and body; nothing is done. */
export function say(
  status: number,
  body: string | Uint8Array = '',
  headers: Readonly<Record<string, string>> = {},
): RgsFault {
  return { kind: 'say', answer: { status, body, headers } };
}

/** The same answer, so many times in turn. */
export function times(count: number, fault: RgsFault): RgsFault[] {
  return Array.from({ length: count }, () => fault);
}

/** An error object under `errorCode` (operator-api 7, rule 1). */
export function refuse(status: number, id: number, msg = 'refused', clientmsg = 'No.'): RgsFault {
  return say(status, JSON.stringify({ errorCode: { id, msg, clientmsg } }));
}

/** Replies that no service should give, each under what is wrong with it; of status 200 unless it says so. */
export const nonsense = {
  'invalid JSON': say(200, '<html>Welcome</html>'),
  'an empty body': say(200),
  'half of it': say(200, '{"serial":"s-1","count":'),
  'a list': say(200, '[]'),
  'a text': say(200, '"fine"'),
  null: say(200, 'null'),
  'no UTF-8': say(200, Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  'a key that is given twice': say(200, '{"serial":"s-1","serial":"s-2"}'),
  'a key that pollutes': say(200, '{"__proto__":{"count":5}}'),
  'objects without end': say(200, '{"a":'.repeat(5000)),
  'a number that is not JSON': say(200, '{"count":0x10}'),
  'an error object without an id': say(200, '{"errorCode":{"msg":"hm"}}'),
  'an error that is a text': say(200, '{"errorCode":"no"}'),
} as const satisfies Readonly<Record<string, RgsFault>>;

/** Sends an answer byte for byte. */
export function sendRaw(response: ServerResponse, { status, body, headers = {} }: RawAnswer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.byteLength,
    ...headers,
  });
  response.end(bytes);
}

/** Ends a connection as a server does that dies: at once, with a reset. */
export function cut(socket: Socket | null): void {
  socket?.resetAndDestroy();
}
