import { names, type SegmentRecord } from '../format';
import { type ArchiveDisk, codeOf } from './disk';

/** A line of `SHA256SUMS`, as `sha256sum -c` reads it. */
function lineOf({ sha256, file }: SegmentRecord): string {
  return `${sha256}  ${file}\n`;
}

/** Makes `SHA256SUMS` that of the records, where it is not: a crash may have come between. */
export async function writeChecksums(
  disk: ArchiveDisk,
  records: readonly SegmentRecord[],
  token: string,
): Promise<void> {
  const text = records.map(lineOf).join('');
  if ((await disk.read(names.checksumsName)) === text) return;
  const temporary = names.unfinishedName(`${names.checksumsName}.${token}`);
  await disk.create(temporary, [text]);
  await disk.rename(temporary, names.checksumsName);
  await disk.sync('.');
}

/** Adds a segment. */
export async function addChecksum(disk: ArchiveDisk, record: SegmentRecord): Promise<void> {
  try {
    await disk.append(names.checksumsName, lineOf(record));
  } catch (error) {
    // Somebody has deleted it: the next start writes it anew.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
