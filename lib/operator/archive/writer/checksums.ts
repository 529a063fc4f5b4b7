import { createHash } from 'node:crypto';
import { names, type SegmentRecord } from '../format';
import { type ArchiveDisk, codeOf } from './disk';
import { sealedRecords } from './sealed';

/** A line of `SHA256SUMS`, as `sha256sum -c` reads it. */
export function checksumLine({ sha256, file }: SegmentRecord): string {
  return `${sha256}  ${file}\n`;
}

/**
 * Makes `SHA256SUMS` that of the records, where it is not: a crash may have come between.
 * @param digest SHA-256 of their lines, in hexadecimal.
 */
export async function writeChecksums(
  disk: ArchiveDisk,
  digest: string,
  token: string,
): Promise<void> {
  if ((await digestOf(disk)) === digest) return;
  const temporary = names.unfinishedName(`${names.checksumsName}.${token}`);
  await disk.create(temporary, checksums(disk));
  await disk.rename(temporary, names.checksumsName);
  await disk.sync('.');
}

/** Null if the file does not exist. */
async function digestOf(disk: ArchiveDisk): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of disk.chunks(names.checksumsName)) hash.update(chunk);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

/** Lines that are written together. */
const linesOfPiece = 512;

async function* checksums(disk: ArchiveDisk): AsyncGenerator<Buffer> {
  let lines: string[] = [];
  for await (const record of sealedRecords(disk)) {
    lines.push(checksumLine(record));
    if (lines.length < linesOfPiece) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}

/** Adds a segment. */
export async function addChecksum(disk: ArchiveDisk, record: SegmentRecord): Promise<void> {
  try {
    await disk.append(names.checksumsName, checksumLine(record));
  } catch (error) {
    // Somebody has deleted it: the next start writes it anew.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
