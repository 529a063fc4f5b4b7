import { sign, verify } from 'node:crypto';
import { decodeBase64 } from './base64';
import { LogFormatError } from './format-error';
import { isKeyName, type NoteKey, type NoteSigner } from './note-key';

/** A text with its signatures: C2SP signed-note. */
export interface SignedNote {
  /** With its last line break. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A signature line. */
export interface NoteSignature {
  readonly name: string;
  /** Id of the key, in hexadecimal. */
  readonly id: string;
  readonly signature: Buffer;
}

/** Longest note, in characters. */
export const longestNote = 65_536;

/** Signs a text. @throws TypeError unless it is lines of printable text, each with its line break. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isNoteText(text)) throw new TypeError('text: lines that end with a line break');
  const lines = signers.map(({ name, id, privateKey }) => {
    const signature = signText(text, { privateKey });
    return signatureLine({ name, id, signature });
  });
  return `${text}\n${lines.join('')}`;
}

/** The signature of Ed25519 over a text in UTF-8. */
export function signText(text: string, { privateKey }: Pick<NoteSigner, 'privateKey'>): Buffer {
  return sign(null, Buffer.from(text), privateKey);
}

/** Whether the signature is this key's over the text. */
export function verifyText(text: string, { publicKey }: NoteKey, signature: Buffer): boolean {
  return verify(null, Buffer.from(text), publicKey, signature);
}

/** Reads a note; who signed it is not checked. @throws LogFormatError */
export function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split('\n');
  if (note.length > longestNote) throw new LogFormatError('the note is too long');
  if (end < 0 || !isNoteText(text))
    throw new LogFormatError('the note is not a text and signatures');
  if (lines.length < 2 || lines.pop() !== '') {
    throw new LogFormatError('the last signature of the note is torn');
  }
  if (lines.length > mostSignatures) throw new LogFormatError('the note has too many signatures');
  return { text, signatures: lines.map(parseSignature) };
}

/**
 * The keys that have signed a note. Signatures of unknown keys are ignored; a wrong one of a known key spoils
 * the note. @throws LogFormatError if a signature is wrong.
 */
export function signersOf({ text, signatures }: SignedNote, known: readonly NoteKey[]): NoteKey[] {
  const signers = new Set<NoteKey>();
  for (const { name, id, signature } of signatures) {
    for (const key of known) {
      if (key.name !== name || key.id !== id) continue;
      if (!verifyText(text, key, signature)) {
        throw new LogFormatError('a signature of the note is wrong');
      }
      signers.add(key);
    }
  }
  return [...signers];
}

/** Reads a note that a known key must have signed. @throws LogFormatError */
export function openNote(
  note: string,
  known: readonly NoteKey[],
): SignedNote & {
  readonly signers: readonly NoteKey[];
} {
  const parsed = parseNote(note);
  const signers = signersOf(parsed, known);
  if (signers.length === 0) throw new LogFormatError('the note is not signed by a known key');
  return { ...parsed, signers };
}

/** A signature as a line, with its line break. */
export function signatureLine({ name, id, signature }: NoteSignature): string {
  const bytes = Buffer.concat([Buffer.from(id, 'hex'), signature]);
  return `${lineStart}${name} ${bytes.toString('base64')}\n`;
}

/** Adds signature lines of other parties, as of a witness. @throws LogFormatError */
export function addSignatures(note: string, lines: string): string {
  const joined = `${note}${lines}`;
  const { text } = parseNote(note);
  if (parseNote(joined).text !== text) throw new LogFormatError('the lines are not signatures');
  return joined;
}

function parseSignature(line: string): NoteSignature {
  const [name = '', data = '', ...more] = line.slice(lineStart.length).split(' ');
  if (!line.startsWith(lineStart) || !isKeyName(name) || more.length > 0) {
    throw new LogFormatError('a signature of the note is not a name and base64');
  }
  const bytes = decodeBase64(data, 'a signature of the note');
  if (bytes.length < 5) throw new LogFormatError('a signature of the note is too short');
  return { name, id: bytes.subarray(0, 4).toString('hex'), signature: bytes.subarray(4) };
}

/** Valid text, and no control characters but line breaks. */
function isNoteText(text: string): boolean {
  return text.endsWith('\n') && text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text);
}

const mostSignatures = 64;
const lineStart = '\u2014 ';
