import { decodeBase64, parseSize } from './base64';
import { LogFormatError } from './format-error';
import { hashBytes } from './hashes';
import { longestNote } from './note';

/** A proof that an entry is in a log, for anyone with the log's key: C2SP tlog-proof. */
export interface EntryProof {
  /** Index of the entry, from 0. */
  readonly index: number;
  /** The inclusion proof, from the entry's sibling upwards. */
  readonly path: readonly Buffer[];
  /** The signed checkpoint, as it is. */
  readonly checkpoint: string;
}

/** The proof as a file. */
export function proofText({ index, path, checkpoint }: EntryProof): string {
  const hashes = path.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `${firstLine}\nindex ${index}\n${hashes}\n${checkpoint}`;
}

/** Reads a proof; extra data, which nobody signed, is skipped. @throws LogFormatError */
export function parseProof(text: string): EntryProof {
  if (text.length > longestNote) throw new LogFormatError('the proof is too long');
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  if (first !== firstLine) throw new LogFormatError('the text is no tlog-proof');
  if (lines[0]?.startsWith('extra ') === true) {
    decodeBase64(lines.shift()?.slice('extra '.length) ?? '', 'the extra data of the proof');
  }
  const index = lines.shift() ?? '';
  if (!index.startsWith('index ')) throw new LogFormatError('the proof has no index');
  if (lines.length > mostHashes) throw new LogFormatError('the proof has too many hashes');
  const path = lines.map((line) => decodeBase64(line, 'a hash of the proof'));
  if (path.some(({ length }) => length !== hashBytes)) {
    throw new LogFormatError('a hash of the proof has not 32 bytes');
  }
  return {
    index: parseSize(index.slice('index '.length), 'the index of the proof'),
    path,
    checkpoint: text.slice(end + 2),
  };
}

const firstLine = 'c2sp.org/tlog-proof@v1';
/** Of a log of 2^53 entries. */
const mostHashes = 53;
