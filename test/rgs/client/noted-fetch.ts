import { createHmac } from 'node:crypto';

import type { FetchInit, FetchPort } from '../../../lib/protocol/client/ports';

export const secret = 'line-secret-0123456789';

/** A request as fetch got it. */
export interface Sent {
  readonly url: string;
  readonly init: FetchInit;
}

/** What one request is answered with: a status with its text, or its own doing. */
export type Answer = readonly [status: number, text: string] | (() => Promise<never>);

/** A fetch that needs no network: notes what is sent and answers in turn, the last answer for ever. */
export class NotedFetch {
  readonly sent: Sent[] = [];

  constructor(private readonly answers: readonly Answer[]) {}

  readonly fetch: FetchPort = async (url, init) => {
    const answer = this.answers[Math.min(this.sent.length, this.answers.length - 1)];
    if (answer === undefined) throw new Error('no answer is left');
    this.sent.push({ url, init });
    if (typeof answer === 'function') return answer();
    const [status, text] = answer;
    const response = new Response(null, { status: status < 200 ? 200 : status });
    return { status, body: text === '' ? response.body : new Blob([text]).stream() };
  };
}

/** The signature over secret, id, timestamp and the fields, by nothing but node:crypto (operator-api 5). */
export function signatureOver(id: string, sent: Sent, fields: readonly string[]): string {
  const signed = [secret, id, sent.init.headers['X-H-TIMESTAMP'], ...fields].join('#');
  return createHmac('sha256', secret).update(signed).digest('base64');
}

/** A connection that fails, as fetch reports it. */
export function reset(): Promise<never> {
  return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
}

/** A request that is never answered, and that does not react to its signal. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
