import { names, parseSessionLine, wholeLine } from '../format';
import { LogFormatError } from '../tlog';
import type { FolderFiles } from './files';
import { eachLine } from './lines';

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

/** Path of the newest session that has its line `whole`; null if there is none. */
export async function newestWholeSession(files: FolderFiles): Promise<string | null> {
  const numbers: number[] = [];
  for (const { name } of await files.names(names.sessionsFolder)) {
    const known = names.readName(`${names.sessionsFolder}/${name}`);
    if (known?.kind === 'session') numbers.push(known.number);
  }
  for (const number of numbers.toSorted((one, other) => other - one)) {
    const path = names.sessionName(number);
    if (await isWhole(files, path)) return path;
  }
  return null;
}

async function isWhole(files: FolderFiles, path: string): Promise<boolean> {
  const chunks = await files.chunks(path);
  if (chunks === null) return false;
  let isFound = false;
  await eachLine(chunks, (line) => {
    isFound = line.length === wholeLine.length && line.toString('latin1') === wholeLine;
    return !isFound;
  });
  return isFound;
}

/**
 * Reads the whole batches of a session. `onEvent` gets each line, `onBatch` the end of its batch: what came since the
 * batch before counts only then. A torn end, which a crash leaves, is skipped. False if the file is gone: its events were
 * sealed, or adopted by another session.
 * @throws LogFormatError with the file and the line, if a line does not belong in a session.
 */
export async function readSession(
  files: FolderFiles,
  path: string,
  look: {
    onEvent(line: Buffer, number: number): void;
    onBatch(batch: SessionBatch): void;
  },
): Promise<boolean> {
  const chunks = await files.chunks(path);
  if (chunks === null) return false;
  let [since, firstLine, bytes] = [0, 1, 0];
  await eachLine(chunks, (line, number) => {
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
  return true;
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
