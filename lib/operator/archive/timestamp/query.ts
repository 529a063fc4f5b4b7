import { createHash } from 'node:crypto';
import { derElement, tags } from './der';

/** Bytes of a nonce. */
export const nonceBytes = 8;

const sha256Oid = Buffer.from('608648016503040201', 'hex');

/** `AlgorithmIdentifier` of SHA-256. */
const sha256 = derElement(tags.sequence, derElement(tags.oid, sha256Oid), Buffer.of(0x05, 0x00));

/** The SHA-256 of what is stamped. */
export function imprintOf(note: string): Buffer {
  return createHash('sha256').update(note).digest();
}

/** A nonce of random bytes, as a positive integer of DER has it. */
export function nonceOf(random: Buffer): Buffer {
  const nonce = Buffer.from(random);
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  return nonce;
}

/** A `TimeStampReq` of RFC 3161, which asks for the certificate too: it is needed to check the reply years later. */
export function timestampQuery(imprint: Buffer, nonce: Buffer): Buffer {
  return derElement(
    tags.sequence,
    derElement(tags.integer, Buffer.of(1)),
    derElement(tags.sequence, sha256, derElement(tags.octets, imprint)),
    derElement(tags.integer, nonce),
    derElement(tags.boolean, Buffer.of(0xff)),
  );
}

/** Whether the content of an `AlgorithmIdentifier` names SHA-256, with or without its empty parameters. */
export function isSha256(oid: Buffer): boolean {
  return oid.equals(sha256Oid);
}
