import { names, parseSessionLine, wholeLine } from '../format';
import { LogFormatError } from '../tlog';
import type { FolderFiles, HeldFile } from './files';
import { eachLine } from './lines';
import { ArchiveUnreadableError } from './unreadable';

/** The end of a batch of a session. */
export interface SessionBatch {
  /** Numbers of its first and last line. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Index of its first event. */
  readonly from: number;
  readonly size: number;
  readonly root: Buffer;
}

/** A session that was opened: what it held then can be read, even if it is sealed or adopted meanwhile. */
export interface HeldSession {
  readonly number: number;
  readonly path: string;
  readonly file: HeldFile;
}

/**
 * Opens the newest session that has its line `whole`, or null; the caller closes it. Sessions may begin and end
 * meanwhile. `onDamaged` decides about one that is not a plain file: unless it throws, the one before counts.
 * @throws ArchiveUnreadableError
 */
export async function holdNewestSession(
  files: FolderFiles,
  onDamaged: (path: string, error: LogFormatError) => void,
): Promise<HeldSession | null> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const numbers = await sessionNumbers(files);
    const held = await newestOf(files, numbers, onDamaged);
    if (held === 'gone') continue;
    // A list that is read while names change may lack one.
    const [highest] = await sessionNumbers(files);
    if (highest === numbers[0]) return held;
    await held?.file.close();
  }
  throw new ArchiveUnreadableError('the archive changes too fast: try again');
}

async function newestOf(
  files: FolderFiles,
  numbers: readonly number[],
  onDamaged: (path: string, error: LogFormatError) => void,
): Promise<HeldSession | 'gone' | null> {
  for (const number of numbers) {
    const path = names.sessionName(number);
    try {
      const file = await files.hold(path);
      if (file === null) return 'gone';
      if (await isWhole(file)) return { number, path, file };
      await file.close();
    } catch (error) {
      if (!(error instanceof LogFormatError)) throw error;
      onDamaged(path, error);
    }
  }
  return null;
}

/** The numbers of the sessions, the newest first. @throws ArchiveUnreadableError */
export async function sessionNumbers(files: FolderFiles): Promise<number[]> {
  const numbers: number[] = [];
  for (const { name } of await files.names(names.sessionsFolder)) {
    const known = names.readName(`${names.sessionsFolder}/${name}`);
    if (known?.kind === 'session') numbers.push(known.number);
  }
  return numbers.toSorted((one, other) => other - one);
}

async function isWhole(file: HeldFile): Promise<boolean> {
  let isFound = false;
  await eachLine(file.chunks(), (line) => {
    isFound = line.length === wholeLine.length && line.toString('latin1') === wholeLine;
    return !isFound;
  });
  return isFound;
}

/**
 * Reads the whole batches of a session. `onEvent` gets each line, `onBatch` the end of its batch: what came since the
 * batch before counts only then. A torn end, which a crash leaves, is skipped.
 * @throws LogFormatError with the file and the line, if a line does not belong in a session.
 */
export async function readSession(
  { path, file }: HeldSession,
  look: {
    onEvent(line: Buffer, number: number): void;
    onBatch(batch: SessionBatch): void;
  },
): Promise<void> {
  let [since, firstLine, bytes] = [0, 1, 0];
  await eachLine(file.chunks(), (line, number) => {
    const read = parsed(line, path, number);
    if (read.kind === 'event') {
      if (since === 0) firstLine = number;
      since += 1;
      bytes += line.length;
      if (since > mostInBatch || bytes > mostBatchBytes) {
        throw new LogFormatError(`${path} line ${number}: the batch does not end`);
      }
      look.onEvent(line, number);
      return;
    }
    if (read.kind !== 'batch') return;
    if (read.batch !== since) {
      throw new LogFormatError(`${path} line ${number}: the batch has ${since} events`);
    }
    const from = read.size - read.batch;
    look.onBatch({ firstLine, lastLine: number, from, size: read.size, root: read.root });
    [since, bytes] = [0, 0];
  });
}

function parsed(line: Buffer, path: string, number: number) {
  try {
    return parseSessionLine(line);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new LogFormatError(`${path} line ${number}: ${error.message}`, { cause: error });
  }
}

/** Bounds of a batch: the writer's has at most 1,000 events. */
const mostInBatch = 65_536;
const mostBatchBytes = 268_435_456;
/** Each time a session began or ended meanwhile. */
const mostTurns = 100;
