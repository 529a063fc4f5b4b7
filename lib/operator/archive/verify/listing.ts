import { names } from '../format';
import type { FolderFiles } from '../read/files';
import { eachLine } from '../read/lines';
import { LogFormatError } from '../tlog';
import type { Findings } from './findings';
import { type Leftover, readLeftover } from './tail';

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

/** The files that a sealing left which did not end: they begin where the sealed segments end. */
export async function findLeftovers(
  files: FolderFiles,
  listed: ListedFiles,
  sealed: number,
): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for await (const { path } of files.paths()) {
    if (names.readSegmentName(path)?.from !== sealed || listed.has(path)) continue;
    const leftover = await readLeftover(files, path);
    if (leftover !== null) found.push(leftover);
  }
  return found;
}

/** Reports every file that an archive does not have, and those of segments that no record lists. */
export async function checkListing(
  files: FolderFiles,
  {
    listed,
    leftovers,
    findings,
  }: { listed: ListedFiles; leftovers: readonly Leftover[]; findings: Findings },
): Promise<void> {
  const left = new Set(leftovers.filter(({ isSame }) => isSame).map(({ path }) => stemOf(path)));
  for await (const { path, isPlain } of files.paths()) {
    const known = names.readName(path);
    if (!isPlain || known === null) {
      findings.fault(path, null, 'it is no file of an archive');
    } else if (known.kind === 'unfinished') {
      findings.note(path, null, 'a file that was not finished: it does not count');
    } else if (['segment', 'leaves', 'find', 'totals'].includes(known.kind)) {
      if (listed.has(path)) continue;
      if (left.has(stemOf(path))) {
        findings.note(path, null, 'a sealing that did not end left it; the session has its events');
      } else findings.fault(path, null, 'no record lists this file');
    }
  }
}

/** Compares the file of checksums, a convenience, with the records. */
export async function checkSums(
  files: FolderFiles,
  listed: ListedFiles,
  findings: Findings,
): Promise<void> {
  const file = names.checksumsName;
  try {
    const chunks = await files.chunks(file);
    if (chunks === null) return;
    await eachLine(chunks, (line, number) => {
      const [, sum, path = ''] =
        /^([0-9a-f]{64}) [ *](\S{1,200})$/.exec(line.toString('latin1')) ?? [];
      const isRight = sum !== undefined && listed.sumOf(path) === sum;
      if (!isRight) findings.fault(file, number, 'it is not the checksum that the record has');
    });
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(file, null, error.message);
  }
}

function stemOf(path: string): string {
  return path.replace(/\.(?:jsonl\.gz|jsonl\.zst|leaves|find|totals)$/, '');
}
