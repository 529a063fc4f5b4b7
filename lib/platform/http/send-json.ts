import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A JSON answer, ready to send. */
export interface JsonAnswer {
  readonly status: number;
  /** The JSON, written. */
  readonly text: string;
  /** Close the connection afterwards: the rest of the request was not read. */
  readonly close?: boolean | undefined;
}

/** Whether an answer can still be sent: none was, and the caller is there. */
export function canAnswer(response: ServerResponse): boolean {
  return !response.headersSent && !response.destroyed;
}

/**
 * Sends an answer in one piece, with the headers that were set before; does nothing if the caller is
 * gone.
 */
export function sendJson(response: ServerResponse, { status, text, close }: JsonAnswer): void {
  if (!canAnswer(response)) return;
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  };
  if (close === true) {
    headers['connection'] = 'close';
    // At once: until it is closed, node parses whatever else has arrived, in pieces however small.
    const { socket } = response;
    response.once('finish', () => socket?.destroy());
  }
  response.writeHead(status, headers);
  response.end(text);
}
