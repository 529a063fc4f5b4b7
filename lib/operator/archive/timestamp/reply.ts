import { LogFormatError } from '../tlog';
import { contentOf, type DerElement, readElements, tags } from './der';
import { isSha256 } from './query';

/** Longest reply, in bytes: a token with its certificates has a few thousand. */
export const longestReply = 65_536;

/** What a reply says that was asked. Its signature is checked by `openssl ts -verify`, not here. */
export interface TimestampReply {
  /** The SHA-256 of what is stamped. */
  readonly imprint: Buffer;
  /** As it was asked; null if there is none. */
  readonly nonce: Buffer | null;
}

const signedDataOid = Buffer.from('2a864886f70d010702', 'hex');
const timestampInfoOid = Buffer.from('2a864886f70d0109100104', 'hex');

/** Reads a `TimeStampResp` of RFC 3161. @throws LogFormatError if it is something else, or the authority has refused. */
export function readTimestampReply(bytes: Buffer): TimestampReply {
  const [reply, ...behind] = readElements(bytes);
  const [statusInfo, token] = readElements(contentOf(reply, tags.sequence));
  if (behind.length > 0) throw new LogFormatError('more than a reply of a time authority');
  const [status, texts] = readElements(contentOf(statusInfo, tags.sequence));
  const granted = contentOf(status, tags.integer);
  if (granted.length !== 1 || (granted[0] ?? 2) > 1) {
    throw new LogFormatError(`the time authority refuses: ${textOf(texts)}`);
  }
  return readInfo(infoOf(token));
}

/** The content that a `ContentInfo` with signed data has: the time stamp. */
function infoOf(token: DerElement | undefined): Buffer {
  const signed = wrapped(readElements(contentOf(token, tags.sequence)), signedDataOid);
  const [, , content, ...more] = readElements(contentOf(readElements(signed)[0], tags.sequence));
  const info = wrapped(readElements(contentOf(content, tags.sequence)), timestampInfoOid);
  const signers = more.at(-1);
  if (readElements(contentOf(signers, tags.set)).length === 0) {
    throw new LogFormatError('the time stamp is not signed');
  }
  return contentOf(readElements(info)[0], tags.octets);
}

/** What is tagged `[0]` after this type. */
function wrapped([type, content]: readonly DerElement[], oid: Buffer): Buffer {
  if (contentOf(type, tags.oid).equals(oid)) return contentOf(content, tags.context0);
  throw new LogFormatError('it is no time stamp');
}

function readInfo(info: Buffer): TimestampReply {
  const [, , stamped, , , ...options] = readElements(
    contentOf(readElements(info)[0], tags.sequence),
  );
  const [algorithm, imprint] = readElements(contentOf(stamped, tags.sequence));
  const [oid] = readElements(contentOf(algorithm, tags.sequence));
  if (!isSha256(contentOf(oid, tags.oid))) {
    throw new LogFormatError('the time stamp is not of a SHA-256');
  }
  const nonce = options.find(({ tag }) => tag === tags.integer);
  return { imprint: contentOf(imprint, tags.octets), nonce: nonce?.content ?? null };
}

/** The reason of a refusal, without what would draw on a terminal. */
function textOf(texts: DerElement | undefined): string {
  if (texts?.tag !== tags.sequence) return 'it gives no reason';
  const reasons = readElements(texts.content).map(({ content }) => content.toString());
  return reasons
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 200);
}
