import type { Credit } from '../../../lib/protocol/operator-api/transaction';
import {
  type Arrival,
  arrivalsOf,
  debitBefore,
  isRoundVoided,
  isTakenBack,
  type Log,
  recordOf,
  type State,
  stateByCalls,
} from './reference-log';

/** What stands above the state that the calls make: a repair closed the round, or a later win strands it again. */
interface Standing {
  readonly state: State;
  /** The state by the calls as it was then; any other ends it (D11.4). */
  readonly over: State;
  /** The state that the repair closed; of a later win, what that made of the round. */
  readonly before: State;
  /**
   * A late win that stranded a cancelled round: voids of its debits do not answer that win (D11.5), and are not
   * what a repair after it closed (D11.4).
   */
  readonly waits: Arrival | null;
  /** Whether a debit was marked since: the round is cancelled until it has its void, and as before then (D11.4). */
  readonly isSuspended: boolean;
}

/** The round's state (D4, D11.3). */
export function stateOf(log: Log, gameRound: string): State {
  return standingOf(log, gameRound)?.state ?? stateByCalls(log, gameRound);
}

/** Whether a repair closed the round, and nothing has changed that since. */
export function isClosedByRepair(log: Log, gameRound: string): boolean {
  return closedByRepair(log, gameRound) !== null;
}

/** The state that a repair closed, while nothing has changed that; null without such a repair. */
export function closedByRepair(log: Log, gameRound: string): State | null {
  const standing = standingOf(log, gameRound);
  return standing?.state === 'closed' ? standing.before : null;
}

/** Whether a repair, or a win that came after one, says what the state is. */
export function standingOf(log: Log, gameRound: string): Standing | null {
  let standing = null as Standing | null;
  for (const [index, entry] of log.entries()) {
    const until = log.slice(0, index + 1);
    const over = stateByCalls(until, gameRound);
    if (standing !== null) {
      const isMarked = 'unanswered' in entry || standing.isSuspended;
      standing = { ...standing, isSuspended: isMarked && over === 'cancelled' };
      const isOther = standing.over !== over && !standing.isSuspended;
      if (isOther && !isWaiting(standing, until, over)) standing = null;
    }
    const waits: Arrival | null = standing?.waits ?? null;
    if ('repaired' in entry) {
      const isOver = standing === null || standing.isSuspended;
      const before: State = isOver ? over : (standing?.before ?? over);
      standing = { state: 'closed', over, before, waits, isSuspended: false };
    }
    if ('transaction' in entry && entry.turnedRound !== null && entry.isOverRepair) {
      const isApart: boolean = over === 'cancelled' || waits !== null;
      standing = {
        state: entry.turnedRound,
        over,
        before: entry.turnedRound,
        waits: isApart ? entry : null,
        isSuspended: false,
      };
    }
  }
  return standing?.isSuspended === true ? null : standing;
}

function isWaiting({ waits }: Standing, log: Log, over: State): boolean {
  return waits !== null && over !== 'voided' && !isTakenBack(log, waits);
}

/** The credits that repairs paid and no void took back since (D11.3, D11.4). */
export function paidByRepairs(log: Log, gameRound: string): Credit[] {
  if (isRoundVoided(log, gameRound)) return [];
  return log.flatMap((entry, index) => {
    if (!('repaired' in entry) || entry.hash === null) return [];
    const record = recordOf(log, entry.hash);
    if (record?.transaction.type !== 'credit') return [];
    const isBack = goesBack(log, record) && !goesBack(log.slice(0, index), record);
    return isBack ? [] : [record.transaction];
  });
}

/**
 * Whether a win went back with the debit before it (D5.3, P5): one that was accepted, one that stranded or crashed the
 * round, or one that was refused right behind that.
 */
function goesBack(log: Log, record: Arrival): boolean {
  if (!isTakenBack(log, record)) return false;
  return arrivalsOf(log).some(
    (one) =>
      one.delivery.id === record.delivery.id &&
      debitBefore(one) === debitBefore(record) &&
      one.position <= record.position &&
      ((one === record && one.answer === 'ok') || one.turnedRound !== null),
  );
}

/** Whether a repair has paid this credit. */
export function isPaid(log: Log, hash: string): boolean {
  return log.some((entry) => 'repaired' in entry && entry.hash === hash);
}

/** A win that a person may pay: refused for good, never taken back, and not declined with a debit (D11.3). */
export function mayBePaid(log: Log, { transaction, answer, isNew, turnedRound }: Arrival): boolean {
  const { type, hash } = transaction;
  if (type !== 'credit' || !isNew || typeof answer !== 'number' || isPaid(log, hash)) return false;
  const record = recordOf(log, hash);
  if (record === undefined || (turnedRound !== null && isTakenBack(log, record))) return false;
  return answer !== 9004 || turnedRound !== null;
}

/** The win that stranded or crashed the round, the latest that did (D11.3). */
export function strandedBy(log: Log): Arrival | undefined {
  return arrivalsOf(log).findLast(({ turnedRound }) => turnedRound !== null);
}

/** Every win that a person may pay. */
export function payable(log: Log): Arrival[] {
  return arrivalsOf(log).filter((arrival) => mayBePaid(log, arrival));
}

/** Every win that was refused, whether it may be paid or not. */
export function refusedCredits(log: Log): Arrival[] {
  return arrivalsOf(log).filter(
    ({ transaction, answer, isNew }) =>
      transaction.type === 'credit' && isNew && typeof answer === 'number',
  );
}
