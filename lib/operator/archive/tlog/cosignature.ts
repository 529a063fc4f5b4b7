import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { decodeBase64 } from './base64';
import { LogFormatError } from './format-error';
import { sha256 } from './hashes';
import { type NoteSignature, signatureLine } from './note';
import { isKeyName, type NoteSigner } from './note-key';

/** The key of a witness: C2SP tlog-cosignature, Ed25519, type 0x04. */
export interface WitnessKey {
  readonly name: string;
  /** First 4 bytes of the key's hash, in hexadecimal. */
  readonly id: string;
  readonly publicKey: KeyObject;
}

/** The key of a witness, as it is published: `name+id+base64`. */
export function witnessVkey({ name, publicKey }: Pick<NoteSigner, 'name' | 'publicKey'>): string {
  const bytes = Buffer.concat([Buffer.from([cosignature]), rawOf(publicKey)]);
  return `${name}+${idOf(name, bytes)}+${bytes.toString('base64')}`;
}

/** Reads the published key of a witness. @throws LogFormatError */
export function parseWitnessVkey(vkey: string): WitnessKey {
  const [, name, id, data] =
    /^([^+]{1,256})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{1,100})$/.exec(vkey) ?? [];
  if (name === undefined || id === undefined || data === undefined || !isKeyName(name)) {
    throw new LogFormatError('the key of the witness is not name+id+base64');
  }
  const bytes = decodeBase64(data, 'the key of the witness');
  if (bytes.length !== 33 || bytes[0] !== cosignature || idOf(name, bytes) !== id) {
    throw new LogFormatError('the key of the witness is not one of cosignatures by Ed25519');
  }
  const spki = Buffer.concat([spkiStart, bytes.subarray(1)]);
  try {
    return { name, id, publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }) };
  } catch (error) {
    throw new LogFormatError('the key of the witness is not one of Ed25519', { cause: error });
  }
}

/** The line with which a witness states that it saw the log of this text only grow. @param seconds Since 1970. */
export function cosign(
  text: string,
  { name, publicKey, privateKey }: Pick<NoteSigner, 'name' | 'publicKey' | 'privateKey'>,
  seconds: number,
): string {
  const bytes = Buffer.concat([Buffer.from([cosignature]), rawOf(publicKey)]);
  const at = Buffer.alloc(8);
  at.writeBigUInt64BE(BigInt(seconds));
  const signature = Buffer.concat([at, sign(null, messageOf(text, seconds), privateKey)]);
  return signatureLine({ name, id: idOf(name, bytes), signature });
}

/** When the witness signed the text, in seconds since 1970; null if the signature is not its own. */
export function cosignedAt(
  text: string,
  { name, id, signature }: NoteSignature,
  key: WitnessKey,
): number | null {
  if (name !== key.name || id !== key.id || signature.length !== 72) return null;
  const seconds = Number(signature.readBigUInt64BE(0));
  if (!Number.isSafeInteger(seconds)) return null;
  const isOwn = verify(null, messageOf(text, seconds), key.publicKey, signature.subarray(8));
  return isOwn ? seconds : null;
}

function messageOf(text: string, seconds: number): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
}

function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(spkiStart.length);
}

function idOf(name: string, typeAndKey: Buffer): string {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), typeAndKey]))
    .subarray(0, 4)
    .toString('hex');
}

const cosignature = 4;
/** What SPKI writes before the 32 bytes of a public key of Ed25519. */
const spkiStart = Buffer.from('302a300506032b6570032100', 'hex');
