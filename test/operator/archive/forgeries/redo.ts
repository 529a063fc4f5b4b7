import { FindFilter, LeavesBuilder } from '../../../../lib/operator/archive/format';
import {
  type ArchiveFiles,
  joinLines,
  type Json,
  padded,
  type SegmentRecord,
  sha256Hex,
  splitLines,
} from './archive-files';
import { checkpointOf, notesIn, type Signer, sizeOf } from './notes';
import { leafHash, rootOf, subtreesOf } from './tree';

export interface Redo {
  readonly origin: string;
  /** Who signs what is made anew; nobody: the signatures that were there stay, over other texts. */
  readonly signers: readonly Signer[];
}

/**
 * Makes a log anew from its lines, as they are after the forger: names, places, sums, subtrees, roots, checkpoints. What
 * is then wrong is only what somebody else knows.
 */
export function redoLog(archive: ArchiveFiles, redo: Redo): void {
  const leaves: Buffer[] = [];
  const checkpoints = new Map<number, string>();
  const checkpoint = (size: number, former: string): string => {
    const made = checkpointOf(redo.origin, size, rootOf(leaves.slice(0, size)), redo.signers);
    const note = redo.signers.length > 0 ? made : made + signaturesOf(former);
    checkpoints.set(size, note);
    return note;
  };
  for (const [path, record, lines] of segmentsOf(archive)) {
    const from = leaves.length;
    leaves.push(...lines.map(leafHash));
    const note = checkpoint(leaves.length, String(record['checkpoint']));
    const changes = {
      from,
      count: lines.length,
      ...timesOf(lines),
      range: subtreesOf(leaves, from, lines.length),
      checkpoint: note,
    };
    rewriteSegment(archive, path, record, changes);
  }
  for (const at of archive.recordPaths.keys()) redoSidecars(archive, at);
  redoChecksums(archive);
  redoSession(archive, leaves);
  const notes = notesIn(archive.text('checkpoints'));
  for (const note of notes) {
    const size = sizeOf(note);
    if (size <= leaves.length) checkpoint(size, note);
  }
  const inOrder = [...checkpoints].toSorted(([one], [other]) => one - other);
  archive.setNotes(inOrder.map(([, note]) => note));
}

const signaturesOf = (note: string): string => note.slice(note.lastIndexOf('\n\n') + 2);

type Found = [path: string, record: SegmentRecord, lines: Buffer[]];

function segmentsOf(archive: ArchiveFiles): Found[] {
  return archive.recordPaths.map((path, at) => [path, archive.record(at), archive.lines(at)]);
}

/** The least and the greatest time of these events. */
export function timesOf(lines: readonly Buffer[]): { first: string; last: string } {
  const times = lines.map((line) => (JSON.parse(line.toString()) as { at: string }).at).toSorted();
  return { first: times[0] as string, last: times.at(-1) as string };
}

/** Under the name that belongs to its place, with its own sums. */
function rewriteSegment(
  archive: ArchiveFiles,
  path: string,
  record: SegmentRecord,
  changes: Json & { readonly from: number },
): void {
  const file = record.file.replace(/\d{12}(?=-)/, padded(changes.from));
  const moved = file !== record.file;
  if (moved) {
    for (const ending of ['.jsonl.gz', '.leaves', '.find']) {
      const old = record.file.replace('.jsonl.gz', ending);
      if (archive.files.has(old)) archive.rename(old, file.replace('.jsonl.gz', ending));
    }
  }
  const bytes = archive.bytes(file);
  archive.files.delete(path);
  const redone = { ...record, ...changes, file, bytes: bytes.length, sha256: sha256Hex(bytes) };
  archive.set(`segments/${padded(changes.from)}.json`, `${JSON.stringify(redone)}\n`);
}

function redoChecksums(archive: ArchiveFiles): void {
  const records = [...archive.recordPaths.keys()].map((at) => archive.record(at));
  archive.set(
    'SHA256SUMS',
    records.map(({ sha256, file }) => `${String(sha256)}  ${file}\n`).join(''),
  );
}

/** The lines of the sums of a session, over the events that are in it now. */
export function redoSession(archive: ArchiveFiles, leaves: Buffer[]): void {
  if (!archive.hasSession) return;
  const path = archive.sessionPath;
  let waiting = 0;
  const lines = splitLines(archive.bytes(path)).flatMap((line) => {
    const entry = JSON.parse(line.toString()) as Json;
    if ('type' in entry) {
      leaves.push(leafHash(line));
      waiting++;
      return [line];
    }
    if (!('batch' in entry)) return [line];
    const root = rootOf(leaves).toString('base64');
    const redone = { ...entry, batch: waiting, size: leaves.length, root };
    const isEmpty = waiting === 0;
    waiting = 0;
    return isEmpty ? [] : [Buffer.from(JSON.stringify(redone))];
  });
  archive.set(path, joinLines(lines));
}

/** All leaf hashes of the log, of its session too. */
export function leavesOf(archive: ArchiveFiles): Buffer[] {
  const sealed = segmentsOf(archive).flatMap(([, , lines]) => lines.map(leafHash));
  const open = splitLines(archive.bytes(archive.sessionPath)).filter(
    (line) => 'type' in (JSON.parse(line.toString()) as Json),
  );
  return [...sealed, ...open.map(leafHash)];
}

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
