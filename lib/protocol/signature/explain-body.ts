import { type SignatureFinding, decodeInAnyForm } from './explain';
import { type BodyWay, bodyWays } from './explain-body-variants';
import { findChoice } from './explain-variants';
import type { Secret } from './secret';
import { findBodySigner } from './verify';

/** A received signature of a body, with its request. */
export interface ReceivedBodySignature {
  /** The bytes as received; empty without a body. */
  readonly body: Uint8Array;
  /** X-H-AUTH-ID. */
  readonly authId: string;
  /** X-H-TIMESTAMP. */
  readonly timestamp: string;
  /** X-H-AUTH-SIG. */
  readonly signature: string;
  /** Path and query of the request, which are not signed; some sign them nevertheless. */
  readonly target?: string;
}

/** The explanation of a received signature of a body: any body can be signed. */
export type BodySignatureFinding = Exclude<SignatureFinding, { readonly kind: 'unsignable' }>;

/**
 * Finds out how the signature of a body was made (E2.2), among the variants seen in practice; those with
 * the fewest deviations first. `accepted` says whether a service accepts it: `{}` for an empty body, too
 * (E2.3). It never reveals the secret or the signed string. Trying all of a small body takes about half a
 * second for each secret: it is for tools and sandboxes.
 */
export function explainBodySignature(
  secrets: readonly Secret[],
  received: ReceivedBodySignature,
): BodySignatureFinding {
  const { body, timestamp, signature, target = '' } = received;
  const bytes = decodeInAnyForm(signature);
  if (typeof bytes === 'string') return { kind: 'malformed', reason: bytes };
  const aspects = bodyWays(body, timestamp, target);
  let variantsTried = 0;
  let secretIndex = -1;
  const isTheWay = (way: BodyWay): boolean => {
    variantsTried++;
    const signed = signedBytes(way, received.authId);
    secretIndex = secrets.findIndex((secret) =>
      secret.macBodyAs(way.key, way.place, signed).equals(bytes.mac),
    );
    return secretIndex >= 0;
  };
  for (let count = 0; count <= maxDeviations(body.byteLength); count++) {
    const found = findChoice(aspects, count, isTheWay);
    if (found === null) continue;
    const deviations = [
      ...(bytes.deviation === null ? [] : [bytes.deviation]),
      ...found.deviations,
    ];
    return { kind: 'explained', deviations, accepted: isAccepted(secrets, received), secretIndex };
  }
  return { kind: 'unexplained', variantsTried };
}

/** Most deviations tried together: each hashes the body about a hundred times as often. */
function maxDeviations(bodyBytes: number): number {
  if (bodyBytes <= 2048) return 3;
  return bodyBytes <= 65_536 ? 2 : 1;
}

function isAccepted(
  secrets: readonly Secret[],
  { body, timestamp, signature }: ReceivedBodySignature,
): boolean {
  const bodies = body.byteLength === 0 ? [body, Buffer.from('{}')] : [body];
  return bodies.some(
    (one) => findBodySigner(secrets, { timestamp, signature, body: one }) !== null,
  );
}

function signedBytes(
  { body, timestamp, arrangement, joining }: BodyWay,
  authId: string,
): Uint8Array {
  const { separator, end } = joining;
  const parts = arrangement(body, { authId, timestamp });
  const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return Buffer.concat([...joined, end].map((part) => Buffer.from(part)));
}
