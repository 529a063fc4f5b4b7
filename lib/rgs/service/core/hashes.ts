import { createHash } from 'node:crypto';

/**
 * The UUID v5 of a name in a namespace (RFC 9562, 5.5): the same name always has the same id.
 * @throws TypeError if the namespace is not a UUID
 */
export function uuidV5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  if (space.length !== 16) throw new TypeError('the namespace must be a UUID');
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}

/** The namespace of the hashes of transactions; it must never change (E15.4). */
const namespace = '6f1d2c6e-0b7c-5a1f-9a3e-4b5c8d7e6f10';

/** The UUID v5 of a name: the same step has the same hash after a crash (E15.4). */
export function hashOf(name: string): string {
  return uuidV5(namespace, name);
}
