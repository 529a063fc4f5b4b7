import { imprintOf } from '../../../lib/operator/archive/timestamp/query';

const element = (tag: number, ...contents: readonly (Buffer | string)[]): Buffer => {
  const parts = contents.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'hex') : part,
  );
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
};
const sequence = (...contents: readonly (Buffer | string)[]): Buffer => element(0x30, ...contents);
const oid = (hex: string): Buffer => element(0x06, hex);

/** What differs from a reply that is right. */
export interface ReplyParts {
  readonly nonce?: string;
  readonly algorithm?: string;
  readonly signer?: string;
  readonly content?: string;
}

/** A reply about this checkpoint, with all that is read of it; its signature is none. */
export function timestampReply(note: string, parts: ReplyParts = {}): Buffer {
  const { nonce = '4000000000000001', algorithm = '608648016503040201', signer = '3000' } = parts;
  const info = sequence(
    '020101',
    oid('2a030401'),
    sequence(sequence(oid(algorithm), '0500'), element(0x04, imprintOf(note))),
    '020107',
    element(0x18, Buffer.from('20261124120000Z')),
    element(0x02, nonce),
  );
  const content = sequence(
    oid(parts.content ?? '2a864886f70d0109100104'),
    element(0xa0, element(0x04, info)),
  );
  const signed = sequence('020103', '3100', content, element(0x31, signer));
  const token = sequence(oid('2a864886f70d010702'), element(0xa0, signed));
  return sequence(sequence('020100'), token);
}
