import type {
  AccountBalance,
  HashEntry,
  Repair,
  RepairKind,
  RepairPerson,
  RepairStatus,
  RoundHead,
  RoundState,
  RoundView,
} from '../gameround';
import {
  givenBy,
  type OtherCredits,
  proposalLifeMs,
  statusIn,
} from '../gameround/repairs/standing';
import {
  compareLines,
  decisionAfter,
  type KeptBalances,
  type LineAfter,
  linesAfter,
  type RoundLine,
} from '../gameround/balances';
import { formatAmount } from '../../protocol/money/amount';
import type { Purse } from '../../protocol/money/purse';
import type { RoundKey } from './player/round-key';
import { timeText } from '../../platform/time/iso';

/** A whole round: the head, and everything recorded under each hash. */
export interface RoundReport extends RoundKey {
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
  /** The balances after its commits; absent where the store keeps none. */
  readonly balances?: readonly KeptBalances[];
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
   * What it did to the player's balances: below zero if money was taken. A void also includes what it took back
   * of the credits after its debit (D5.3); these then show 0. The sums are in the round's `debits` and
   * `credits`.
   */
  readonly moved?: PurseJson;
  /**
   * What the account held after it; absent where it was not kept, or is not known exactly: of several
   * transactions of a call at least the last one has it.
   */
  readonly balance?: AccountJson;
}

/** An account as JSON; `bonus` is null if there is no such balance. */
export interface AccountJson {
  readonly currency: string;
  readonly real: string;
  readonly bonus: string | null;
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
  /** What the effective credits gave, and people paid by repairs. */
  readonly credits: PurseJson;
  /** What people paid in other currencies; absent without any. */
  readonly otherCredits?: readonly ({ readonly currency: string } & PurseJson)[];
  /** Debits that were answered 5xx and wait for their void (D7). */
  readonly unanswered: number;
  /** The debit that makes credits of later calls declined (D4.5). */
  readonly declined: string | null;
  /** Hashes with pending work at the platform's own ledger; null without any. */
  readonly pending: {
    readonly since: string;
    readonly posts: readonly string[];
    readonly reversals: readonly string[];
  } | null;
  /** In order of time; within one time as in the call where that was kept, or debits, credits, ends and voids. */
  readonly transactions: readonly TransactionJson[];
  /** What people proposed and did, the oldest first (D11); absent without any. */
  readonly repairs?: readonly RepairJson[];
}

/** A repair of a {@link RoundJson}, without the members it lacks. */
export interface RepairJson {
  readonly id: string;
  readonly kind: RepairKind;
  /** As recorded; `stale` for a proposal of an earlier version of the round. */
  readonly status: RepairStatus | 'stale';
  readonly hash?: string;
  readonly currency?: string;
  /** The money at stake, see `Repair.amount`. */
  readonly amount: string;
  /** What it does to the player's balances; what it did, once `status` is `done`. */
  readonly moves: PurseJson;
  readonly reference?: string;
  readonly reason: string;
  readonly proposedBy: RepairPerson;
  readonly proposedAt: string;
  /** When the proposal can no longer be approved. */
  readonly expiresAt: string;
  readonly decidedBy?: RepairPerson;
  readonly decidedAt?: string;
  /** Why it was rejected, or refused by the account. */
  readonly note?: string;
  /** What the account held after the decision; absent where it was not kept. A void has its own. */
  readonly balance?: AccountJson;
}

/**
 * The report of a round, for a store's `readRound`; `decimals` are the store's. `balances` are those that it
 * has kept with the round.
 */
export function createRoundReport(
  round: RoundKey,
  view: RoundView,
  decimals: number,
  balances: readonly KeptBalances[] = [],
): RoundReport {
  return new Report(round, view, decimals, balances.length === 0 ? undefined : balances);
}

class Report implements RoundReport {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
  declare readonly balances?: readonly KeptBalances[];
  readonly #decimals: number;

  constructor(
    { operatorId, playerId, gameRound }: RoundKey,
    view: RoundView,
    decimals: number,
    balances: readonly KeptBalances[] | undefined,
  ) {
    this.operatorId = operatorId;
    this.playerId = playerId;
    this.gameRound = gameRound;
    this.head = view.head;
    this.entries = view.entries;
    if (balances !== undefined) this.balances = balances;
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
      debits: purseJson(head.debits, this.#decimals),
      ...givenJson(givenBy(head), this.#decimals),
      unanswered,
      declined,
      pending: pending && {
        since: timeText(pending.since),
        posts: pending.posts.map(({ hash }) => hash),
        reversals: pending.reversals,
      },
      transactions: this.transactions(),
      ...(head.repairs && { repairs: head.repairs.list.map((one) => this.repair(one)) }),
    };
  }

  private transactions(): TransactionJson[] {
    const all = [...this.entries].flatMap(([hash, { transaction, void: order }]) =>
      [transaction, order].flatMap((record) => (record === undefined ? [] : { hash, record })),
    );
    const { balances = [], head } = this;
    return linesAfter(all.toSorted(compareLines), balances, head.currency).map(
      ({ line, balance }) => ({
        ...transactionJson(line, this.#decimals),
        ...this.balanceJson(balance),
      }),
    );
  }

  private repair(one: Repair): RepairJson {
    const { balances = [], head } = this;
    const { currency, decidedAt: at } = one;
    const after = at === null ? null : decisionAfter(balances, at, currency ?? head.currency);
    return { ...repairJson(one, head, this.#decimals), ...this.balanceJson(after) };
  }

  private balanceJson(balance: LineAfter<unknown>['balance']): { balance?: AccountJson } {
    return balance === null ? {} : { balance: accountJson(balance, this.#decimals) };
  }
}

/** What a round gave the player as JSON. */
export function givenJson({ credits, others }: ReturnType<typeof givenBy>, decimals: number) {
  const inJson = (one: OtherCredits) => {
    return { currency: one.currency, ...purseJson(one.purse, decimals) };
  };
  const more = others.length === 0 ? {} : { otherCredits: others.map(inJson) };
  return { credits: purseJson(credits, decimals), ...more };
}

/** A repair of a round as JSON. */
export function repairJson(
  repair: Repair,
  head: Pick<RoundHead, 'version'>,
  decimals: number,
): RepairJson {
  const { id, kind, hash, currency, reference, reason, proposedBy, proposedAt } = repair;
  const { decidedBy, decidedAt, note } = repair;
  return {
    id,
    kind,
    status: statusIn(repair, head),
    ...(hash === null ? {} : { hash }),
    ...(currency === null ? {} : { currency }),
    amount: formatAmount(repair.amount, decimals),
    moves: purseJson(repair.purse, decimals),
    ...(reference === null ? {} : { reference }),
    reason,
    proposedBy,
    proposedAt: timeText(proposedAt),
    expiresAt: timeText(proposedAt + proposalLifeMs),
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(decidedAt === null ? {} : { decidedAt: timeText(decidedAt) }),
    ...(note === null ? {} : { note }),
  };
}

/** A record as JSON. */
export function transactionJson({ hash, record }: RoundLine, decimals: number): TransactionJson {
  const { type } = record;
  const at = timeText(record.at);
  if (type === 'end') return { at, type, hash, outcome: record.outcome };
  const isDebit = type === 'debit';
  const { real, bonus } = record.purse;
  const moved = purseJson(isDebit ? { real: -real, bonus: -bonus } : record.purse, decimals);
  if (type === 'void') return { at, type, hash, outcome: 'accepted', moved };
  const { outcome, currency, serial } = record;
  const amount = formatAmount(record.amount, decimals);
  // The usual ones are not spread: each event that is read makes some of these.
  if (serial === null && !isDebit) return { at, type, hash, outcome, currency, amount, moved };
  if (serial === null && isDebit && record.discount === 0n) {
    return { at, type, hash, outcome, currency, amount, isFirstDebit: record.first, moved };
  }
  const names = { at, type, hash, outcome, currency, amount } as const;
  const serialJson = serial !== null && { serial };
  if (!isDebit) return { ...names, ...serialJson, moved };
  const discount = record.discount !== 0n && { discount: formatAmount(record.discount, decimals) };
  return { ...names, ...discount, isFirstDebit: record.first, ...serialJson, moved };
}

/** Both balances of a purse as decimal texts. */
export function purseJson({ real, bonus }: Purse, decimals: number): PurseJson {
  return { real: formatAmount(real, decimals), bonus: formatAmount(bonus, decimals) };
}

/** An account as JSON. */
export function accountJson(account: AccountBalance, decimals: number): AccountJson {
  const bonus = account.bonus === null ? null : formatAmount(account.bonus, decimals);
  return { currency: account.currency, real: formatAmount(account.real, decimals), bonus };
}
