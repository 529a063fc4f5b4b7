/** One delivery of a call: a resent call, even byte by byte, is another delivery. */
export interface Delivery {
  /** Four random characters of base64url that identify what this delivery writes (D7). */
  readonly id: string;
  /**
   * Identifies a signature and its body (D1.8): `signatureCharacters` of the one, then `bodyCharacters` of
   * the other. Null for an unsigned call.
   */
  readonly fingerprint: string | null;
  /** Whether this process has seen the signature with another body. */
  readonly isOtherBody: boolean;
}

/** The writer of a debit that another delivery has answered: no delivery has this id, so none marks the debit (D7). */
export const noDelivery = '';

/** A delivery of an unsigned call, such as one that the wallet makes itself. */
export function unsignedDelivery(id: string): Delivery {
  return { id, fingerprint: null, isOtherBody: false };
}

/**
 * Most fingerprints that a record keeps, the latest: an RGS sends a call six times at once, and again at
 * each launch.
 */
const maxFingerprints = 32;

/** A record's fingerprints plus those of one more call; the same array if they are known. */
export function withFingerprint(
  fingerprints: readonly string[],
  fingerprint: string,
): readonly string[] {
  if (fingerprints.length === 0) return [fingerprint];
  if (fingerprints.includes(fingerprint)) return fingerprints;
  return [...fingerprints, fingerprint].slice(-maxFingerprints);
}
