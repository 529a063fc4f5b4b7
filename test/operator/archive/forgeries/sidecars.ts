import { FindFilter, LeavesBuilder } from '../../../../lib/operator/archive/format';
import type { ArchiveFiles } from './archive-files';
import { leafHash } from './tree';

// What is no evidence, and has a format of its own: as the archive itself writes it.

/** `.leaves` and `.find` of these lines. */
export function sidecarsOf(
  from: number,
  lines: readonly Buffer[],
): { leaves: Buffer; find: Buffer } {
  const leaves = new LeavesBuilder(from);
  const find = FindFilter.forEvents(lines.length);
  for (const line of lines) {
    leaves.append(leafHash(line));
    if (isJson(line)) find.add(JSON.parse(line.toString()) as object);
  }
  return { leaves: Buffer.from(leaves.encode()), find: Buffer.from(find.encode()) };
}

/** A forger writes what is none, too. */
function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}

export function redoSidecars(archive: ArchiveFiles, at: number): void {
  const made = sidecarsOf(archive.record(at).from, archive.lines(at));
  archive.set(archive.sidecar(at, 'leaves'), made.leaves);
  archive.set(archive.sidecar(at, 'find'), made.find);
}
