import {
  type ArchiveIdentity,
  identityText,
  type KeyLine,
  keysText,
  type LogKey,
  names,
  parseIdentity,
  parseKeys,
} from '../format';
import { LogFormatError, type NoteSigner } from '../tlog';
import type { ArchiveDisk } from './disk';
import { ArchiveRefusedError } from './refused';
import { damaged } from './sealed';

/** Whose log it is, and the keys that have signed it. */
export interface Identified {
  readonly keys: readonly LogKey[];
}

/**
 * Reads whose archive the folder is; makes one of an empty folder. What is refused is left untouched.
 * @throws ArchiveRefusedError for a folder without an archive, or with one of another operator, origin, key or format.
 */
export async function identify(
  disk: ArchiveDisk,
  own: ArchiveIdentity,
  { vkey }: NoteSigner,
  token: string,
): Promise<Identified> {
  const text = await disk.read(names.identityName);
  if (text === null) await begin(disk, own, vkey, token);
  else refuseOther(text, own);
  // Another process may have begun it at the same moment.
  refuseOther((await disk.read(names.identityName)) ?? '', own);
  return { keys: await readKeys(disk) };
}

/** The keys of the log. @throws ArchiveRefusedError */
export async function readKeys(disk: ArchiveDisk): Promise<LogKey[]> {
  try {
    return parseKeys((await disk.read(names.keysName)) ?? '');
  } catch (error) {
    if (error instanceof LogFormatError) throw damaged(names.keysName, error.message);
    throw error;
  }
}

/** @throws ArchiveRefusedError unless this key signs the log now. */
export function refuseOtherKey(keys: readonly LogKey[], { id, vkey }: NoteSigner): void {
  if (keys.at(-1)?.vkey === vkey) return;
  throw new ArchiveRefusedError(
    keys.some((key) => key.vkey === vkey)
      ? `The key ${id} has signed this log once, and another does now.`
      : `The log is signed by another key than ${id}: see archive key rotate and archive key replace.`,
  );
}

/** Replaces the keys of the log. */
export async function writeKeys(
  disk: ArchiveDisk,
  keys: readonly KeyLine[],
  token: string,
): Promise<void> {
  const temporary = names.unfinishedName(`${names.keysName}.${token}`);
  await disk.create(temporary, [keysText(keys)]);
  await disk.rename(temporary, names.keysName);
  await disk.sync('.');
}

/** The keys come first: a folder with `archive.json` has them. */
async function begin(
  disk: ArchiveDisk,
  own: ArchiveIdentity,
  vkey: string,
  token: string,
): Promise<void> {
  const keys = keysText([{ vkey, signsFrom: 0, signedOver: null }]);
  await refuseUsed(disk, keys);
  for (const [name, text] of [
    [names.keysName, keys],
    [names.identityName, identityText(own)],
  ] as const) {
    const temporary = names.unfinishedName(`${name}.${token}`);
    await disk.create(temporary, [text]);
    try {
      await disk.link(temporary, name);
    } finally {
      await disk.remove(temporary);
    }
    await disk.sync('.');
  }
}

/** An archive begins in an empty folder, or in one that a crash left so. */
async function refuseUsed(disk: ArchiveDisk, keys: string): Promise<void> {
  for (const name of await disk.list('.')) {
    if (/^(?:keys|archive\.json)\.[0-9a-f]+\.tmp$/.test(name)) continue;
    if (name === names.keysName && (await disk.read(name)) === keys) continue;
    if (/^\d{4}-\d\d-\d\dT\d\d.*\.(?:open|jsonl\.gz)$/.test(name)) throw ofFormat1();
    throw new ArchiveRefusedError(
      'The folder is no archive, and not empty: name one that is, or a path that does not exist.',
    );
  }
}

function refuseOther(text: string, own: ArchiveIdentity): void {
  if (isFormat1(text)) throw ofFormat1();
  let found: ArchiveIdentity;
  try {
    found = parseIdentity(text);
  } catch (error) {
    if (error instanceof LogFormatError) throw new ArchiveRefusedError(error.message);
    throw error;
  }
  if (found.operatorId !== own.operatorId) {
    throw new ArchiveRefusedError(
      'The folder holds the events of another operator: use a separate folder for each.',
    );
  }
  if (found.origin !== own.origin) {
    throw new ArchiveRefusedError(
      `The folder is the log ${found.origin}, and the key is of ${own.origin}.`,
    );
  }
}

/** Whether an `archive.json` is one of hours and checksums, as version 0.1 wrote it. */
export function isFormat1(identity: string): boolean {
  try {
    const value = JSON.parse(identity) as { operatorId?: unknown; format?: unknown } | null;
    return typeof value?.operatorId === 'string' && value.format === undefined;
  } catch {
    return false;
  }
}

function ofFormat1(): ArchiveRefusedError {
  return new ArchiveRefusedError(
    'The folder is an archive of format 1. Bring it into a new folder: rgs-wallet archive import OLD --to NEW --key FILE',
  );
}
