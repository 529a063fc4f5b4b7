import { type DebitRecord, isMade, type VoidRecord } from '../../gameround';
import { isEmptyPurse, type Purse, subtractPurses } from '../../../protocol/money/purse';
import type { CashMovement, RoundReport } from '../../wallet';
import { repairKey, type SeenRound, transactionKey } from './seen';

/** What moved a balance of a player, in units of the store. */
export interface Moved extends Purse {
  readonly currency: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null of cash. */
  readonly round: string | null;
  /** For a person: `debit abc`. */
  readonly name: string;
}

/** What a round of the store moved that the events do not have. */
export function movedUnseen(report: RoundReport, seen: SeenRound | undefined): Moved[] {
  const { gameRound: round, entries, head } = report;
  const moved: Moved[] = [];
  const add = (key: string, one: Omit<Moved, 'round'>): void => {
    const isSeen = seen?.keys.has(key) === true;
    if (!isSeen && (one.real !== 0n || one.bonus !== 0n)) moved.push({ ...one, round });
  };
  for (const [hash, { transaction, void: order }] of entries) {
    const isNew = order !== undefined && seen?.keys.has(transactionKey('void', hash)) !== true;
    if (isNew && transaction?.type === 'debit') {
      const given = givenBehind(transaction, order, entries, seen);
      const { currency, at } = transaction;
      if (given !== null) moved.push({ currency, at, round, name: `credits of ${hash}`, ...given });
    }
    for (const record of [transaction, order]) {
      if (record === undefined || record.type === 'end') continue;
      const { type, at, purse } = record;
      const currency = type === 'void' ? head.currency : record.currency;
      const sums = type === 'debit' ? { real: -purse.real, bonus: -purse.bonus } : purse;
      if (currency === null) continue;
      add(transactionKey(type, hash), { currency, at, name: `${type} ${hash}`, ...sums });
    }
  }
  for (const one of head.repairs?.list ?? []) {
    const { id, kind, currency, decidedAt, proposedAt, purse } = one;
    if (kind !== 'pay' || !isMade(one) || currency === null) continue;
    add(repairKey(id), { currency, at: decidedAt ?? proposedAt, name: `repair ${id}`, ...purse });
  }
  return moved;
}

/**
 * What credits gave before the void of their debit took it back (D5.3), as far as the events do not have them. Their records
 * are empty by now, while the void's sum includes them. Null for nothing.
 */
function givenBehind(
  { behind, purse }: DebitRecord,
  order: VoidRecord,
  entries: RoundReport['entries'],
  seen: SeenRound | undefined,
): Purse | null {
  let given = subtractPurses(purse, order.purse);
  let isTaken = false;
  for (const hash of behind) {
    const credit = entries.get(hash)?.transaction;
    if (credit?.type !== 'credit' || credit.outcome !== 'DEBITFAILEDBEFORE') continue;
    isTaken = true;
    const isSeen = seen?.keys.has(transactionKey('credit', hash)) === true;
    if (isSeen) given = subtractPurses(given, { real: credit.amount, bonus: 0n });
  }
  return isTaken && !isEmptyPurse(given) ? given : null;
}

/** A movement of cash as one. */
export function movedCash(one: CashMovement): Moved {
  const { currency, balance, units, reference, kind } = one;
  const sums = balance === 'real' ? { real: units, bonus: 0n } : { real: 0n, bonus: units };
  return { currency, ...sums, at: one.at ?? 0, round: null, name: `${kind} ${reference}` };
}
