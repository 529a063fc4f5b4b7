import { decodeBase64, parseSize } from './base64';
import type { TreeHead } from './check-proof';
import { LogFormatError } from './format-error';
import { hashBytes } from './hashes';
import { parseNote, type SignedNote, signNote } from './note';
import type { NoteSigner } from './note-key';

/** What a log states about itself: C2SP tlog-checkpoint. */
export interface Checkpoint extends TreeHead {
  /** The log's name. */
  readonly origin: string;
}

/** The text that is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** A signed checkpoint. */
export function signCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  return signNote(checkpointText(checkpoint), signers);
}

/** Reads the text of a checkpoint; one with extension lines is refused. @throws LogFormatError */
export function parseCheckpointText(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...more] = text.split('\n');
  if (origin === '' || more.length !== 1 || more[0] !== '') {
    throw new LogFormatError('the checkpoint is not origin, size and root');
  }
  const hash = decodeBase64(root, 'the root of the checkpoint');
  if (hash.length !== hashBytes) throw new LogFormatError('the root of the checkpoint is no hash');
  return { origin, size: parseSize(size, 'the size of the checkpoint'), root: hash };
}

/** Reads a signed checkpoint; who signed it is for `signersOf`. @throws LogFormatError */
export function parseCheckpoint(note: string): Checkpoint & SignedNote {
  const signed = parseNote(note);
  return { ...parseCheckpointText(signed.text), ...signed };
}
