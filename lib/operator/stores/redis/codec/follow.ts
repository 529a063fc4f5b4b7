import { type FollowUp, followUpOn, runningHead } from '../../../gameround/follow-up';
import { emptyPurse } from '../../../../protocol/money/purse';
import type { FollowResult, RoundKey } from '../../../wallet';
import type { Call } from '../commands/script';
import type { scripts } from '../commands/scripts';
import { type Extras, writtenBy } from './commit';
import type { Keys } from './keys';
import { decodeAccounts } from './record';
import { decodeSnapshot, type LoadReply } from './snapshot';
import { encodeTime } from './time';

/** What follow.lua is given. */
export function followCall(
  keys: Keys,
  round: RoundKey,
  followUp: FollowUp,
  retentionMs: number,
  extras: Extras,
): Call<typeof scripts.follow.names> {
  const { currency, gameCode, closes, credited, ended, credits, changedAt } = followUp;
  const { records, movements } = followUp;
  const before = runningHead(followUp);
  // The script adds the money that the round has.
  const after = { ...followUpOn(before, followUp), credits: emptyPurse };
  const named = keys.accountAndRound(round);
  const written = writtenBy(keys, round, { before, after, records, movements }, extras);
  // Listed one by one, as in commitCall.
  return {
    account: named.account,
    round: named.round,
    added: `${credited} ${ended} ${credits.real} ${credits.bonus} ${currency}`,
    gameCode,
    fields: written.fields,
    movements: written.movements,
    events: written.events,
    history: written.history,
    open: written.open,
    carried: closes ? { keep: retentionMs, closedAt: encodeTime(changedAt) } : null,
    limits: null,
  };
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
