import { createPublicKey, type KeyObject } from 'node:crypto';
import { decodeBase64 } from './base64';
import { LogFormatError } from './format-error';
import { sha256 } from './hashes';

/** A known key of a C2SP signed note: Ed25519, type 0x01. */
export interface NoteKey {
  /** The key's name; of a log its origin. */
  readonly name: string;
  /** First 4 bytes of the key's hash, in hexadecimal. */
  readonly id: string;
  readonly publicKey: KeyObject;
  /** `name+id+base64`, as it is published. */
  readonly vkey: string;
}

/** A key that can sign. */
export interface NoteSigner extends NoteKey {
  readonly privateKey: KeyObject;
}

/** Whether a text can name a key: no spaces, no plus, no control characters, at most 256 characters. */
export function isKeyName(name: string): boolean {
  return name.length <= 256 && /^[^\s+\p{Cc}\p{Cf}\p{Cs}\p{Z}]+$/u.test(name);
}

/** Reads a published key. @throws LogFormatError */
export function parseVkey(vkey: string): NoteKey {
  const [, name, id, data] =
    /^([^+]{1,256})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{1,100})$/.exec(vkey) ?? [];
  if (name === undefined || id === undefined || data === undefined || !isKeyName(name)) {
    throw new LogFormatError('the key is not name+id+base64');
  }
  const bytes = decodeBase64(data, 'the key');
  if (bytes.length !== 33 || bytes[0] !== ed25519) {
    throw new LogFormatError('the key is not one of Ed25519');
  }
  if (keyId(name, bytes) !== id)
    throw new LogFormatError('the id of the key is not that of its content');
  return { name, id, publicKey: publicKeyOf(bytes.subarray(1)), vkey };
}

/** A key of this name over an Ed25519 key of node:crypto. @throws TypeError for another kind, or a wrong name. */
export function noteSigner(name: string, privateKey: KeyObject): NoteSigner {
  if (!isKeyName(name)) throw new TypeError('name: a text without spaces and plus');
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== 'ed25519') {
    throw new TypeError('privateKey: a private key of Ed25519');
  }
  const publicKey = createPublicKey(privateKey);
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(spkiStart.length);
  const bytes = Buffer.concat([Buffer.from([ed25519]), raw]);
  const id = keyId(name, bytes);
  return { name, id, publicKey, privateKey, vkey: `${name}+${id}+${bytes.toString('base64')}` };
}

function keyId(name: string, typeAndKey: Uint8Array): string {
  const digest = sha256(Buffer.concat([Buffer.from(`${name}\n`), typeAndKey]));
  return digest.subarray(0, 4).toString('hex');
}

function publicKeyOf(raw: Uint8Array): KeyObject {
  const key = Buffer.concat([spkiStart, raw]);
  try {
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch (error) {
    throw new LogFormatError('the key is not one of Ed25519', { cause: error });
  }
}

const ed25519 = 1;
/** What SPKI writes before the 32 bytes of a public key of Ed25519. */
const spkiStart = Buffer.from('302a300506032b6570032100', 'hex');
