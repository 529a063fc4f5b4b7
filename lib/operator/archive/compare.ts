import { type Clock, systemClock } from '../../platform';
import { isIdentifier } from '../../protocol/identifiers';
import type { RoundKey, WalletStore } from '../wallet';
import { type LineQuery, timeOf } from './find/event-query';
import { eachEvent, eachUnsealedEvent, recordsInOrder } from './find/segments';
import type { SegmentRecord } from './format';
import { FolderFiles } from './read/files';
import { openArchive, signedSize } from './read/open-archive';
import { timeOfLine } from './read/event-time';
import { lacking, recordsOf } from './recorded';
import { leafHash } from './tlog';
import { SeenLeaves } from './verify/repeated';

/** A round with a commit in the archive that the store does not have. */
export interface MissingRound extends RoundKey {
  /** Number of its newest commit in the archive. */
  readonly version: number;
  readonly at: string;
  /** Of the newest in the store; null if it does not know the round. */
  readonly storeVersion: number | null;
  /** A transaction or a repair of the round that the store does not have, such as `accepted debit d-1`; null without any. */
  readonly lacks: string | null;
}

/** Which events to compare. */
export interface CompareOptions {
  /** Events from this time on, in ISO 8601: a little before the backup was made. All unless set. */
  readonly from?: string;
  readonly to?: string;
  readonly clock?: Clock;
  /** Called for each round that is looked up. */
  readonly onRound?: () => void;
}

/** The result of {@link compareWithStore}. */
export interface StoreComparison {
  /** Rounds of the archive that were looked up. */
  readonly rounds: number;
  /** In order of player and round. */
  readonly missing: readonly MissingRound[];
}

/**
 * Lists the rounds of which the archive has a commit that the store does not have any more, as after it was restored from a
 * backup: by the number of commits, and by each transaction and repair that is younger than the store's retention. A round that
 * is over and older is no difference: the store may have forgotten it.
 * Memory: the rounds of one segment, and the missing ones.
 * @throws TypeError for a wrong time; ArchiveUnreadableError; StoreUnavailableError.
 */
export async function compareWithStore(
  folder: string,
  store: Pick<WalletStore, 'rounds' | 'retentionMs'>,
  options: CompareOptions = {},
): Promise<StoreComparison> {
  const files = new FolderFiles(folder);
  const signed = await signedSize(files, await openArchive(files));
  const [from, to] = [timeOf('from', options.from), timeOf('to', options.to)];
  const records: SegmentRecord[] = [];
  let sealed = 0;
  for await (const record of recordsInOrder(files)) {
    sealed = record.from + record.count;
    if ((from === null || record.last >= from) && (to === null || record.first <= to)) {
      records.push(record);
    }
  }
  const { clock = systemClock, onRound = () => {} } = options;
  const look = new StoreLook(store, clock, onRound);
  const within = { from, to, keptFrom: look.keptFrom };
  const unsealed = new Map<string, ArchivedRound>();
  await eachUnsealedEvent(files, { sealed, signed }, (line) => note(unsealed, line, within));
  await look.up(unsealed);
  // The newest first: what the store has of a round, it has of its earlier commits.
  for (const record of records.toReversed()) {
    const rounds = new Map<string, ArchivedRound>();
    await eachEvent(files, record, (line) => note(rounds, line, within));
    await look.up(rounds);
  }
  return { rounds: look.count, missing: look.sorted() };
}

/** The newest commit of a round in a segment. */
interface ArchivedRound extends RoundKey {
  readonly version: number;
  readonly at: string;
  /** Whether a store keeps the round whatever its age. */
  readonly isKept: boolean;
  /** What its commits recorded, of those that the store keeps. */
  readonly records: string[];
}

class StoreLook {
  readonly #missing = new Map<string, MissingRound>();
  /** Rounds whose newest commit says that the store may have forgotten them. */
  readonly #forgotten = new SeenLeaves();
  /** What was committed since then is kept, in ISO 8601. */
  readonly keptFrom: string;
  count = 0;

  constructor(
    private readonly store: Pick<WalletStore, 'rounds' | 'retentionMs'>,
    clock: Clock,
    private readonly onRound: () => void,
  ) {
    const retentionMs = store.retentionMs?.() ?? clock.now();
    this.keptFrom = new Date(Math.max(0, clock.now() - retentionMs)).toISOString();
  }

  async up(rounds: ReadonlyMap<string, ArchivedRound>): Promise<void> {
    const all = [...rounds].filter(([key]) => !this.#missing.has(key));
    this.count += all.length;
    for (let at = 0; at < all.length; at += atOnce) {
      await Promise.all(all.slice(at, at + atOnce).map(([key, round]) => this.one(key, round)));
    }
  }

  sorted(): MissingRound[] {
    return [...this.#missing]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, round]) => round);
  }

  private async one(key: string, archived: ArchivedRound): Promise<void> {
    this.onRound();
    const { operatorId, playerId, gameRound, version, at, isKept, records } = archived;
    const round = { operatorId, playerId, gameRound };
    const report = await this.store.rounds.readRound(round);
    const storeVersion = report?.head.version ?? null;
    const lacks = report === null ? null : lacking(records, report.toJSON());
    if (storeVersion !== null && storeVersion >= version && lacks === null) return;
    if (storeVersion === null && this.#forgotten.has(leafHash(key))) return;
    if (storeVersion === null && !isKept && at < this.keptFrom) {
      this.#forgotten.add(leafHash(key));
    } else {
      this.#missing.set(key, { ...round, version, at, storeVersion, lacks });
    }
  }
}

/** Notes the round of an event, and what it recorded. */
function note(
  rounds: Map<string, ArchivedRound>,
  line: Buffer,
  { from, to, keptFrom }: Pick<LineQuery, 'from' | 'to'> & { readonly keptFrom: string },
): void {
  const at = timeOfLine(line);
  if (at === null || (from !== null && at < from) || (to !== null && at > to)) return;
  const event = parsed(line);
  const { type, operatorId, playerId, gameRound, version, state } = event ?? {};
  const isRound = type === 'round' && typeof version === 'number';
  // What no store could have written is for verify to name.
  if (!isRound || !isIdentifier(operatorId)) return;
  if (!isIdentifier(playerId) || !isIdentifier(gameRound)) return;
  const key = [operatorId, playerId, gameRound].map(encodeURIComponent).join('/');
  const known = rounds.get(key);
  const records = known?.records ?? [];
  // What is older may be of a round that the store has forgotten, and whose id was used again.
  if (at >= keptFrom)
    for (const record of recordsOf(event?.['round'] ?? event)) records.push(record);
  if ((known?.version ?? 0) >= version) return;
  const isKept = keptStates.has(state);
  rounds.set(key, { operatorId, playerId, gameRound, version, at, isKept, records });
}

function parsed(line: Buffer): Partial<Record<string, unknown>> | null {
  try {
    return JSON.parse(line.toString()) as Partial<Record<string, unknown>> | null;
  } catch {
    return null; // For verify to name.
  }
}

const keptStates: ReadonlySet<unknown> = new Set(['open', 'cancelled', 'stranded', 'crashed']);
/** Rounds that are looked up at once. */
const atOnce = 32;
