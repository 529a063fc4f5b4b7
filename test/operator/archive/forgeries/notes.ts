import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

// C2SP signed-note and tlog-checkpoint.

/** A key that signs notes: the name is the origin of a log. */
export interface Signer {
  readonly name: string;
  readonly privateKey: KeyObject;
  /** `origin+hash+base64`: what an auditor is given. */
  readonly vkey: string;
  readonly id: Buffer;
}

const ed25519 = Buffer.from([1]);

export function newSigner(name: string): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return signerOf(name, privateKey, publicKey);
}

export function signerOf(name: string, privateKey: KeyObject, publicKey: KeyObject): Signer {
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const key = Buffer.concat([ed25519, raw]);
  const id = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, 4);
  return {
    name,
    privateKey,
    id,
    vkey: `${name}+${id.toString('hex')}+${key.toString('base64')}`,
  };
}

export function signatureLine({ name, privateKey, id }: Signer, text: string): string {
  const signature = sign(null, Buffer.from(text), privateKey);
  return `— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

/** A note: its text, an empty line, and a line for each signature. */
export function noteOf(text: string, signers: readonly Signer[]): string {
  return `${text}\n${signers.map((signer) => signatureLine(signer, text)).join('')}`;
}

export function checkpointOf(
  origin: string,
  size: number | string,
  root: Buffer,
  signers: readonly Signer[],
): string {
  return noteOf(`${origin}\n${size}\n${root.toString('base64')}\n`, signers);
}

/** The notes of a file of checkpoints: an empty line ends the text of each, and another one its signatures. */
export function notesIn(text: string): string[] {
  const parts = text.split('\n\n');
  const notes: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2)
    notes.push(`${parts[at]}\n\n${(parts[at + 1] as string).replace(/\n*$/, '')}\n`);
  return notes;
}

export const textOfNotes = (notes: readonly string[]): string =>
  notes.map((note) => `${note}\n`).join('');

export const sizeOf = (note: string): number => Number(note.split('\n')[1]);
