import { longestLine, mostBatchBytes, mostInBatch } from '../format';
import type { NewLine } from './options';
import { ArchiveRefusedError } from './refused';

/**
 * The lines in batches that every reader of a session takes: nearly always one.
 * @throws ArchiveRefusedError for a line that is longer than any of an archive.
 */
export function batchesOf(lines: readonly NewLine[]): NewLine[][] {
  const batches: NewLine[][] = [];
  let bytes = 0;
  for (const one of lines) {
    const most = mostBytesOf(one);
    const last = batches.at(-1);
    if (last !== undefined && last.length < mostInBatch && bytes + most <= mostBatchBytes) {
      last.push(one);
      bytes += most;
    } else {
      batches.push([one]);
      bytes = most;
    }
  }
  return batches;
}

/** At most the bytes of a line, which are not counted of a short one. */
function mostBytesOf({ id, line }: NewLine): number {
  const most = 3 * line.length;
  if (most <= longestLine || Buffer.byteLength(line) <= longestLine) return most;
  throw new ArchiveRefusedError(
    `The event ${id} is longer than ${longestLine} bytes, which no line of an archive can be.`,
  );
}
