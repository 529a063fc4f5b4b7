import { type Disk, type DiskFile, writeAll } from './disk';
import { lineOf } from './line';
import type { JournalEvent } from './port';

/** Where a file of lines ends. */
export interface End {
  /** How many lines it has. */
  readonly lines: number;
  readonly bytes: number;
}

/** Writes these encoded events as the lines after an end; resolves to the new end. */
export async function writeLines(
  file: DiskFile,
  { lines, bytes }: End,
  events: readonly Buffer[],
): Promise<End> {
  const parts = events.flatMap((one, at) => lineOf(lines + 1 + at, one));
  const text = parts.length === 0 ? Buffer.alloc(0) : Buffer.concat(parts);
  await writeAll(file, text, bytes);
  return { lines: lines + events.length, bytes: bytes + text.length };
}

/** About how many characters of a snapshot become one line. */
const lineLength = 262_144;

/**
 * A snapshot as lines of about 256 KiB, encoded.
 * @throws TypeError for what is not JSON; Error of the iterable.
 */
export function encodeSnapshot(snapshot: Iterable<JournalEvent>): readonly Buffer[] {
  const lines: Buffer[] = [];
  let texts: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (texts.length > 0) lines.push(Buffer.from(`[${texts.join(',')}]`));
    [texts, length] = [[], 0];
  };
  for (const event of snapshot) {
    const text = JSON.stringify(event);
    texts.push(text);
    length += text.length;
    if (length >= lineLength) flush();
  }
  flush();
  return lines;
}

/** A snapshot on its way into the file's place. */
export interface Compaction {
  /** The number of the last append that it replaces. */
  readonly replaces: number;
  /** The encoded events of the lines that were written after it. */
  readonly since: Buffer[];
}

/** A new file with a snapshot in it, next to the journal's. */
export interface Written {
  readonly file: DiskFile;
  readonly end: End;
}

/** The name of the new file of a compaction. */
export function temporaryPath(path: string): string {
  return `${path}.compacting`;
}

/** Writes a snapshot to the new file, durably; if it fails, nothing remains. @throws Error of the disk. */
export async function writeSnapshot(
  disk: Disk,
  path: string,
  snapshot: readonly Buffer[],
): Promise<Written> {
  const temporary = temporaryPath(path);
  await disk.remove(temporary);
  const file = await disk.open(temporary, 'new');
  try {
    let end: End = { lines: 0, bytes: 0 };
    for (const one of snapshot) end = await writeLines(file, end, [one]);
    await file.sync();
    return { file, end };
  } catch (error) {
    await discard(disk, path, file);
    throw error;
  }
}

/** Removes the new file of a compaction that failed. What it leaves is removed when the journal is opened. */
export async function discard(disk: Disk, path: string, file: DiskFile): Promise<void> {
  await file.close().catch(() => {});
  await disk.remove(temporaryPath(path)).catch(() => {});
}
