import type { CashMovement, CashPageResult, CashQuery } from '../../wallet';
import { emptyPurse } from '../../../protocol/money/purse';
import type { RoundView } from '../../gameround';
import { isInOneWindow, type PastMoney, pastOf, type PastWindows } from '../../wallet/limits/past';
import { clockSlackMs, type NumberedRound, type ReadRounds } from './rounds-walk';

/** What a store reads of a player for a limit that counts what moved before it (P18). */
export interface PastReader {
  readonly rounds: ReadRounds;
  /** A round with all its records; null if nothing is known of it. */
  readonly readRound: (gameRound: string) => Promise<RoundView | null>;
  /** A page of cash, the newest first. */
  readonly readCash: (cursor: string | null) => Promise<CashPageResult>;
  /** From when on no round is missing, in milliseconds since 1970. */
  readonly completeFrom: () => Promise<number>;
}

/** What was read, as a store finds it unchanged or not. */
export interface SeenPast {
  /** The rounds that money may have moved in, and their versions. */
  readonly rounds: readonly string[];
  readonly versions: readonly number[];
  /** The number of the newest round; null where rounds do not matter. */
  readonly newestRound: string | null;
  /** The reference of the latest movement of cash; null where cash does not matter. */
  readonly latestCash: string | null;
}

/** What the step that writes the limit found changed since it was read, as of that step. */
export interface ChangedPast {
  /** What was added to the used units of each window for it: at least what it counts. */
  readonly bound: bigint;
  /** Rounds that are new or have another version; null for one that is gone. */
  readonly rounds: readonly (readonly [gameRound: string, view: RoundView | null])[];
  readonly deposits: readonly PastMoney[];
}

/** The page of cash at a cursor of {@link PastReader.readCash}. */
export function cashPage(cursor: string | null): CashQuery {
  return { limit: cashAtOnce, ...(cursor === null ? {} : { before: cursor }) };
}

/** Why what moved before cannot be counted. */
export type PastRefusal = 'historyTooShort' | 'historyTooLong';

/** Most rounds, and most movements of cash, that count in the windows of a limit. */
export const maxPast = 10_000;
/** Most rounds that are looked at for them. */
const maxLookedAt = 100_000;
/** Rounds, and movements of cash, that one step reads at once. */
const [roundsAtOnce, cashAtOnce] = [500, 200];

/** A round that may move money in the windows, as it was read. */
interface CountedRound {
  readonly version: number;
  readonly moved: readonly PastMoney[];
}

/** The money that moved in the windows of a limit before it was set. */
export class Past {
  readonly #rounds = new Map<string, CountedRound>();
  #newest: string | null = null;
  readonly #deposits: PastMoney[] = [];
  #latestCash: string | null = null;

  private constructor(
    private readonly reader: PastReader,
    private readonly wanted: PastWindows,
  ) {}

  /** Reads it. Rounds may change meanwhile: the store finds out which did. */
  static async read(reader: PastReader, wanted: PastWindows): Promise<Past | PastRefusal> {
    const past = new Past(reader, wanted);
    const refusal = await (past.isOfCash ? past.readDeposits() : past.readRounds());
    return refusal ?? past;
  }

  /** What moved as of the step that found this changed: it is no longer what {@link seen} says. */
  changed({ rounds, deposits }: ChangedPast): void {
    for (const [gameRound, view] of rounds) {
      if (view === null) this.#rounds.delete(gameRound);
      else this.note(gameRound, view);
    }
    this.#deposits.push(...deposits.filter(({ at }) => at >= this.wanted.from));
  }

  moved(): PastMoney[] {
    const ofRounds = Array.from(this.#rounds.values(), ({ moved }) => moved);
    return [...this.#deposits, ...ofRounds.flat()];
  }

  get seen(): SeenPast {
    const isOfRounds = !this.isOfCash;
    return {
      rounds: [...this.#rounds.keys()],
      versions: Array.from(this.#rounds.values(), ({ version }) => version),
      newestRound: isOfRounds ? (this.#newest ?? '0') : null,
      latestCash: this.#latestCash,
    };
  }

  private get isOfCash(): boolean {
    return this.wanted.group.kind === 'deposit';
  }

  private note(gameRound: string, view: RoundView): void {
    const moved = pastOf(view).filter(({ at }) => at >= this.wanted.from);
    this.#rounds.set(gameRound, { version: view.head.version, moved });
  }

  private async readRounds(): Promise<PastRefusal | null> {
    const { reader, wanted } = this;
    if ((await reader.completeFrom()) > wanted.from) return 'historyTooShort';
    let before: string | null = null;
    for (let lookedAt = 0; lookedAt < maxLookedAt; lookedAt += roundsAtOnce) {
      const { rounds, last, isEnd } = await reader.rounds(before, roundsAtOnce);
      this.#newest ??= rounds[0]?.number ?? null;
      for (const one of rounds) await this.count(one);
      if (this.#rounds.size > maxPast) return 'historyTooLong';
      if (isEnd) return null;
      before = last ?? before;
    }
    return 'historyTooLong';
  }

  /** A round that ended before the windows cannot move money in them. */
  private async count({ version, summary }: NumberedRound): Promise<void> {
    const { from } = this.wanted;
    const { gameRound, state, openedAt, lastAt, currency, debits, credits } = summary;
    const hasEnded = state === 'closed' || state === 'voided';
    if (lastAt < from) {
      if (!hasEnded || openedAt >= from - clockSlackMs) {
        this.#rounds.set(gameRound, { version, moved: [] });
      }
    } else if (openedAt >= from && isInOneWindow(this.wanted, openedAt, lastAt)) {
      const own = currency === null ? [] : [{ currency, at: openedAt, debits, credits }];
      const others = (summary.otherCredits ?? []).map((one) => {
        return { currency: one.currency, at: openedAt, debits: emptyPurse, credits: one.purse };
      });
      this.#rounds.set(gameRound, { version, moved: [...own, ...others] });
    } else {
      const view = await this.reader.readRound(gameRound);
      if (view !== null) this.note(gameRound, view);
    }
  }

  private async readDeposits(): Promise<PastRefusal | null> {
    const { from } = this.wanted;
    let cursor: string | null = null;
    for (let lookedAt = 0; lookedAt <= maxPast; ) {
      const page = await this.reader.readCash(cursor);
      if (page.kind === 'unknown') throw page.cause;
      const movements = page.kind === 'known' ? page.movements : [];
      if (cursor === null) this.#latestCash = movements[0]?.reference ?? '';
      this.#deposits.push(...movements.flatMap(depositOf).filter(({ at }) => at >= from));
      lookedAt += movements.length;
      cursor = page.kind === 'known' ? page.next : null;
      const isPast = movements.some(({ at }) => at === null || at < from - clockSlackMs);
      if (cursor === null || isPast) return null;
    }
    return 'historyTooLong';
  }
}

/** What a movement of cash counts for a limit of deposits, if it is one. */
export function depositOf({ kind, at, currency, balance, units }: CashMovement): PastMoney[] {
  if (kind !== 'deposit' || at === null) return [];
  return [{ currency, at, debits: { ...emptyPurse, [balance]: units }, credits: emptyPurse }];
}
