import { LogFormatError } from '../tlog';

/** An element of DER (X.690): its tag with class and form, and what it holds. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
} as const;

/** The elements one after the other, to the last byte. @throws LogFormatError */
export function readElements(bytes: Buffer): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const [length, from] = readLength(bytes, at + 1);
    // No tag of the messages here takes more than one byte.
    if ((tag & 0x1f) === 0x1f || from + length > bytes.length) throw noDer();
    found.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return found;
}

/** What an element of this tag holds. @throws LogFormatError for another, or none. */
export function contentOf(element: DerElement | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw noDer();
  return element.content;
}

/** An element with a content of less than 128 bytes. @throws RangeError */
export function derElement(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length > 127) throw new RangeError('at most 127 bytes');
  return Buffer.concat([Buffer.of(tag, content.length), content]);
}

/** The length at a place, and where the content begins. */
function readLength(bytes: Buffer, at: number): readonly [length: number, from: number] {
  const first = bytes[at];
  if (first === undefined) throw noDer();
  if (first < 0x80) return [first, at + 1];
  const count = first & 0x7f;
  // DER has no indefinite length, and no message here 16 MB.
  if (count < 1 || count > 3 || at + count >= bytes.length) throw noDer();
  return [bytes.readUIntBE(at + 1, count), at + 1 + count];
}

function noDer(): LogFormatError {
  return new LogFormatError('it is no reply of a time authority');
}
