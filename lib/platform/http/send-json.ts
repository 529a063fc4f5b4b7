import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { hasUnreadBody } from './read-body';

/** A JSON answer, ready to send. */
export interface JsonAnswer {
  readonly status: number;
  /** The JSON, written. */
  readonly text: string;
  /** Close the connection afterwards: the rest of the request was not read. */
  readonly close?: boolean | undefined;
}

/** The work was done, and its answer could not be sent. */
export class ReplyLostError extends Error {
  override readonly name = 'ReplyLostError';

  constructor({ headersSent }: ServerResponse) {
    super(headersSent ? 'Another answer was sent in its place.' : 'The caller has gone.');
  }
}

/** Whether an answer can still be sent: none was, and the caller is there. */
export function canAnswer(response: ServerResponse): boolean {
  return !response.headersSent && !response.destroyed;
}

/**
 * Sends an answer in one piece, with the headers that were set before; does nothing if the caller is
 * gone or has an answer.
 * @throws Error if a head was sent and its answer has no end: the caller would wait for it.
 */
export function sendJson(response: ServerResponse, { status, text, close }: JsonAnswer): void {
  if (response.headersSent && !response.writableEnded && !response.destroyed) {
    throw new Error('A head was sent before the answer, and no end.');
  }
  if (!canAnswer(response)) return;
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  };
  if (close === true) {
    headers['connection'] = 'close';
    destroyAfter(response);
  }
  response.writeHead(status, headers);
  response.end(text);
}

/** Sends an answer; if that fails, cuts the connection: no answer is better than a wrong one. */
export function sendOrCut(response: ServerResponse, answer: JsonAnswer): void {
  try {
    sendJson(response, answer);
  } catch {
    response.destroy();
  }
}

/**
 * Ends the connection with the answer if a part of the request's body was not read: for a listener that needs none. Call it
 * before the head is written.
 */
export function cutUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || !hasUnreadBody(request)) return;
  response.setHeader('connection', 'close');
  destroyAfter(response);
}

/** At once: until the connection is closed, node parses whatever else has arrived, in pieces however small. */
function destroyAfter(response: ServerResponse): void {
  const { socket } = response;
  response.once('finish', () => socket?.destroy());
}
