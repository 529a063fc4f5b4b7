import type {
  CommitCause,
  NewRecord,
  Repair,
  RepairKind,
  RepairPerson,
  RepairStatus,
  RoundRepairs,
  RoundState,
} from '../gameround';
import { formatAmount } from '../../protocol/money/amount';
import type { Purse } from '../../protocol/money/purse';
import type { RoundKey } from './player/round-key';
import {
  type AccountJson,
  accountJson,
  type PurseJson,
  type RoundJson,
  purseJson,
  type TransactionJson,
  transactionJson,
} from './round-report';
import { timeOrNull, timeText } from '../../platform/time/iso';

/** What a movement did to one balance pair of the player: below zero if money was taken. */
export interface MovementJson extends PurseJson {
  readonly hash: string;
  readonly currency: string;
}

/** A repair of a round as it is after a commit that changed it; amounts and times as in {@link RoundEvent}. */
export interface RepairChangeJson {
  readonly id: string;
  readonly kind: RepairKind;
  readonly status: RepairStatus;
  readonly hash: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly reason: string;
  readonly proposedBy: RepairPerson;
  readonly proposedAt: string;
  readonly decidedBy: RepairPerson | null;
  readonly decidedAt: string | null;
}

/**
 * One commit of a round, for systems that follow the wallet. It holds only strings, numbers and null, so
 * `JSON.stringify` loses nothing: amounts are decimal texts (D2.5), times ISO 8601.
 */
export interface RoundEvent extends RoundKey {
  readonly type: 'round';
  /**
   * `operator/player/round/version`, each part percent-encoded. Delivery is at least once: drop what you
   * have seen by this id.
   */
  readonly id: string;
  /** When it was committed: in memory and in Redis by the clock of the process, in PostgreSQL by that of the server. */
  readonly at: string;
  /** The player's accounts after it; null if the store does not keep them (a ledger does), or has none. */
  readonly accounts: readonly AccountJson[] | null;
  /** Number of the commit within its round. It rises; a commit that only notes a resend has no event. */
  readonly version: number;
  readonly gameCode: string | null;
  /** The state of the round after it. */
  readonly state: RoundState;
  /** Why it was committed; null in a pointer. */
  readonly cause: CommitCause | null;
  /** The records that it wrote; records that only gained a signature of a resend are left out. */
  readonly transactions: readonly TransactionJson[];
  /**
   * What it moved. The sum over all events of a player is what the rounds did to the balances: sum these,
   * never `moved` of the transactions, which a later event may restate.
   */
  readonly movements: readonly MovementJson[];
  /** The repairs of the round that it changed; absent if it changed none. */
  readonly repairs?: readonly RepairChangeJson[];
  /**
   * Only of a pointer, which a commit writes while too many events wait (option `eventsLimit`): the round as it
   * is when the event is read, or null if its retention is over. Such an event has no transactions, movements
   * or accounts: take those of the round, its `debits` and `credits` in place of all movements of the round.
   */
  readonly round?: RoundJson | null;
}

/** A change as it was committed: with what its debits took. */
export interface CommittedChange {
  readonly round: RoundKey;
  readonly version: number;
  readonly state: RoundState;
  readonly gameCode: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `call` unless set; null of a pointer. */
  readonly cause?: CommitCause | null | undefined;
  /** The repairs that it changed, as they are after it; none unless set. */
  readonly repairs?: readonly Repair[] | undefined;
  readonly records: readonly NewRecord[];
  /** What it added to each balance, in units: below zero if money was taken. */
  readonly movements: readonly {
    readonly hash: string;
    readonly currency: string;
    readonly purse: Purse;
  }[];
  readonly accounts:
    | readonly { readonly currency: string; readonly real: bigint; readonly bonus: bigint | null }[]
    | null;
}

/** The event of a committed change, for a store's `events.read`; `decimals` are the store's. */
export function createRoundEvent(change: CommittedChange, decimals: number): RoundEvent {
  const { round, version, state, gameCode, at, records, movements, accounts } = change;
  const { cause = 'call', repairs = [] } = change;
  const { operatorId, playerId, gameRound } = round;
  return {
    type: 'round',
    id: eventId(operatorId, playerId, gameRound, version),
    operatorId,
    playerId,
    at: timeText(at),
    accounts: accounts && accounts.map((account) => accountJson(account, decimals)),
    gameRound,
    version,
    gameCode,
    state,
    cause,
    transactions: records.filter(isNew).map((record) => transactionJson(record, decimals)),
    movements: movements.map(({ hash, currency, purse }) => {
      return { hash, currency, ...purseJson(purse, decimals) };
    }),
    ...(repairs.length > 0 && { repairs: repairs.map((one) => repairChange(one, decimals)) }),
  };
}

/** The repairs that a commit changed, as they are after it: not those that only moved to the next version (D11.2). */
export function changedRepairs(before?: RoundRepairs, after?: RoundRepairs): readonly Repair[] {
  if (after === undefined || after === before) return [];
  const known = new Map(before?.list.map((one) => [one.id, one]));
  return after.list.filter((one) => {
    const { status, decidedAt } = known.get(one.id) ?? {};
    return status !== one.status || decidedAt !== one.decidedAt;
  });
}

/** A pointer to a round: the event of a commit that kept nothing else. */
export function createRoundPointer(
  commit: Pick<CommittedChange, 'round' | 'version' | 'state' | 'at'>,
  decimals: number,
): RoundEvent {
  const nothing = { gameCode: null, cause: null, records: [], movements: [], accounts: null };
  return { ...createRoundEvent({ ...commit, ...nothing }, decimals), round: null };
}

/** The parts of an id, each percent-encoded. */
export function eventId(...parts: readonly (string | number)[]): string {
  return parts.map(encodedPart).join('/');
}

/** Most parts are as they were: that is seen faster than it is encoded. */
function encodedPart(part: string | number): string | number {
  return typeof part === 'number' || /^[\w.~!*'()-]*$/.test(part) ? part : encodeURIComponent(part);
}

function repairChange(repair: Repair, decimals: number): RepairChangeJson {
  const { id, kind, status, hash, currency, reason, proposedBy, decidedBy } = repair;
  return {
    id,
    kind,
    status,
    hash,
    amount: formatAmount(repair.amount, decimals),
    currency,
    reason,
    proposedBy,
    proposedAt: timeText(repair.proposedAt),
    decidedBy,
    decidedAt: timeOrNull(repair.decidedAt),
  };
}

function isNew({ isRewritten }: NewRecord): boolean {
  return isRewritten !== true;
}
