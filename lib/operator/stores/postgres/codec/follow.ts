import type { RoundChange } from '../../../gameround';
import { changeOf, type FollowUp, runningHead } from '../../../gameround/follow-up';
import type { FollowResult, RoundKey } from '../../../wallet';
import type { Line } from '../connections/executor';
import type { functions } from '../schema/functions';
import type { ValuesOf } from '../schema/statement';
import {
  type CommitSettings,
  commitValues,
  noteValues,
  ownCommitValues,
  readAccounts,
} from './commit';
import { readRoundLines } from './round';

/**
 * A follow-up as the change of a round of its class with nothing in it: so its counts and sums are what it
 * adds. Never to be committed.
 */
export function asAddition(followUp: FollowUp): RoundChange {
  const change = changeOf(followUp, { head: runningHead(followUp), entries: new Map() });
  if (change === null)
    throw new Error(
      'Internal error: a follow-up does not match the class of head that it was decided for.',
    );
  return change;
}

/** The arguments of follow_round but the event; with the balances after it, if they are to be kept. */
export function followValues(
  round: RoundKey,
  followUp: FollowUp,
  settings: CommitSettings,
  keepsBalances: boolean,
): Omit<ValuesOf<typeof functions.followRound>, 'event'> {
  const change = asAddition(followUp);
  const values = commitValues(round, change, settings);
  const note = keepsBalances ? noteValues(change) : null;
  return {
    ...additionValues(followUp, values),
    movements: values.movements,
    in_currency: values.in_currency,
    net: values.net,
    lowest: values.lowest,
    highest: values.highest,
    takes: values.takes,
    bonus_first: values.bonus_first,
    took: values.took,
    line_at: note?.line_at ?? null,
    line_order: note?.line_order ?? null,
    line_net: note?.line_net ?? null,
  };
}

/** The arguments of follow_own but the event. */
export function ownFollowValues(
  round: RoundKey,
  followUp: FollowUp,
  settings: CommitSettings,
): Omit<ValuesOf<typeof functions.followOwn>, 'event'> {
  const values = ownCommitValues(round, asAddition(followUp), settings);
  return {
    ...additionValues(followUp, values),
    move_kind: values.move_kind,
    move_currency: values.move_currency,
    move_real: values.move_real,
    move_bonus: values.move_bonus,
    move_bonus_first: values.move_bonus_first,
    move_hash: values.move_hash,
  };
}

type OfBoth = keyof ValuesOf<typeof functions.followRound> &
  keyof ValuesOf<typeof functions.followOwn>;

/** What both take, from the arguments of a commit of the addition. */
function additionValues(
  { hashes, currency, gameCode, closes, changedAt }: FollowUp,
  values: Omit<ReturnType<typeof ownCommitValues>, 'next_repairs' | `move_${string}`>,
): Omit<Pick<ValuesOf<typeof functions.followOwn>, OfBoth>, 'event'> {
  return {
    accept_loss: values.accept_loss,
    lock_timeout_ms: values.lock_timeout_ms,
    of_operator: values.of_operator,
    of_player: values.of_player,
    of_round: values.of_round,
    hashes,
    in_json: hashes.map((hash) => JSON.stringify(hash)),
    of_currency: currency,
    of_game_code: gameCode,
    next_state: values.next_state,
    next_changed_at: closes ? changedAt : null,
    more_credited: values.next_credited,
    more_ended: values.next_ended,
    more_debits: values.debits_real,
    more_credits_real: values.credits_real,
    more_credits_bonus: values.credits_bonus,
    keep_ms: values.keep_ms,
    record_hash: values.record_hash,
    record_kind: values.record_kind,
    record_text: values.record_text,
    record_take: values.record_take,
  };
}

/** The result in the lines of follow_round or follow_own. */
export function readFollowLines(lines: readonly Line[], followUp: FollowUp): FollowResult {
  if (lines[0]?.[0] !== 'committed') {
    return { kind: 'other', snapshot: readRoundLines(lines, followUp.hashes) };
  }
  return { kind: 'committed', accounts: readAccounts(lines) };
}
