import {
  isKeptForEver,
  type Movement,
  needsAttention,
  type NewRecord,
  type RoundChange,
  type RoundHead,
} from '../../../gameround';
import { noteOf } from '../../../gameround/balances';
import type { Purse } from '../../../../protocol/money/purse';
import type { Account, CommitResult, RoundKey } from '../../../wallet';
import { encodePending } from '../../codec/pending';
import { refusalOf } from '../../codec/record';
import { encodeRepairs } from '../../codec/repairs';
import { guardValues } from './account-guard';
import type { Line, Writing } from '../connections/executor';
import type { functions } from '../schema/functions';
import type { ValuesOf } from '../schema/statement';
import { rowOf } from './record';
import { readAccount, readRoundLines } from './round';

/** Most records that are kept in the round's own row, and the most length of their text. */
const maxFirstRecords = 8;
const longestFirstRecords = 1200;

/** The settings of the store that a commit takes. */
export interface CommitSettings {
  readonly writing: Writing;
  readonly retentionMs: number;
}

/** The arguments of commit_round for a change, by the names of its parameters. */
export function commitValues(
  round: RoundKey,
  change: RoundChange,
  settings: CommitSettings,
): ValuesOf<typeof functions.commitRound> {
  const { movements } = change;
  const takes = takesOf(movements);
  const debits = debitsAfter(change, takes);
  return {
    ...roundValues(round, change, settings, debits),
    movements: movements.length === 0 ? null : JSON.stringify(movements.map(movementRow)),
    ...guardValues(movements, [debits, change.after.credits]),
    took: takes.length === 0 ? null : takes.flatMap(({ amount }) => [String(amount), '0']),
    ...recordValues(change, takes),
  };
}

/** The arguments of commit_own for a change, but its event. */
export function ownCommitValues(
  round: RoundKey,
  change: RoundChange,
  settings: CommitSettings,
): Omit<ValuesOf<typeof functions.commitOwn>, 'event'> {
  const { movements } = change;
  const takes = takesOf(movements);
  return {
    ...roundValues(round, change, settings, debitsAfter(change, takes)),
    ...(movements.length === 0 ? noMoves : moveValues(movements)),
    ...recordValues(change, takes),
    next_repairs: repairsText(change),
  };
}

type Take = Extract<Movement, { readonly kind: 'take' }>;

function takesOf(movements: readonly Movement[]): readonly Take[] {
  return movements.filter((movement) => movement.kind === 'take');
}

/** The debits of the round after a change, as if the real balance paid its takes. */
function debitsAfter({ after }: RoundChange, takes: readonly Take[]): Purse {
  const taken = takes.reduce((sum, { amount }) => sum + amount, 0n);
  return { real: after.debits.real + taken, bonus: after.debits.bonus };
}

/** What both commits take of the round. */
function roundValues(
  { operatorId, playerId, gameRound }: RoundKey,
  { before, after }: RoundChange,
  { writing, retentionMs }: CommitSettings,
  debits: Purse,
): RoundValues {
  const { credits, pending } = after;
  const keepsPending = pending === before.pending;
  return {
    ...writing,
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
    next_declined: encodeDeclined(after),
    next_unanswered: after.unanswered,
    debits_real: String(debits.real),
    debits_bonus: String(debits.bonus),
    credits_real: String(credits.real),
    credits_bonus: String(credits.bonus),
    keeps_pending: keepsPending,
    next_pending: pending === null || keepsPending ? null : encodePending(pending),
    needs_attention: needsAttention(after.state),
    keep_ms: isKeptForEver(after) ? null : retentionMs,
  };
}

/** The declined debit and, behind a `#`, which no identifier has, the credit that stranded the round (D11.3). */
function encodeDeclined({ declined, stuckBy }: RoundHead): string | null {
  return stuckBy === undefined ? declined : `${declined ?? ''}#${stuckBy}`;
}

/** What a commit takes besides for the repairs of the round and the balances after it; null for one that writes neither. */
export function moreValues(change: RoundChange, keepsBalances: boolean) {
  const next_repairs = repairsText(change);
  const note = keepsBalances ? noteValues(change) : null;
  if (next_repairs === null && note === null) return null;
  return { next_repairs, ...(note ?? noNote) };
}

/** Null for a change that leaves the repairs of the round as they are. */
function repairsText({ before, after: { repairs } }: RoundChange): string | null {
  return repairs === undefined || repairs === before.repairs ? null : encodeRepairs(repairs);
}

/** Null for a change that writes no line of the round, and where the ledger did not tell its balances. */
export function noteValues(change: RoundChange): NoteValues | null {
  const note = noteOf(change);
  const { balances } = change;
  if (note === null || balances === null || balances?.length === 0) return null;
  return {
    line_at: note.at,
    line_order: note.lines,
    line_net: note.net === null ? null : String(note.net),
    of_ledger: balances === undefined ? null : arrayText(balances),
  };
}

type NoteValues = Pick<
  ValuesOf<typeof functions.commitWhole>,
  'line_at' | 'line_order' | 'line_net' | 'of_ledger'
>;

const noNote: NoteValues = { line_at: null, line_order: null, line_net: null, of_ledger: null };

/** {@link moreValues} of a commit that writes neither. */
export const nothingMore = { next_repairs: null, ...noNote } as const;

/** Accounts as the text of an array of PostgreSQL; no currency has a quote. */
function arrayText(accounts: readonly Account[]): string {
  const rows = accounts.map(
    ({ currency, real, bonus }) => `{"${currency}",${real},${bonus ?? 'NULL'}}`,
  );
  return `{${rows.join(',')}}`;
}

/** The result in the lines of commit_round; after `stale`, the lines of a load if they were requested. */
export function readCommitLines(lines: readonly Line[], change: RoundChange): CommitResult {
  const [kind, number, reason, , loaded] = lines[0] ?? [];
  switch (kind) {
    case 'committed':
      return { kind, accounts: readAccounts(lines) };
    case 'stale': {
      if (typeof loaded !== 'string') return { kind };
      const hashes = change.records.map(({ hash }) => hash);
      return { kind, snapshot: readRoundLines(JSON.parse(loaded) as Line[], hashes) };
    }
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

/** The accounts in the lines of a commit; null if the player is unknown. */
export function readAccounts(lines: readonly Line[]): Account[] | null {
  const known = lines.filter(([, currency]) => typeof currency === 'string');
  return known.length === 0 ? null : known.map(([, ...account]) => readAccount(account));
}

function moveValues(movements: readonly Movement[]): MoveValues {
  const purses = movements.map((movement) =>
    movement.kind === 'take' ? { real: movement.amount, bonus: 0n } : movement.purse,
  );
  return {
    move_kind: movements.map(({ kind }) => kind),
    move_currency: movements.map(({ currency }) => currency),
    move_real: purses.map(({ real }) => String(real)),
    move_bonus: purses.map(({ bonus }) => String(bonus)),
    move_bonus_first: movements.map((movement) => movement.kind === 'take' && movement.bonusFirst),
    move_hash: movements.map(({ hash }) => hash),
  };
}

function movementRow(movement: Movement): readonly (string | boolean)[] {
  const { kind, currency } = movement;
  if (kind === 'take') return [kind, currency, String(movement.amount), '0', movement.bonusFirst];
  return [kind, currency, String(movement.purse.real), String(movement.purse.bonus), false];
}

type CommitValues = ValuesOf<typeof functions.commitRound>;
type OwnValues = ValuesOf<typeof functions.commitOwn>;
type MoveValues = Pick<OwnValues, Extract<keyof OwnValues, `move_${string}`>>;
type RoundValues = Pick<
  CommitValues,
  Exclude<keyof CommitValues & keyof OwnValues, keyof RecordValues>
>;
type RecordValues = Pick<
  CommitValues,
  'opening' | 'record_hash' | 'record_kind' | 'record_text' | 'record_take'
>;

const noMoves: MoveValues = {
  move_kind: null,
  move_currency: null,
  move_real: null,
  move_bonus: null,
  move_bonus_first: null,
  move_hash: null,
};
const noRecords: RecordValues = {
  opening: null,
  record_hash: null,
  record_kind: null,
  record_text: null,
  record_take: null,
};

/** The text of first_records, or the records of the table. */
function recordValues({ before, records }: RoundChange, takes: readonly Take[]): RecordValues {
  const hashes = takes.map(({ hash }) => hash);
  const takeOf = ({ hash, record }: NewRecord) => {
    const take = record.type === 'debit' ? hashes.indexOf(hash) : -1;
    return take < 0 ? undefined : take;
  };
  const kept = latest(records);
  if (before.version === 0 && kept.length <= maxFirstRecords) {
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
