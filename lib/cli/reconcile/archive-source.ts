import { type SoughtRound, VerifiedEvents } from '../../operator/archive/verify/verified-events';
import { leafHash } from '../../operator/archive/tlog';
import { SeenLeaves } from '../../operator/archive/verify/repeated';
import { type Days, requireDays } from '../../operator/reconciliation/counting/days';
import type { EventText } from '../../operator/reconciliation/rounds/event-line';
import {
  EventSpooler,
  type LogOptions,
  type SpooledLog,
} from '../../operator/reconciliation/rounds/log';
import type { OwnCheck } from '../../operator/reconciliation/rounds/own-check';
import type { Spool } from '../../operator/reconciliation/rounds/spool';
import { debitWaitMs } from '../../operator/reconciliation/rounds/unmatched-voids';
import { reading } from '../archive/query-flags';
import { CommandFailure } from '../terminal/failure';
import type { SpoolFolder } from './spool-folder';
import { withoutControls } from '../../protocol/json/printable';

/** Which archive, and whom to believe. */
export interface ArchiveChoice {
  readonly folder: string;
  readonly keys: readonly string[];
  readonly anchors: readonly string[];
}

/** How an archive is read. */
export interface ArchiveReading {
  readonly days: Days;
  readonly spools: SpoolFolder;
  readonly check: OwnCheck | null;
  /** Is called for each event. */
  readonly onEvent: () => void;
}

/** Events of so long before are read too: clocks of processes differ. */
const hourMs = 3_600_000;

/**
 * Reads the events of an archive, from shortly before the days on, and of rounds that began earlier the events before.
 * @throws CommandFailure (code 2) with one line that names the day: the archive is not whole, or lacks a day.
 */
export async function readArchive(
  { folder, ...trust }: ArchiveChoice,
  options: LogOptions,
  { days, spools, check, onEvent }: ArchiveReading,
): Promise<SpooledLog & { readonly notes: readonly string[] }> {
  const firstDay = Math.min(...days.zones.map((zone) => zone.boundsOf(days.from).from));
  // Voids of the day before are judged with the days.
  const begin = firstDay - debitWaitMs;
  const archive = new VerifiedEvents(folder, trust);
  const later = spools.spool<EventText>('ours');
  const earlier = spools.spool<EventText>('earlier');
  const spooler = new EventSpooler(options, later, check);
  const missing = new MissingBeginnings(begin);
  const since = new Date(begin - hourMs).toISOString();
  const verified = await reading(folder, () =>
    archive.since(since, (text, { file, line }) => {
      onEvent();
      const event = spooler.add(text, () => `${file} line ${line}`);
      if (event !== null && archive.hasEarlier) missing.note(event);
    }),
  );
  if (verified.operatorId !== options.operatorId) {
    throw new CommandFailure(
      withoutControls(`${folder}: the archive is of operator ${verified.operatorId}`),
    );
  }
  const log = spooler.result();
  requireDays(log, days);
  const rounds = missing.rounds();
  if (rounds.length > 0) {
    const before = new EventSpooler(options, earlier);
    await reading(folder, () =>
      archive.before(rounds, (text, { file, line }) => {
        onEvent();
        before.add(text, () => `${file} line ${line}`);
      }),
    );
  }
  return { ...log, spool: inOrder(earlier, later), notes: [`archive ${verified.sentence}`] };
}

/** Rounds of the days whose first commit was not read. */
class MissingBeginnings {
  /** Rounds with a first commit. One that it has no room for is looked for in the segments before, which costs time only. */
  readonly #begun = new SeenLeaves();
  readonly #rounds = new Map<string, SoughtRound>();

  /** @param begin When the days begin, in milliseconds since 1970. */
  constructor(private readonly begin: number) {}

  note([gameRound, playerId, version, at, , , isWhole]: EventText): void {
    const key = JSON.stringify([playerId, gameRound]);
    if (version === 1 || isWhole === 1) this.#begun.add(leafHash(key));
    else if (at >= this.begin && !this.#begun.has(leafHash(key))) {
      this.#rounds.set(key, { gameRound, playerId });
    }
  }

  rounds(): SoughtRound[] {
    return [...this.#rounds.values()];
  }
}

/** Reads of each part what the first has, then what the second has. */
function inOrder<Value>(first: Spool<Value>, second: Spool<Value>): Spool<Value> {
  return {
    add: (part, value) => second.add(part, value),
    read: (part) => [...first.read(part), ...second.read(part)],
  };
}
