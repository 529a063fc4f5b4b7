import { mayHaveAny } from '../find/segment-filter';
import { names } from '../format';
import { FolderFiles } from '../read/files';
import { recordIfWhole, recordStarts } from '../read/open-archive';
import { ArchiveUnreadableError } from '../read/unreadable';
import { verifyFiles, type VerifyOptions } from './check';
import type { ArchiveVerification, Finding } from './findings';
import type { ReadsSegment } from './records';
import type { EventPlace } from './segment';

/** A round to look for. */
export interface SoughtRound {
  readonly playerId: string;
  readonly gameRound: string;
}

/** Gets the text of an event. */
export type TakeEvent = (text: string, place: EventPlace) => void;

/** The events of an archive, which is verified whenever it is read: a log with a fault or a hole is refused. */
export class VerifiedEvents {
  readonly #files: FolderFiles;
  /** Index of the first event that {@link since} read. */
  #from = 0;

  /** @param trust Keys and anchors, as for `verifyArchive`. */
  constructor(
    folder: string,
    private readonly trust: Pick<VerifyOptions, 'keys' | 'anchors'>,
  ) {
    this.#files = new FolderFiles(folder);
  }

  /**
   * Reads the events from a time on, and those of the newest segment before it: so that the log is known to begin before that
   * time, whatever its records say. Only what a checkpoint signs is given.
   * @throws ArchiveUnreadableError that names the days, if the archive is not whole. TypeError for a wrong key.
   */
  async since(at: string, take: TakeEvent): Promise<ArchiveVerification> {
    this.#from = 0;
    for (const from of await recordStarts(this.#files)) {
      const record = await recordIfWhole(this.#files, from);
      if (record === null || record.last >= at) break;
      this.#from = from;
    }
    return this.#read(({ from }) => from >= this.#from, take);
  }

  /** Whether there are events before those that {@link since} read. */
  get hasEarlier(): boolean {
    return this.#from > 0;
  }

  /**
   * Reads the events of these rounds in the segments before: only those are read whose filters say that they may have any.
   * @throws as {@link since}.
   */
  async before(rounds: readonly SoughtRound[], take: TakeEvent): Promise<ArchiveVerification> {
    const sought = new Set(rounds.map(({ gameRound }) => gameRound));
    const reads: ReadsSegment = async (record) =>
      record.from < this.#from && (await mayHaveAny(this.#files, record, rounds));
    return this.#read(reads, take, (line) => {
      const round = roundOfLine(line);
      return round === null || sought.has(round);
    });
  }

  async #read(
    reads: ReadsSegment,
    take: TakeEvent,
    isAsked: (line: Buffer) => boolean = () => true,
  ): Promise<ArchiveVerification> {
    const onSigned = (line: Buffer, place: EventPlace): void => {
      if (isAsked(line)) take(line.toString(), place);
    };
    const result = await verifyFiles(this.#files, this.trust, { reads, onSigned });
    const [fault] = result.faults;
    if (fault === undefined) return result;
    const more = result.faults.length + result.moreFaults - 1;
    const others = more === 0 ? '' : `, and ${more} more faults`;
    throw new ArchiveUnreadableError(
      `the archive is not whole: ${await daysOf(this.#files, fault)}: ${textOf(fault)}${others}`,
    );
  }
}

/** Reads the round's id without parsing the event. Null if the event has none, or if the id has escapes. */
function roundOfLine(line: Buffer): string | null {
  // As for the time: the first is the event's own, since nested members come later.
  const at = line.indexOf(marker);
  if (at < 0) return null;
  const text = line.toString('utf8', at + marker.length, line.indexOf(34, at + marker.length));
  return text.includes('\\') ? null : text;
}

const marker = Buffer.from('"gameRound":"');

function textOf({ file, line, what }: Finding): string {
  return line === null ? `${file}: ${what}` : `${file} line ${line}: ${what}`;
}

/** The days of the events that a fault is about. */
async function daysOf(files: FolderFiles, { file }: Finding): Promise<string> {
  const place = indexOf(file);
  if (place === null) return 'no day of it can be trusted';
  let before: string | null = null;
  for (const from of await recordStarts(files)) {
    const record = await recordIfWhole(files, from);
    if (record === null) continue;
    const [first, last] = [record.first.slice(0, 10), record.last.slice(0, 10)];
    if (from === place) return first === last ? first : `${first} to ${last}`;
    if (from > place) return before === null ? `until ${first}` : `${before} to ${first}`;
    before = last;
  }
  return before === null ? 'all its days' : `from ${before} on`;
}

/** The index of the first event of a file; infinite for a session, null for a file without events. */
function indexOf(path: string): number | null {
  const name = names.readName(path);
  if (name?.kind === 'record' || name?.kind === 'segment') return name.from;
  if (name?.kind === 'session' || path === names.sessionsFolder) return Number.POSITIVE_INFINITY;
  const isBeside = name?.kind === 'leaves' || name?.kind === 'find' || name?.kind === 'totals';
  return isBeside ? Number(/\/(\d{12})-/.exec(name.segment)?.[1]) : null;
}
