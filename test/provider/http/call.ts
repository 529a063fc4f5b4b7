import { createHmac } from 'node:crypto';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export const gameProviderId = 'studio-1';
export const secret = 'vector-secret-0123456789abcdef';

/** A call of the RGS, before it is signed. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What is signed after secret, id and timestamp, in order (E2.8). */
  readonly signed: readonly string[];
  readonly body?: string;
}

/** What was answered. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

let lastMs = Date.now();

/** The three headers, written out by hand from the specification: another implementation than the kit's. */
export function headersFor(
  signed: readonly string[],
  { atMs = ++lastMs, id = gameProviderId, key = secret } = {},
): Record<string, string> {
  const timestamp = new Date(atMs).toISOString();
  const text = [key, id, timestamp, ...signed].join('#');
  return {
    'X-H-AUTH-ID': id,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': createHmac('sha256', key).update(text).digest('base64'),
  };
}

/** Sends a call to a listener without a connection. */
export function send(
  listener: RequestListener,
  { method, path, body, signed }: Call,
  headers: Readonly<Record<string, string>> = headersFor(signed),
): Promise<Answer> {
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method,
    url: path,
    complete: true,
    // As a body parser before the router leaves it.
    ...(body === undefined ? {} : { rawBody: Buffer.from(body) }),
  });
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  for (const [name, value] of Object.entries({ ...type, ...headers })) {
    request.headers[name.toLowerCase()] = value;
    request.headersDistinct[name.toLowerCase()] = [value];
  }
  return new Promise((resolve) => {
    const response = new ServerResponse(request);
    response.end = ((text: string) => {
      const json: unknown = JSON.parse(text);
      const { statusCode: status } = response;
      resolve({ status, text, json, headers: response.getHeaders() });
      return response;
    }) as typeof response.end;
    listener(request, response);
  });
}

/** GET getGameConfiguration for a game (C3). */
export function configurationCall({
  gameCode = 'bells',
  currency = 'EUR',
  currencyMultiplier = '6',
} = {}): Call {
  const query = `gameCode=${gameCode}&currency=${currency}&currencyMultiplier=${currencyMultiplier}`;
  return { method: 'GET', path: `/getGameConfiguration?${query}`, signed: [currency] };
}

/** POST doAutoClose for a round (C3). */
export function autoCloseCall(gameRound = 'round-1', gameCode = 'bells'): Call {
  const body = JSON.stringify({ gameRound, gameCode });
  return { method: 'POST', path: '/doAutoClose', body, signed: [gameRound] };
}

/** POST getGameResult for a round (C3). */
export function resultCall(gameRound = 'round-1'): Call {
  const body = JSON.stringify({ gameRound, gameCode: 'bells', language: 'DE' });
  return { method: 'POST', path: '/getGameResult', body, signed: [gameRound] };
}
