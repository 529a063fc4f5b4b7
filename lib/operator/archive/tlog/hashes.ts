import { hash } from 'node:crypto';

/** Bytes of a hash. */
export const hashBytes = 32;

/** SHA-256; of a text, of its UTF-8. */
export function sha256(content: Uint8Array | string): Buffer {
  return hash('sha256', content, 'buffer');
}

/** The root of a log without entries. */
export const emptyRoot: Buffer = sha256(new Uint8Array());

/** The hash of an entry: SHA-256(0x00 || line), the line without its line break (RFC 9162, 2.1.1). */
export function leafHash(line: string | Uint8Array): Buffer {
  const length = typeof line === 'string' ? Buffer.byteLength(line) : line.length;
  if (leaf.length <= length) leaf = prefixed(2 * length);
  if (typeof line === 'string') leaf.write(line, 1);
  else leaf.set(line, 1);
  const digest = sha256(leaf.subarray(0, length + 1));
  if (leaf.length > largestKept) leaf = prefixed(firstLength);
  return digest;
}

/** The hash over two subtrees: SHA-256(0x01 || left || right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 1 + hashBytes);
  return sha256(node);
}

function prefixed(length: number): Buffer {
  return Buffer.alloc(length + 1);
}

const firstLength = 16_384;
const largestKept = 1_048_576;
/** One buffer for all lines: a new one for each costs more than its hash. */
let leaf = prefixed(firstLength);
const node = Buffer.alloc(1 + 2 * hashBytes, 1);
