import { type EventQuery, lineQuery } from '../find/event-query';
import { mayHave } from '../find/segment-filter';
import { eachUnsealedEvent, recordsInOrder } from '../find/segments';
import { names } from '../format';
import { FolderFiles } from '../read/files';
import { readNotes } from '../read/heads';
import { openArchive, signedSize } from '../read/open-archive';
import { ArchiveUnreadableError } from '../read/unreadable';
import {
  inclusionProof,
  isIncluded,
  KnownSubtrees,
  leafHash,
  LogFormatError,
  parseCheckpoint,
  proofText,
  signersOf,
} from '../tlog';
import { hashSegment, UnsealedLeaves } from './known-hashes';

/** An event with the proof that it is in the log. */
export interface ProvedEvent {
  /** Index in the log, from 0. */
  readonly index: number;
  /** The event as it was archived: one line of JSON. */
  readonly text: string;
  /** The proof: a C2SP tlog-proof, with the checkpoint. */
  readonly proof: string;
}

/** Events with their proofs, all by one checkpoint. */
export interface EventProofs {
  readonly origin: string;
  readonly events: readonly ProvedEvent[];
  /** The key that signed the checkpoint, as it is published. */
  readonly vkey: string;
  /** The log that they are in. */
  readonly size: number;
  readonly checkpoint: string;
}

/** Most events of a proof. */
export const mostProved = 10_000;

/**
 * Proves events of a round, a hash or a reference, by the newest checkpoint that the archive has for them. Each proof was
 * checked. Reads the segments that have the events, and every record.
 * @throws TypeError for a wrong query; ArchiveUnreadableError if there is no such event, none of its checkpoints covers one
 * yet, or the archive is damaged there.
 */
export function proveEvents(folder: string, query: EventQuery): Promise<EventProofs> {
  return proveFrom(new FolderFiles(folder), query);
}

/** Proves events of the archive of these files. */
export async function proveFrom(files: FolderFiles, query: EventQuery): Promise<EventProofs> {
  const opened = await openArchive(files);
  const { identity } = opened;
  const log = await readLog(files, query, await signedSize(files, opened));
  const { found, known, unsealed } = log;
  if (found.length === 0) throw new ArchiveUnreadableError('the archive has no such event');
  const needed = (found.at(-1)?.index ?? 0) + 1;
  const head = await newestHead(files, { ...log, needed, origin: identity.origin });
  for (const subtree of unsealed.subtrees(head.size)) known.add(subtree);
  const events = found.map(({ index, text }) => {
    const path = inclusionProof(index, head.size, known);
    if (!isIncluded(leafHash(text), index, path, head)) {
      throw new ArchiveUnreadableError('the events are not in the signed log: verify the archive');
    }
    return { index, text, proof: proofText({ index, path, checkpoint: head.note }) };
  });
  const { vkey, size, note: checkpoint } = head;
  return { origin: identity.origin, events, vkey, size, checkpoint };
}

/** What is known of the log after reading its records and the segments with such events. */
interface ReadLog {
  readonly found: readonly { readonly index: number; readonly text: string }[];
  readonly known: KnownSubtrees;
  readonly unsealed: UnsealedLeaves;
  /** The checkpoint of the last record; null without any. */
  readonly sealedNote: string | null;
}

async function readLog(files: FolderFiles, query: EventQuery, signed: number): Promise<ReadLog> {
  const asked = lineQuery(query);
  const found: { index: number; text: string }[] = [];
  const known = new KnownSubtrees();
  let count = 0;
  const fits = (line: Buffer): boolean => {
    if (!asked.fits(line)) return false;
    count += 1;
    if (count <= mostProved) return true;
    throw new ArchiveUnreadableError(`there are more than ${mostProved} such events: ask for less`);
  };
  let [sealed, sealedNote] = [0, null as string | null];
  for await (const record of recordsInOrder(files)) {
    [sealed, sealedNote] = [record.from + record.count, record.checkpoint];
    let hashes = record.range;
    if (await mayHave(files, record, asked)) {
      const read = await asUnreadable(() => hashSegment(files, record, fits));
      found.push(...read.found);
      if (read.found.length > 0) hashes = read.known;
    }
    for (const subtree of hashes) known.add(subtree);
  }
  const unsealed = new UnsealedLeaves(sealed);
  await eachUnsealedEvent(files, { sealed, signed }, (line) => {
    const isFound = fits(line);
    if (isFound) found.push({ index: unsealed.size, text: line.toString() });
    unsealed.add(leafHash(line), isFound);
  });
  return { found, known, unsealed, sealedNote };
}

/** The newest signed checkpoint that has all the events; with other parties' signatures if there are any. */
async function newestHead(
  files: FolderFiles,
  {
    needed,
    unsealed: { from: sealed, size },
    sealedNote,
    origin,
  }: Omit<ReadLog, 'found' | 'known'> & {
    readonly needed: number;
    readonly origin: string;
  },
) {
  let newest = { note: sealedNote ?? '', size: sealedNote === null ? -1 : sealed };
  await asUnreadable(async () => {
    for await (const { note, isOpen } of (await readNotes(files, names.checkpointsName)) ?? []) {
      if (isOpen) continue;
      const head = parseCheckpoint(note);
      const isUsable = head.origin === origin && head.size <= size;
      if (isUsable && head.size >= newest.size) newest = { note, size: head.size };
    }
  });
  if (newest.size < needed) {
    throw new ArchiveUnreadableError('no checkpoint has this event yet: try again in a minute');
  }
  const head = await asUnreadable(async () => parseCheckpoint(newest.note));
  // A key is written down before it signs alone, so these have the one of this checkpoint.
  const { keys } = await openArchive(files);
  const signer = await asUnreadable(async () => signersOf(head, keys).at(-1));
  if (signer === undefined) {
    throw new ArchiveUnreadableError('the newest checkpoint is not signed: verify the archive');
  }
  return { ...newest, root: head.root, vkey: signer.vkey };
}

async function asUnreadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new ArchiveUnreadableError(error.message, { cause: error });
  }
}
