import type { AccountBalance, Movement, NewRecord, RoundChange } from '../../gameround';
import { noteOf } from '../../gameround/balances';
import type { StoredRound } from './stored-rounds';
import { emptyPurse, type Purse, subtractPurses } from '../../../protocol/money/purse';

/** A debit's record with what it took. */
export function withTaken(item: NewRecord, taken: ReadonlyMap<string, Purse>): NewRecord {
  const { hash, record } = item;
  const purse = record.type === 'debit' ? taken.get(hash) : undefined;
  return purse === undefined || record.type !== 'debit'
    ? item
    : { ...item, record: { ...record, purse } };
}

/** What a movement added to each balance. */
export function movedBy(movement: Movement, taken: ReadonlyMap<string, Purse>) {
  const { hash, currency } = movement;
  if (movement.kind !== 'take') return { hash, currency, purse: movement.purse };
  return { hash, currency, purse: subtractPurses(emptyPurse, taken.get(hash) ?? emptyPurse) };
}

/** Keeps what the accounts hold after a change, or what the ledger said that they do. */
export function keepBalances(
  round: StoredRound,
  change: RoundChange,
  accounts: readonly AccountBalance[] | null,
): void {
  const note = noteOf(change);
  const held = change.balances === undefined ? accounts : change.balances;
  if (note === null || held === null) return;
  round.balances.push({ ...note, version: change.after.version, accounts: held });
}
