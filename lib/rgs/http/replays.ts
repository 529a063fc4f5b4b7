import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { originForm } from '../../platform/http';
import { RecentKeys, ReplayGuard, type SeenBody } from '../../protocol/authentication';

/**
 * Remembers the latest signatures, each with the whole request that it came with: method, path, query and
 * body. The signature itself covers the body alone (E2.6, D1.8).
 */
export class Replays {
  readonly #guard: ReplayGuard;
  readonly #requestIds: RecentKeys;

  /** @param capacity Signatures, and ids of requests, to remember. */
  constructor(capacity: number) {
    this.#guard = new ReplayGuard(capacity);
    this.#requestIds = new RecentKeys(capacity);
  }

  /** What came with this signature before. Call it only after the signature was verified. */
  see(signature: string, request: IncomingMessage, body: Uint8Array): SeenBody {
    return this.#guard.see(signature, digestOf(request, body));
  }

  /** Whether this caller has sent this X-Request-Id before (E2.5). */
  hasRequestId(callerId: string, requestId: string): boolean {
    const key = hash('sha256', `${requestId} ${callerId}`, 'base64');
    if (this.#requestIds.placeOf(key) !== null) return true;
    this.#requestIds.add(key);
    return false;
  }
}

/** SHA-256 of method, path with query, and body; neither of the first two holds a line end. */
function digestOf({ method = '', url = '' }: IncomingMessage, body: Uint8Array): Buffer {
  const front = Buffer.from(`${method}\n${originForm(url)}\n`, 'latin1');
  return hash('sha256', Buffer.concat([front, body]), 'buffer');
}
