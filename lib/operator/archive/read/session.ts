import { names, parseSessionLine } from '../format';
import { LogFormatError } from '../tlog';
import type { FolderFiles } from './files';
import { eachLine } from './lines';

/** A part of a session, by its file. */
export interface SessionPart {
  readonly path: string;
  readonly number: number;
  readonly part: number;
}

/** The end of a batch of a session. */
export interface SessionBatch {
  readonly path: string;
  /** Numbers of its first and last line. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Index of its first event. */
  readonly from: number;
  readonly size: number;
  readonly root: Buffer;
}

/** The parts of the newest session that has its line `whole`, in order; empty if there is none. */
export async function newestWholeSession(files: FolderFiles): Promise<readonly SessionPart[]> {
  const parts: SessionPart[] = [];
  for (const { name } of await files.names(names.sessionsFolder)) {
    const path = `${names.sessionsFolder}/${name}`;
    const known = names.readName(path);
    if (known?.kind === 'session') parts.push({ path, number: known.number, part: known.part });
  }
  const numbers = [...new Set(parts.map(({ number }) => number))];
  for (const number of numbers.toSorted((one, other) => other - one)) {
    const own = parts.filter((part) => part.number === number);
    const inOrder = own.toSorted((one, other) => one.part - other.part);
    // Only the first part has the line; it is deleted once it is sealed.
    if ((inOrder[0]?.part ?? 1) > 1 || (await isWhole(files, inOrder))) return inOrder;
  }
  return [];
}

async function isWhole(files: FolderFiles, parts: readonly SessionPart[]): Promise<boolean> {
  let found = false;
  const [first] = parts;
  const chunks = first === undefined ? null : await files.chunks(first.path);
  if (chunks === null) return false;
  await eachLine(chunks, (line) => {
    found = line.length < 20 && line.toString('latin1') === '{"whole":true}';
    return !found;
  });
  return found;
}

/**
 * Reads the whole batches of a session. `onEvent` gets each line, `onBatch` the end of its batch: what came since the
 * batch before counts only then. A torn end, which a crash leaves, is skipped.
 * @throws LogFormatError with the file and the line, if a line is none of a session.
 */
export async function readSession(
  files: FolderFiles,
  parts: readonly SessionPart[],
  look: {
    onEvent(line: Buffer, path: string, number: number): void;
    onBatch(batch: SessionBatch): void;
  },
): Promise<void> {
  for (const { path } of parts) {
    const chunks = await files.chunks(path);
    let [since, firstLine] = [0, 1];
    await eachLine(chunks ?? none(), (line, number) => {
      const read = parsed(line, path, number);
      if (read.kind === 'event') {
        if (since === 0) firstLine = number;
        since += 1;
        look.onEvent(line, path, number);
        return;
      }
      if (read.kind !== 'batch') return;
      if (read.batch !== since) {
        throw new LogFormatError(`${path} line ${number}: the batch has ${since} events`);
      }
      const from = read.size - read.batch;
      look.onBatch({ path, firstLine, lastLine: number, from, size: read.size, root: read.root });
      since = 0;
    });
  }
}

function parsed(line: Buffer, path: string, number: number) {
  try {
    return parseSessionLine(line);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new LogFormatError(`${path} line ${number}: ${error.message}`, { cause: error });
  }
}

async function* none(): AsyncGenerator<Buffer> {}
