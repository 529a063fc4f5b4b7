import { names } from '../format';
import { LogFormatError } from '../tlog';
import type { FolderFiles, HeldFile } from './files';
import { isWhole } from './session-items';
import { ArchiveUnreadableError } from './unreadable';

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
      if (await isWhole(file.chunks())) return { number, path, file };
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

/** Each time a session began or ended meanwhile. */
const mostTurns = 100;
