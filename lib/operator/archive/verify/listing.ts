import { names } from '../format';
import type { FolderFiles, HeldFile } from '../read/files';
import { eachLine } from '../read/lines';
import { recordIfWhole, recordStarts } from '../read/open-archive';
import { LogFormatError } from '../tlog';
import type { Findings } from './findings';

/** The files of the segments, as their records name them. */
export class ListedFiles {
  /** The SHA-256 of each file in hexadecimal, by its path without the ending. */
  readonly #sums = new Map<string, string>();

  add(file: string, sha256: string): void {
    this.#sums.set(stemOf(file), sha256);
  }

  /** Whether a record names the file, or the one that it is beside. */
  has(path: string): boolean {
    return this.#sums.has(stemOf(path));
  }

  sumOf(path: string): string | undefined {
    return this.#sums.get(stemOf(path));
  }
}

/** Reports every file that an archive does not have, and those of segments that no record lists. */
export async function checkListing(
  files: FolderFiles,
  { listed, size, findings }: { listed: ListedFiles; size: number; findings: Findings },
): Promise<void> {
  for await (const { path, isPlain } of files.paths()) {
    const known = names.readName(path);
    if (!isPlain || known === null) {
      findings.fault(path, null, 'it is no file of an archive');
    } else if (known.kind === 'unfinished') {
      findings.note(path, null, 'a file that was not finished: it does not count');
    } else if (['segment', 'leaves', 'find', 'totals'].includes(known.kind)) {
      if (listed.has(path)) continue;
      const reason = await whyUnlisted(files, path, size);
      if (reason === 'left') {
        const what = 'a sealing that did not end, or came too late, left it: it does not count';
        findings.note(path, null, what);
      } else if (reason === null) findings.fault(path, null, 'no record lists this file');
    }
  }
}

/** `new`: its record was linked meanwhile; `left`: the log has events from its index on; null: there are none. */
async function whyUnlisted(
  files: FolderFiles,
  path: string,
  size: number,
): Promise<'new' | 'left' | null> {
  const from = Number(/\/(\d{12})-/.exec(path)?.[1]);
  const record = await recordIfWhole(files, from);
  if (record !== null && stemOf(record.file) === stemOf(path)) return 'new';
  if (from <= size) return 'left';
  const newest = await recordIfWhole(files, (await recordStarts(files)).at(-1) ?? 0);
  return newest !== null && from <= newest.from + newest.count ? 'left' : null;
}

/** Opens SHA256SUMS as it is now: what is appended later is not compared. Null without the file. */
export async function holdSums(files: FolderFiles, findings: Findings): Promise<HeldFile | null> {
  try {
    return await files.hold(names.checksumsName);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(names.checksumsName, null, error.message);
    return null;
  }
}

/** Compares the checksums that there were when the file was opened, a convenience, with the records. */
export async function checkSums(
  sums: HeldFile,
  listed: ListedFiles,
  findings: Findings,
): Promise<void> {
  const file = names.checksumsName;
  const { lines, fault } = await eachLine(sums.chunks(sums.bytes), (line, number) => {
    const [, sum, path = ''] =
      /^([0-9a-f]{64}) [ *](\S{1,200})$/.exec(line.toString('latin1')) ?? [];
    const isRight = sum !== undefined && listed.sumOf(path) === sum;
    if (!isRight) findings.fault(file, number, 'it is not the checksum that the record has');
  });
  if (fault === 'torn') findings.note(file, lines + 1, 'a torn end: it does not count');
  else if (fault !== null) findings.fault(file, lines + 1, 'it is too long for a checksum');
}

function stemOf(path: string): string {
  return path.replace(/\.(?:jsonl\.gz|jsonl\.zst|leaves|find|totals)$/, '');
}
