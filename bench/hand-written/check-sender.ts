import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { clockToleranceMs, operatorId, secret } from '../terms';

/** A call that is not processed, with what is answered. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';

  constructor(
    readonly status: number,
    readonly id: number,
    message: string,
  ) {
    super(message);
  }
}

/** What the headers of a call say; the signature is not yet verified. */
export interface Sender {
  readonly timestamp: string;
  readonly signature: string;
}

/** @throws CallRefused for headers that are missing, of another operator, or stale. */
export function checkSender(headers: IncomingHttpHeaders): Sender {
  const timestamp = headers['x-h-timestamp'];
  const signature = headers['x-h-auth-sig'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') throw unauthorized();
  if (headers['x-h-auth-id'] !== operatorId) throw unauthorized();
  const sentAt = Date.parse(timestamp);
  if (!(Math.abs(Date.now() - sentAt) <= clockToleranceMs)) throw unauthorized();
  return { timestamp, signature };
}

/** Whether the sender's signature is that of the fields, joined by `#`; in constant time. */
export function isSignatureOf({ timestamp, signature }: Sender, fields: string): boolean {
  const text = `${secret}#${operatorId}#${timestamp}#${fields}`;
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** For whatever is not right with who calls. */
export function unauthorized(): CallRefused {
  return new CallRefused(401, 1001, 'The request is not authentic.');
}
