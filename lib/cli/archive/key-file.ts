import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { noteSigner, isKeyName, type NoteSigner } from '../../operator/archive/tlog';
import { CommandFailure } from '../terminal/failure';
import { reasonOf } from '../terminal/read-json-file';

/** Longest file of a key, in bytes. */
const longest = 16_384;

/**
 * Reads a private key: PKCS#8 PEM. The line before it, as `archive key new` writes it, names the log; `origin` names it
 * where the file does not.
 * @throws CommandFailure; never with anything of the key.
 */
export function readKeyFile(flag: string, file: string, origin?: string): NoteSigner {
  const text = readSecret(flag, file);
  const key = privateKeyOf(text);
  if (key === null) {
    throw new CommandFailure(
      `--${flag} must hold a private key of Ed25519 as PKCS#8 PEM: make one with archive key new`,
    );
  }
  const [, named] = /^([^+\n]{1,256})\+[0-9a-f]{8}\+\S{1,100}\n/.exec(text) ?? [];
  const name = origin ?? named;
  if (name === undefined) {
    throw new CommandFailure(
      `--${flag}: the file does not say of which log the key is: name it with --origin.`,
    );
  }
  if (named !== undefined && named !== name) {
    throw new CommandFailure(`--${flag}: the key is of ${named}, and --origin is another.`);
  }
  if (!isKeyName(name))
    throw new CommandFailure('--origin must be a name without spaces and plus.');
  return noteSigner(name, key);
}

/** Writes a new key, which nobody else can read. @throws CommandFailure, and leaves a file that is there. */
export function writeNewKey(file: string, origin: string): NoteSigner {
  if (!isKeyName(origin))
    throw new CommandFailure('--origin must be a name without spaces and plus.');
  const signer = noteSigner(origin, generateKeyPairSync('ed25519').privateKey);
  const pem = signer.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  try {
    writeDurably(file, `${signer.vkey}\n${pem}`);
  } catch (error) {
    throw new CommandFailure(`--out ${file} cannot be made: ${reasonOf(error)}`);
  }
  return signer;
}

/** A new file, whole and with its name on the disk; or none. */
function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } catch (error) {
    rmSync(file);
    throw error;
  } finally {
    closeSync(handle);
  }
  if (process.platform === 'win32') return; // no folder can be opened there
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function readSecret(flag: string, file: string): string {
  try {
    const { mode, size } = statSync(file);
    if ((mode & 0o007) !== 0) {
      throw new CommandFailure(
        `--${flag}: everybody on this machine can read ${file}: chmod 600 it, and think of it as stolen.`,
      );
    }
    if (size > longest) throw new CommandFailure(`--${flag}: ${file} is no key.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`--${flag} ${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** Null unless it is a private key of Ed25519. */
function privateKeyOf(text: string): KeyObject | null {
  try {
    const key = createPrivateKey({ key: text, format: 'pem' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
