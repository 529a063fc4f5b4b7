import { type FollowUp, followUpOn, runningHead } from '../../../gameround/follow-up';
import { emptyPurse } from '../../../../protocol/money';
import type { FollowResult, RoundKey } from '../../../wallet';
import { type Extras, pushChange } from './commit';
import type { Keys } from './keys';
import { decodeAccounts } from './record';
import { decodeSnapshot, type LoadReply } from './snapshot';
import { encodeTime } from './time';

/** The keys of follow.lua. */
export function followKeys(
  keys: Keys,
  round: RoundKey,
  { closes }: FollowUp,
  { eventKind = null, lists = false }: Extras,
): string[] {
  const own: string[] = keys.accountAndRound(round);
  if (eventKind !== null) own.push(keys.events(round));
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
  const { currency, gameCode, closes, credited, ended, credits, changedAt } = followUp;
  const { records, movements } = followUp;
  const added = `${credited} ${ended} ${credits.real} ${credits.bonus} ${currency}`;
  const args = [
    closes ? `c ${added} ${retentionMs} ${encodeTime(changedAt)}` : `o ${added}`,
    gameCode,
  ];
  const before = runningHead(followUp);
  // The money that the round has is added where the round is.
  const after = { ...followUpOn(before, followUp), credits: emptyPurse };
  pushChange(args, round, { before, after, records, movements }, extras);
  return args;
}

/** The result in a reply of follow.lua. */
export function readFollowReply(reply: unknown, { records }: FollowUp): FollowResult {
  const [, rest] = reply as [number, unknown];
  if (versionIn(reply) > 0) {
    return { kind: 'committed', accounts: decodeAccounts(rest as string[]) };
  }
  const hashes = records.map(({ hash }) => hash);
  return { kind: 'other', snapshot: decodeSnapshot(rest as LoadReply, hashes) };
}

/** The version of the round in a reply of follow.lua; 0 if nothing was written. */
export function versionIn(reply: unknown): number {
  return (reply as [number, unknown])[0];
}
