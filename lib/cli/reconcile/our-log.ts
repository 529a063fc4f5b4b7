import { requireDays } from '../../operator/reconciliation/counting/days';
import {
  type LogOptions,
  type SpooledLog,
  spoolEvents,
} from '../../operator/reconciliation/rounds/log';
import type { EventText } from '../../operator/reconciliation/rounds/event-line';
import { CommandFailure } from '../terminal/failure';
import { withProgress } from '../terminal/progress';
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
  reading: Omit<ArchiveReading, 'onEvent'>,
): Promise<OurLog> {
  if (archive !== undefined) {
    const choice = { folder: archive, keys: key ?? [], anchors: anchor ?? [] };
    return withProgress('events', (add) =>
      readArchive(choice, options, { ...reading, onEvent: () => add(1) }),
    );
  }
  if (key !== undefined || anchor !== undefined) {
    throw new CommandFailure('--key and --anchor need --archive.');
  }
  if (events === undefined && totals !== true) {
    throw new CommandFailure('Name --archive, --events or --totals.');
  }
  const lines = events === undefined ? noLines() : linesOf(events, readPieces(events));
  const log = await withProgress('events', (add) => {
    const spool = reading.spools.spool<EventText>('ours');
    return spoolEvents(counting(lines, add), options, spool, reading.check);
  });
  if (totals !== true) requireDays(log, reading.days);
  return { ...log, notes: [] };
}

async function* counting(
  pieces: AsyncIterable<readonly string[]>,
  add: (count: number) => void,
): AsyncGenerator<readonly string[]> {
  for await (const lines of pieces) {
    yield lines;
    add(lines.length);
  }
}

async function* noLines(): AsyncGenerator<readonly string[]> {}
