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
import type { functions, ValuesOf } from '../schema/functions';
import { rowOf } from './record';
import { readAccount } from './round';

/** Most records that are kept in the round's own row, and the most length of their text. */
const mostFirstRecords = 8;
const longestFirstRecords = 1200;

/** The settings of the store that a commit takes. */
export interface CommitSettings {
  readonly acceptLoss: boolean;
  readonly lockTimeoutMs: number;
  readonly retentionMs: number;
}

/** The arguments of commit_round for a change, by the names of its parameters. */
export function commitValues(
  { operatorId, playerId, gameRound }: RoundKey,
  change: RoundChange,
  { acceptLoss, lockTimeoutMs, retentionMs }: CommitSettings,
): ValuesOf<typeof functions.commitRound> {
  const { before, after, movements } = change;
  const { credits, pending } = after;
  const takes = movements.filter((movement) => movement.kind === 'take');
  const taken = takes.reduce((sum, { amount }) => sum + amount, 0n);
  const debits = { real: after.debits.real + taken, bonus: after.debits.bonus };
  const keepsPending = pending === before.pending;
  const takenHashes = takes.map(({ hash }) => hash);
  return {
    accept_loss: acceptLoss,
    lock_timeout_ms: lockTimeoutMs,
    of_operator: operatorId,
    of_player: playerId,
    of_round: gameRound,
    expected_version: before.version,
    next_version: after.version,
    next_state: after.state,
    next_resume: after.resume,
    next_changed_at: after.changedAt,
    next_currency: after.currency,
    next_game_code: after.gameCode,
    is_started: after.started,
    next_credited: after.credited,
    next_ended: after.ended,
    next_declined: after.declined,
    next_unanswered: after.unanswered,
    debits_real: String(debits.real),
    debits_bonus: String(debits.bonus),
    credits_real: String(credits.real),
    credits_bonus: String(credits.bonus),
    keeps_pending: keepsPending,
    next_pending: pending === null || keepsPending ? null : encodePending(pending),
    needs_attention: needsAttention(after.state),
    keep_ms: isKeptForEver(after) ? null : retentionMs,
    movements: movements.length === 0 ? null : JSON.stringify(movements.map(movementRow)),
    ...guardValues(movements, [debits, credits]),
    took: takes.length === 0 ? null : takes.flatMap(({ amount }) => [String(amount), '0']),
    ...recordValues(change, takenHashes),
  };
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
function guardValues(movements: readonly Movement[], sums: readonly Purse[]): GuardValues {
  const guard = sums.every(isInRange) ? guardOf(movements) : null;
  if (guard === null) return noGuard;
  const { currency, net, lowest, highest, takes, bonusFirst } = guard;
  return {
    in_currency: currency,
    net: String(net),
    lowest: String(lowest),
    highest: String(highest),
    takes,
    bonus_first: bonusFirst,
  };
}

type CommitValues = ValuesOf<typeof functions.commitRound>;
type GuardValues = Pick<
  CommitValues,
  'in_currency' | 'net' | 'lowest' | 'highest' | 'takes' | 'bonus_first'
>;
type RecordValues = Pick<
  CommitValues,
  'opening' | 'record_hash' | 'record_kind' | 'record_text' | 'record_take'
>;

const noGuard: GuardValues = {
  in_currency: null,
  net: null,
  lowest: null,
  highest: null,
  takes: null,
  bonus_first: null,
};
const noRecords: RecordValues = {
  opening: null,
  record_hash: null,
  record_kind: null,
  record_text: null,
  record_take: null,
};

/** The text of first_records, or the records of the table. */
function recordValues({ before, records }: RoundChange, takes: readonly string[]): RecordValues {
  const takeOf = ({ hash, record }: NewRecord) => {
    const take = record.type === 'debit' ? takes.indexOf(hash) : -1;
    return take < 0 ? undefined : take;
  };
  const kept = latest(records);
  if (before.version === 0 && kept.length <= mostFirstRecords) {
    const rows = kept.map((item) => [item.hash, ...rowOf(item.record, takeOf(item))]);
    const text = JSON.stringify(rows);
    if (text.length <= longestFirstRecords) return { ...noRecords, opening: text };
  }
  if (kept.length === 0) return noRecords;
  const numbers = kept.map(takeOf);
  return {
    opening: null,
    record_hash: kept.map(({ hash }) => hash),
    record_kind: kept.map(({ record }) => kindOf(record)),
    record_text: kept.map(({ record }, at) =>
      JSON.stringify(rowOf(record, numbers[at] === undefined ? undefined : null)),
    ),
    record_take: numbers.map((take) => (take === undefined ? null : take + 1)),
  };
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
