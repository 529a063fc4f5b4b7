/** One arrival of a call: a call that is sent again, even byte by byte, is another delivery. */
export interface Delivery {
  /** Four random characters of base64url: what the delivery writes is known by them (D7). */
  readonly id: string;
  /**
   * What names a signature and the body that came with it (D1.8): `signatureCharacters` of the
   * one, then `bodyCharacters` of the other. Null for a call that was not signed.
   */
  readonly fingerprint: string | null;
  /** Whether this process knows the signature with another body. */
  readonly isOtherBody: boolean;
}

/** Who wrote a debit that another delivery was answered for: no delivery has this id. */
export const nobody = '';

/** A delivery of a call that was not signed, such as one that the wallet makes itself. */
export function unsignedDelivery(id: string): Delivery {
  return { id, fingerprint: null, isOtherBody: false };
}

/** The latest fingerprints that a record keeps: an RGS sends a call six times at once, and again at each launch. */
const mostFingerprints = 32;

/** The fingerprints of a record with those of one more call; the same array where it is known. */
export function withFingerprint(
  fingerprints: readonly string[],
  fingerprint: string,
): readonly string[] {
  if (fingerprints.length === 0) return [fingerprint];
  if (fingerprints.includes(fingerprint)) return fingerprints;
  return [...fingerprints, fingerprint].slice(-mostFingerprints);
}
