import type { HashEntry, RoundHead, RoundState, RoundView } from '../gameround';
import type { Purse } from '../../protocol/money';
import { formatAmount } from '../../protocol/money';
import type { RoundKey } from './round-key';

/** A whole round: the head, and everything recorded under each hash. */
export interface RoundReport extends RoundKey {
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
  /** The round for `JSON.stringify`, for a person or a program. */
  toJSON(): RoundJson;
}

/** Amounts of both balances as decimal texts (D2.5): `{ "real": "-2.5", "bonus": "0" }`. */
export interface PurseJson {
  readonly real: string;
  readonly bonus: string;
}

/** A transaction or a void of a {@link RoundJson}, without the members it lacks. */
export interface TransactionJson {
  /** When it was recorded: ISO 8601, UTC. */
  readonly at: string;
  readonly type: 'debit' | 'credit' | 'end' | 'void';
  readonly hash: string;
  /** `accepted`, `unanswered` (answered 5xx, waits for its void), `pending`, or the code of the refusal. */
  readonly outcome: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly discount?: string;
  readonly isFirstDebit?: boolean;
  readonly serial?: string;
  /**
   * What it did to the player's balances: below zero if money was taken. A void also includes what it took
   * back of the credits behind its debit (D5.3); these then show 0. The sums are in the round's `debits`
   * and `credits`.
   */
  readonly moved?: PurseJson;
}

/** A round as JSON: amounts are decimal texts, times ISO 8601. */
export interface RoundJson extends RoundKey {
  readonly gameCode: string | null;
  readonly state: RoundState;
  /** When it entered this state. */
  readonly stateSince: string;
  readonly currency: string | null;
  /** What the effective debits took. */
  readonly debits: PurseJson;
  /** What the effective credits gave. */
  readonly credits: PurseJson;
  /** Debits that were answered 5xx and wait for their void (D7). */
  readonly unanswered: number;
  /** The debit because of which credits of later calls are declined (D4.5). */
  readonly declined: string | null;
  /** Hashes with pending work at the platform's own ledger; null without any. */
  readonly pending: {
    readonly since: string;
    readonly posts: readonly string[];
    readonly reversals: readonly string[];
  } | null;
  /** In order of time; within one commit debits, credits, ends and voids. */
  readonly transactions: readonly TransactionJson[];
}

const typeOrder = ['debit', 'credit', 'end', 'void'] as const;

/** The report of a round, for a store's `readRound`; `decimals` are the store's. */
export function createRoundReport(round: RoundKey, view: RoundView, decimals: number): RoundReport {
  return new Report(round, view, decimals);
}

class Report implements RoundReport {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
  readonly #decimals: number;

  constructor({ operatorId, playerId, gameRound }: RoundKey, view: RoundView, decimals: number) {
    this.operatorId = operatorId;
    this.playerId = playerId;
    this.gameRound = gameRound;
    this.head = view.head;
    this.entries = view.entries;
    this.#decimals = decimals;
  }

  toJSON(): RoundJson {
    const { operatorId, playerId, gameRound, head } = this;
    const { gameCode, state, currency, unanswered, declined, pending } = head;
    return {
      operatorId,
      playerId,
      gameRound,
      gameCode,
      state,
      stateSince: timeText(head.changedAt),
      currency,
      debits: this.purseJson(head.debits),
      credits: this.purseJson(head.credits),
      unanswered,
      declined,
      pending: pending && {
        since: timeText(pending.since),
        posts: pending.posts.map(({ hash }) => hash),
        reversals: pending.reversals,
      },
      transactions: this.transactions(),
    };
  }

  private transactions(): TransactionJson[] {
    const all = [...this.entries].flatMap(([hash, { transaction, void: order }]) =>
      [transaction, order].flatMap((record) => (record === undefined ? [] : { hash, record })),
    );
    all.sort(
      (one, other) =>
        one.record.at - other.record.at ||
        typeOrder.indexOf(one.record.type) - typeOrder.indexOf(other.record.type) ||
        (one.hash < other.hash ? -1 : 1),
    );
    return all.map((one) => this.transactionJson(one));
  }

  private transactionJson({ hash, record }: HashedRecord): TransactionJson {
    const { type } = record;
    const names = { at: timeText(record.at), type, hash } as const;
    if (type === 'end') return { ...names, outcome: record.outcome };
    if (type === 'void') {
      return { ...names, outcome: 'accepted', moved: this.purseJson(record.purse) };
    }
    const { outcome, currency, amount, serial, purse } = record;
    const isDebit = type === 'debit';
    return {
      ...names,
      outcome,
      currency,
      amount: formatAmount(amount, this.#decimals),
      ...(isDebit && record.discount !== 0n
        ? { discount: formatAmount(record.discount, this.#decimals) }
        : {}),
      ...(isDebit ? { isFirstDebit: record.first } : {}),
      ...(serial === null ? {} : { serial }),
      moved: this.purseJson(isDebit ? { real: -purse.real, bonus: -purse.bonus } : purse),
    };
  }

  private purseJson({ real, bonus }: Purse): PurseJson {
    return {
      real: formatAmount(real, this.#decimals),
      bonus: formatAmount(bonus, this.#decimals),
    };
  }
}

interface HashedRecord {
  readonly hash: string;
  readonly record: NonNullable<HashEntry['transaction'] | HashEntry['void']>;
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
