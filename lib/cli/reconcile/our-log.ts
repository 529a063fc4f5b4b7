import { requireDays } from '../../operator/reconciliation/counting/days';
import {
  type LogOptions,
  type SpooledLog,
  spoolEvents,
} from '../../operator/reconciliation/rounds/log';
import { CommandFailure } from '../terminal/failure';
import { type ArchiveReading, readArchive } from './archive-source';
import { linesOf, readPieces } from './text-files';

/** The wallet's events, and what is said of where they come from. */
export interface OurLog extends SpooledLog {
  readonly notes: readonly string[];
}

/** Flags that say where the wallet's events are. */
export interface OurFlags {
  readonly events?: string;
  readonly archive?: string;
  readonly key?: readonly string[];
  readonly anchor?: readonly string[];
  /** The sums come from elsewhere: events are not needed, and name the rounds if they are given. */
  readonly totals?: true;
}

/** Reads the events of the wallet. @throws CommandFailure */
export async function readOurs(
  { events, archive, key, anchor, totals }: OurFlags,
  options: LogOptions,
  reading: ArchiveReading,
): Promise<OurLog> {
  if (archive !== undefined) {
    const choice = { folder: archive, keys: key ?? [], anchors: anchor ?? [] };
    return readArchive(choice, options, reading);
  }
  if (key !== undefined || anchor !== undefined) {
    throw new CommandFailure('--key and --anchor need --archive.');
  }
  if (events === undefined && totals !== true) {
    throw new CommandFailure('Name --archive, --events or --totals.');
  }
  const lines = events === undefined ? noLines() : linesOf(events, readPieces(events));
  const log = await spoolEvents(lines, options, reading.spools.spool('ours'), reading.check);
  if (totals !== true) requireDays(log, reading.days);
  return { ...log, notes: [] };
}

async function* noLines(): AsyncGenerator<readonly string[]> {}
