import { type FollowUp, followUpOn, runningHead } from '../../../gameround/follow-up';
import { emptyPurse } from '../../../../protocol/money';
import type { FollowResult, RoundKey } from '../../../wallet';
import { commitArguments, type Extras } from './commit';
import type { Keys } from './keys';
import { decodeAccounts } from './record';
import { fieldsOf } from './round';
import { decodeSnapshot, type LoadReply } from './snapshot';
import { encodeTime } from './time';

/** Arguments of commit.lua that say what the round was, and is: follow.lua finds them itself. */
const ofTheRound = 6;

/** The keys of follow.lua. */
export function followKeys(
  keys: Keys,
  round: RoundKey,
  { closes }: FollowUp,
  { tells = null, lists = false }: Extras,
): string[] {
  const own: string[] = keys.accountAndRound(round);
  if (tells !== null) own.push(keys.events(round));
  if (lists) own.push(...keys.history(round), keys.open(round));
  if (closes) own.push(keys.carried(round));
  return own;
}

/** The arguments of follow.lua; the script's header describes their order. */
export function followArguments(
  round: RoundKey,
  followUp: FollowUp,
  retentionMs: number,
  extras: Extras,
): string[] {
  const { hashes, currency, gameCode, closes, credited, ended, credits, changedAt } = followUp;
  const fields = hashes.flatMap((hash) => fieldsOf(hash, round.gameRound));
  const letter = closes ? 'c' : 'o';
  const at = closes ? encodeTime(changedAt) : '';
  const added = [fields.length, letter, credited, ended, credits.real, credits.bonus, at];
  const { records, movements } = followUp;
  const before = runningHead(followUp);
  // What its arguments say of the round is left out; the money it has is added where the round is.
  const after = { ...followUpOn(before, followUp), credits: emptyPurse };
  const change = { before, after, records, movements };
  const rest = commitArguments(round, change, retentionMs, extras).slice(ofTheRound);
  return [added.join(' '), currency, gameCode, String(retentionMs), ...fields, ...rest];
}

/** The result in a reply of follow.lua. */
export function readFollowReply(reply: unknown, { hashes }: FollowUp): FollowResult {
  const [isCommitted, rest] = reply as [number, unknown];
  if (isCommitted === 1) {
    return { kind: 'committed', accounts: decodeAccounts(rest as string[]) };
  }
  return { kind: 'other', snapshot: decodeSnapshot(rest as LoadReply, hashes) };
}
