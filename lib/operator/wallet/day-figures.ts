import type { RoundKey } from './player/round-key';
import type { WalletEvent } from './events';
import type { RoundEvent } from './round-event';
import type { NotablePlace, NotableQuery, NotableRound } from './notable';

/** The consumer that totals are kept for: a store that writes declares it (option `events`). */
export const totalsConsumer = 'totals';

/**
 * The sums of totals. Games are whole numbers, all others units (D2.5). Of the rounds that count in the quarter, at their start
 * or at their end: `games`, those of them that are `freePlays`, `bet` and `win`, each less what voids took; `voided...` is what
 * voids took of these rounds, whenever; `back...` is what the voids of this quarter took, of whichever rounds. At its own
 * time counts what people paid by repairs (`repaired`), openings and deposits (`cashIn`), withdrawals (`cashOut`), and
 * corrections (`corrected`).
 */
export const totalsNames = [
  'games',
  'freePlays',
  'bet',
  'win',
  'voidedGames',
  'voidedFreePlays',
  'voidedBet',
  'voidedWin',
  'backGames',
  'backFreePlays',
  'backBet',
  'backWin',
  'repaired',
  'cashIn',
  'cashOut',
  'corrected',
] as const;

/** The name of a sum, see {@link totalsNames}. */
export type TotalsName = (typeof totalsNames)[number];

/** Which time counts: that at which a round started, or ended; or the own time of cash and of a repair. */
export const totalsTimes = ['start', 'end', 'own'] as const;

/** Sums of a quarter of an hour, a game and a currency; those that are zero may be absent. */
export interface TotalsRow {
  /** Quarters of an hour since 1970, UTC. */
  readonly quarter: number;
  readonly by: (typeof totalsTimes)[number];
  /** Empty for cash, and where the game is not known. */
  readonly game: string;
  readonly currency: string;
  readonly sums: Readonly<Partial<Record<TotalsName, bigint>>>;
}

/** Why a quarter is not whole. */
export interface TotalsGap {
  readonly quarter: number;
  /** What is missing: a round that was deleted before its event was read, or the beginning of one. */
  readonly kind: 'round lost' | 'beginning missing';
  readonly playerId: string;
  readonly gameRound: string;
}

/** What the totals keep of a round, so that a later event of it counts as it should. */
export interface TotalsRound extends Pick<RoundKey, 'playerId' | 'gameRound'> {
  /** A line, opaque to the store. */
  readonly text: string;
  /** When it may be forgotten, in milliseconds since 1970; null: never. It never becomes earlier. */
  readonly expiresAt: number | null;
}

/** What the events of a batch change. */
export interface TotalsChange {
  /** What is added. */
  readonly rows: readonly TotalsRow[];
  /** In place of what was kept of these rounds. */
  readonly rounds: readonly TotalsRound[];
  /** The first of a quarter is kept. */
  readonly gaps: readonly TotalsGap[];
  /** What is added to the lists of notable rounds; one that is there stays as it is. */
  readonly notable?: readonly NotableRound[];
  /** Whether {@link Totals.players} shall find `rounds`, for as long as they are kept. */
  readonly isLookup?: boolean;
  /** From when on all events are counted, in milliseconds since 1970; kept unless there is one. */
  readonly since: number;
}

/** Events that the totals do not have. */
export interface TotalsBatch {
  /** As those of an EventBatch. */
  readonly events: readonly WalletEvent[];
  /**
   * Adds what these events change, and acknowledges them: both once, or nothing. Resolves to false if another process has
   * counted some of them: then nothing was added, and the next batch begins after what was counted.
   * @throws StoreUnavailableError; it may have been added, and is then not delivered again.
   */
  add(change: TotalsChange): Promise<boolean>;
}

/** What is kept of some quarters. */
export interface TotalsPage {
  /** In any order; a quarter, time, game and currency has one. */
  readonly rows: readonly TotalsRow[];
  readonly gaps: readonly TotalsGap[];
  /** From when on all events are counted, in milliseconds since 1970; null if no totals are kept. */
  readonly since: number | null;
}

/** What is kept of the quarters between bounds, added up: without rounds by their end. */
export interface TotalsSums extends Omit<TotalsPage, 'rows'> {
  /** By part, time and currency: each has the bound as its quarter, and no game. */
  readonly parts: readonly TotalsRow[];
  /** By time, game and currency, of all parts: each has the first bound as its quarter. */
  readonly games: readonly TotalsRow[];
}

/** Sums by quarter of an hour, kept by a consumer of the events in the store itself: see `startTotals`. */
export interface Totals {
  /**
   * The events that are not counted, batch by batch, as `events.read` for {@link totalsConsumer}.
   * @throws as `events.read` does.
   */
  batches(request: {
    readonly operatorId: string;
    readonly atMost?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<TotalsBatch>;

  /**
   * What is kept of each of these rounds of an operator, in their order; null for nothing. A store that never delivers an event
   * again once it was counted may answer null for a round that is over and whose next event begins it (`version` 1).
   * @throws StoreUnavailableError
   */
  rounds(
    operatorId: string,
    keys: readonly Pick<RoundEvent, 'playerId' | 'gameRound' | 'version'>[],
  ): Promise<readonly (string | null)[]>;

  /**
   * The rows of the quarters from one to before another, at most 40,000 of them.
   * @throws TypeError for wrong quarters; StoreUnavailableError
   */
  read(operatorId: string, from: number, to: number): Promise<TotalsPage>;

  /**
   * What is kept of the parts between bounds, each from a bound to before the next one. Gaps are as `read` gives them.
   * @param bounds quarters in rising order, at least two.
   * @throws as `read` does.
   */
  sum(operatorId: string, bounds: readonly number[]): Promise<TotalsSums>;

  /**
   * The notable rounds of a kind, those that began last first; at the same time in any order that stays.
   * @throws TypeError for a wrong query; StoreUnavailableError
   */
  notable(operatorId: string, query: NotableQuery): Promise<readonly NotablePlace[]>;

  /**
   * The players of rounds with this id, at most 50, as far as they were kept for it. A round may have been deleted since.
   * @throws StoreUnavailableError
   */
  players(operatorId: string, gameRound: string): Promise<readonly string[]>;
}

/** Most players of one id of a round. */
export const mostFoundPlayers = 50;

/** What the RGS's side of a comparison came from: getStats, or an export of its rounds. */
export const reconciliationSources = ['statistics', 'export'] as const;

/** See {@link reconciliationSources}. */
export type ReconciliationSource = (typeof reconciliationSources)[number];

/** For how many days a result is kept, counted from its day to the newest save. */
export const reconciliationDays = 400;

/** Most bytes of a result, in UTF-8. */
export const longestReconciliation = 65_536;

/** What a comparison found on one day. */
export interface KeptReconciliation {
  /** Such as `2026-11-23`, in the zone that the comparison counted in. */
  readonly day: string;
  readonly source: ReconciliationSource;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
  /** JSON, opaque to the store; at most {@link longestReconciliation} bytes. */
  readonly text: string;
}

/** The results of `rgs-wallet reconcile --save`, by operator and day. */
export interface Reconciliations {
  /**
   * Keeps a result in place of what was kept of its day and source, and deletes those of the operator whose day is more
   * than 400 days before `at`. Durable once it resolves.
   * @throws TypeError or InvalidInputError for a wrong entry, also one of a day that would be deleted at once or lies ahead;
   * StoreUnavailableError: it may have been kept.
   */
  save(entry: KeptReconciliation & { readonly operatorId: string }): Promise<void>;

  /**
   * The entries of the newest days that have any: the newest day first, in it by source.
   * @param query `days`: how many days, 1 to 400.
   * @throws TypeError for another number; StoreUnavailableError
   */
  list(
    operatorId: string,
    query: { readonly days: number },
  ): Promise<readonly KeptReconciliation[]>;
}

/** Most processes whose rows of one minute are kept. */
export const mostMinuteRows = 64;

/** For how long a row is kept after it was saved, in milliseconds: two days. */
export const minuteKeptMs = 2 * 86_400_000;

/** Most minutes that are read at once: a day. */
export const mostMinutes = 1440;

/** Most characters of a row. */
export const longestMinute = 512;

/** What one process counted in one minute. */
export interface KeptMinute {
  /** Minutes since 1970, UTC. */
  readonly minute: number;
  /** The process: 1 to 32 letters, digits, `-` and `_`. */
  readonly process: string;
  /** Opaque to the store: printable ASCII, {@link longestMinute} characters at most. */
  readonly text: string;
}

/** Rows of what the processes over a store count each minute, so that every process can show all. No money depends on them. */
export interface Minutes {
  /**
   * Keeps a row in place of what was kept of its minute and process, for {@link minuteKeptMs}. Resolves to false if the minute
   * has rows of {@link mostMinuteRows} other processes: then nothing was kept.
   * @throws TypeError or InvalidInputError for a wrong row; StoreUnavailableError: it may have been kept.
   */
  save(row: KeptMinute): Promise<boolean>;

  /**
   * The rows of the minutes from one to before another, in any order. What is not a row is left out.
   * @throws TypeError for more than {@link mostMinutes}; StoreUnavailableError
   */
  list(from: number, to: number): Promise<readonly KeptMinute[]>;
}
