import { join } from 'node:path';
import { names } from '../format';
import { FolderFiles } from '../read/files';
import { type FoundNote, Heads, readNotes } from '../read/heads';
import { ArchiveUnreadableError } from '../read/unreadable';
import { LogFormatError, parseCheckpoint } from '../tlog';
import { type Findings, grouped } from './findings';
import type { KeyRing } from './key-ring';

/** Checkpoints to compare the log with: those of an anchor, or those that the folder keeps. */
export interface HeadSource {
  /** Of an anchor its folder; null for the archive's own. */
  readonly anchor: string | null;
  readonly file: string;
  readonly heads: Heads;
  /** Whether a head was other than the log: those after it are too. */
  differs: boolean;
}

/** The archive's own checkpoints. Empty if it has none yet. */
export async function ownHeads(
  files: FolderFiles,
  ring: KeyRing,
  findings: Findings,
): Promise<HeadSource> {
  const file = names.checkpointsName;
  const source = { anchor: null, file, heads: new Heads(), differs: false };
  await addNotes(source, () => readNotes(files, file), { ring, findings, othersPass: false });
  return source;
}

/** The checkpoints of an anchor folder. @throws ArchiveUnreadableError if it has no file `checkpoints`. */
export async function anchoredHeads(
  folder: string,
  ring: KeyRing,
  findings: Findings,
): Promise<HeadSource> {
  const file = join(folder, names.checkpointsName);
  const source = { anchor: folder, file, heads: new Heads(), differs: false };
  const notes = async () => {
    const found = await readNotes(new FolderFiles(folder), names.checkpointsName);
    if (found === null) throw new ArchiveUnreadableError(`the anchor has no ${file}`);
    return found;
  };
  const others = await addNotes(source, notes, { ring, findings, othersPass: true });
  if (source.heads.count === 0 && others > 0) {
    findings.fault(file, null, `it holds ${grouped(others)} checkpoints, and none of this log`);
  } else if (source.heads.count === 0) {
    findings.note(file, null, 'the anchor holds no checkpoint yet: nothing was compared with it');
  }
  return source;
}

/** Adds the notes of a file; answers how many are of another log. */
async function addNotes(
  { file, heads }: HeadSource,
  open: () => Promise<AsyncIterable<FoundNote> | null>,
  context: {
    readonly ring: KeyRing;
    readonly findings: Findings;
    /** An anchor may be that of several logs. */
    readonly othersPass: boolean;
  },
): Promise<number> {
  const { ring, findings, othersPass } = context;
  let [others, line, isSigned] = [0, null as number | null, true];
  try {
    for await (const found of (await open()) ?? []) {
      if (found.isOpen && !(await isWhole(found.note, ring))) continue;
      line = found.line;
      const checkpoint = parseCheckpoint(found.note);
      if (othersPass && checkpoint.origin !== ring.origin) {
        others += 1;
        continue;
      }
      heads.add(checkpoint.size, checkpoint.root, line);
      try {
        await ring.check(checkpoint);
      } catch (error) {
        if (!(error instanceof LogFormatError)) throw error;
        if (isSigned) findings.fault(file, line, error.message);
        isSigned = false;
      }
    }
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(file, line, error.message);
  }
  return others;
}

/** Whether a note that does not end is whole nevertheless: a half written one has no right signature. */
async function isWhole(note: string, ring: KeyRing): Promise<boolean> {
  try {
    await ring.check(parseCheckpoint(note));
    return true;
  } catch (error) {
    if (error instanceof LogFormatError) return false;
    throw error;
  }
}
