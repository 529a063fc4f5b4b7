import {
  isKeptForEver,
  type Movement,
  needsAttention,
  type NewRecord,
  type RoundChange,
} from '../../../gameround';
import { isInRange, type Purse } from '../../../../protocol/money';
import type { Account, CommitResult, RoundKey } from '../../../wallet';
import { encodePending } from '../../pending-codec';
import { refusalOf } from '../../record-codec';
import { guardOf } from './account-guard';
import type { Line } from '../connections/executor';
import type { PostgresValue } from '../client/port';
import { rowOf } from './record';
import { readAccount } from './round';

/** Most records that are kept in the round's own row, and the most length of their text. */
const mostFirstRecords = 8;
const longestFirstRecords = 1200;

/** The arguments of commit_round for a change, after the first two; the migration describes their order. */
export function commitValues(
  { operatorId, playerId, gameRound }: RoundKey,
  change: RoundChange,
  retentionMs: number,
): PostgresValue[] {
  const { before, after, movements } = change;
  const { credits, pending } = after;
  const takes = movements.filter((movement) => movement.kind === 'take');
  const taken = takes.reduce((sum, { amount }) => sum + amount, 0n);
  const debits = { real: after.debits.real + taken, bonus: after.debits.bonus };
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
    after.ended,
    after.declined,
    after.unanswered,
    String(debits.real),
    String(debits.bonus),
    String(credits.real),
    String(credits.bonus),
    pending === before.pending,
    pending === null || pending === before.pending ? null : encodePending(pending),
    needsAttention(after.state),
    isKeptForEver(after) ? null : retentionMs,
    movements.length === 0 ? null : JSON.stringify(movements.map(movementRow)),
    ...guardValues(movements, [debits, credits]),
    takes.length === 0 ? null : takes.flatMap(({ amount }) => [String(amount), '0']),
    ...recordValues(
      change,
      takes.map(({ hash }) => hash),
    ),
  ];
}

/** The result in the lines of commit_round. */
export function readCommitLines(lines: readonly Line[], change: RoundChange): CommitResult {
  const [kind, number, reason] = lines[0] ?? [];
  switch (kind) {
    case 'committed':
      return { kind, accounts: readAccounts(lines) };
    case 'stale':
      return { kind };
    case 'refused': {
      const movement = change.movements[Number(number) - 1];
      if (movement === undefined) {
        throw new Error('PostgreSQL refused a movement that the commit does not hold.');
      }
      return { kind, hash: movement.hash, reason: refusalOf(reason) };
    }
    default:
      throw new Error('PostgreSQL answered a commit with an unknown reply.');
  }
}

/** Null if the player is unknown. */
function readAccounts(lines: readonly Line[]): Account[] | null {
  const known = lines.filter(([, currency]) => typeof currency === 'string');
  return known.length === 0 ? null : known.map(([, ...account]) => readAccount(account));
}

function movementRow(movement: Movement): readonly (string | boolean)[] {
  const { kind, currency } = movement;
  if (kind === 'take') return [kind, currency, String(movement.amount), '0', movement.bonusFirst];
  return [kind, currency, String(movement.purse.real), String(movement.purse.bonus), false];
}

/** No guard if a sum of the round leaves the range: the long path then refuses it. */
function guardValues(movements: readonly Movement[], sums: readonly Purse[]): PostgresValue[] {
  const guard = sums.every(isInRange) ? guardOf(movements) : null;
  if (guard === null) return Array<null>(6).fill(null);
  const { currency, net, lowest, highest, takes, bonusFirst } = guard;
  return [currency, String(net), String(lowest), String(highest), takes, bonusFirst];
}

/** The text of first_records, or null; then hash, kind, text and take of each record of the table, or nulls. */
function recordValues({ before, records }: RoundChange, takes: readonly string[]): PostgresValue[] {
  const takeOf = ({ hash, record }: NewRecord) => {
    const take = record.type === 'debit' ? takes.indexOf(hash) : -1;
    return take < 0 ? undefined : take;
  };
  const kept = latest(records);
  if (before.version === 0 && kept.length <= mostFirstRecords) {
    const rows = kept.map((item) => [item.hash, ...rowOf(item.record, takeOf(item))]);
    const text = JSON.stringify(rows);
    if (text.length <= longestFirstRecords) return [text, null, null, null, null];
  }
  if (kept.length === 0) return Array<null>(5).fill(null);
  const numbers = kept.map(takeOf);
  return [
    null,
    kept.map(({ hash }) => hash),
    kept.map(({ record }) => kindOf(record)),
    kept.map(({ record }, at) =>
      JSON.stringify(rowOf(record, numbers[at] === undefined ? undefined : null)),
    ),
    numbers.map((take) => (take === undefined ? null : take + 1)),
  ];
}

/** The last of several records of a kind under one hash: no statement writes a row twice. */
function latest(records: readonly NewRecord[]): NewRecord[] {
  const byName = new Map(records.map((item) => [`${kindOf(item.record)}${item.hash}`, item]));
  return [...byName.values()];
}

/** The name of a record's kind in the table. */
function kindOf({ type }: NewRecord['record']): 't' | 'v' {
  return type === 'void' ? 'v' : 't';
}
