import {
  isKeptForEver,
  type Movement,
  type MovementRefusal,
  needsAttention,
  type NewRecord,
  type RoundChange,
  type TransactionRecord,
  type VoidRecord,
} from '../../gameround';
import type { CommitResult, RoundKey } from '../../wallet';
import { encodePending } from '../pending-codec';
import type { Line } from './executor';
import type { PostgresValue } from './postgres-client';
import { readRoundLines } from './round-codec';

/** The values of commit_round for a change, after the first two; their order is described there. */
export function commitValues(
  { operatorId, playerId, gameRound }: RoundKey,
  change: RoundChange,
  retentionMs: number,
): PostgresValue[] {
  const { before, after, movements, records } = change;
  const { debits, credits, pending } = after;
  const sums = [debits.real, debits.bonus, credits.real, credits.bonus];
  return [
    operatorId,
    playerId,
    gameRound,
    before.version,
    after.version,
    after.state,
    after.resume,
    after.changedAt,
    after.currency,
    after.gameCode,
    after.started,
    after.credited,
    after.declined,
    after.unanswered,
    sums.map(String),
    pending === before.pending,
    pending === null || pending === before.pending ? null : encodePending(pending),
    needsAttention(after.state),
    isKeptForEver(after) ? null : retentionMs,
    ...columnsOf(movements.map(movementRow), 5),
    ...columnsOf(
      latest(records, isTransaction).map((item) => transactionRow(item, movements)),
      12,
    ),
    ...columnsOf(latest(records, isVoid).map(voidRow), 4),
  ];
}

/** The result that the lines of commit_round stand for. */
export function readCommitLines(
  [first = [], ...rest]: readonly Line[],
  change: RoundChange,
): CommitResult {
  const [kind, number, reason] = first;
  switch (kind) {
    case 'committed':
      return { kind, accounts: readRoundLines(rest).accounts };
    case 'stale':
      return { kind };
    case 'refused': {
      const movement = change.movements[Number(number) - 1];
      if (movement === undefined) {
        throw new Error('PostgreSQL refused a movement that was not asked for.');
      }
      return { kind, hash: movement.hash, reason: reason as MovementRefusal };
    }
    default:
      throw new Error('PostgreSQL answered a commit with something else.');
  }
}

type Cell = string | number | boolean | null;

function movementRow(movement: Movement): Cell[] {
  const { kind, currency } = movement;
  if (kind === 'take') return [kind, currency, String(movement.amount), '0', movement.bonusFirst];
  const { real, bonus } = movement.purse;
  return [kind, currency, String(real), String(bonus), false];
}

/** The number of the take that fills in what a debit took stands last; null where there is none. */
function transactionRow(
  { hash, record }: { readonly hash: string; readonly record: TransactionRecord },
  movements: readonly Movement[],
): Cell[] {
  const { type, outcome, at } = record;
  if (type === 'end') return [hash, type, outcome, at, ...Array<null>(8).fill(null)];
  const { currency, serial } = record;
  const [amount, real, bonus] = [record.amount, record.purse.real, record.purse.bonus].map(String);
  const shared = [hash, type, outcome, at, currency, amount ?? null];
  const purse = [real ?? null, bonus ?? null];
  if (type === 'credit') return [...shared, null, null, serial, ...purse, null];
  const isOwn = (movement: Movement) => movement.kind === 'take' && movement.hash === hash;
  const take = movements.findIndex(isOwn) + 1;
  const own = [String(record.discount), record.first, serial];
  return [...shared, ...own, ...purse, take === 0 ? null : take];
}

function voidRow({ hash, record }: { readonly hash: string; readonly record: VoidRecord }): Cell[] {
  return [hash, record.at, String(record.purse.real), String(record.purse.bonus)];
}

/** The records of a kind, of several under one hash the last: no statement writes a row twice. */
function latest<T extends NewRecord>(
  records: readonly NewRecord[],
  isOfKind: (item: NewRecord) => item is T,
): T[] {
  return [...new Map(records.filter(isOfKind).map((item) => [item.hash, item])).values()];
}

function isTransaction(
  item: NewRecord,
): item is NewRecord & { readonly record: TransactionRecord } {
  return item.record.type !== 'void';
}

function isVoid(item: NewRecord): item is NewRecord & { readonly record: VoidRecord } {
  return item.record.type === 'void';
}

/** Rows turned into one list for each column. */
function columnsOf(rows: readonly (readonly Cell[])[], count: number): Cell[][] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at] ?? null));
}
