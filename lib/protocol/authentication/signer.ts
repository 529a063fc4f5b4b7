import { findBodySigner, findSigner, type Secret, type SignedPart } from '../signature';
import type { Claim } from './claim';
import type { CallerSecrets } from './credentials';

/**
 * The caller's secret that signed these fields; null if the id is unknown or the signature wrong, after
 * the same work (D1.1).
 */
export function findCaller(
  { byId, decoys }: CallerSecrets,
  { authId, timestamp, signature }: Claim,
  parts: readonly SignedPart[],
): Secret | null {
  const own = byId.get(authId);
  // Listed one by one: V8 copies an object slowly if the copy gains a member.
  const secret = findSigner(own ?? decoys, { authId, timestamp, signature, parts });
  return own === undefined ? null : secret;
}

/**
 * The caller's secret that signed these bytes of a body; null if the id is unknown or the signature wrong,
 * after the same work (E2.1, E2.2).
 */
export function findBodyCaller(
  { byId, decoys }: CallerSecrets,
  { authId, timestamp, signature }: Claim,
  body: Uint8Array,
): Secret | null {
  const own = byId.get(authId);
  const secret = findBodySigner(own ?? decoys, { timestamp, signature, body });
  return own === undefined ? null : secret;
}
