import type { RoundReply } from '../../protocol/engine-api';
import { judgeClosed } from './closed';
import type { LastSeen, LostCall } from './lost';
import { judgeOpen } from './open';
import { closes, isRepeatable, wonBy } from './traces';

/** How an open round is brought to its end (S2.5). */
export type RecoveryPolicy = 'repeatFirst' | 'endOnly';

/** What recover has done so far. */
export interface Progress {
  /** The lost request was sent again. */
  readonly isRepeated: boolean;
  /** The RGS knows the lost call: the repeated added bet was answered 37 (S2.4). */
  readonly isKnown: boolean;
}

/** What to do next about a round that was asked for. */
export type Step =
  | { readonly kind: 'done' }
  | { readonly kind: 'undone' }
  | { readonly kind: 'unclear'; readonly why: string }
  /** Send the same request again, signed anew. */
  | { readonly kind: 'repeat' }
  /** endGameRound: the call is applied, and was to close the round. */
  | { readonly kind: 'end' }
  /** Ask again: the repeated request may still arrive. */
  | { readonly kind: 'wait' }
  /** endOnly would lose a win (S2.5). */
  | { readonly kind: 'refuse' };

/** What the reply to getGameRoundInfo makes recover do (S2.3 to S2.5). */
export function nextStep(
  lost: LostCall,
  last: LastSeen | null,
  round: RoundReply,
  spinsAvailable: number | null,
  policy: RecoveryPolicy,
  { isRepeated, isKnown }: Progress,
): Step {
  if (round.gameRoundInfo.status !== 'open') {
    const verdict = judgeClosed(lost, last, round);
    return isKnown && verdict.kind === 'unclear' ? { kind: 'done' } : verdict;
  }
  const verdict = isKnown
    ? ({ kind: 'applied' } as const)
    : judgeOpen(lost, last, round, spinsAvailable);
  if (verdict.kind === 'unclear') return verdict;
  const isApplied = verdict.kind === 'applied';
  // A start that is found took its debit: to end it at once would lose the player's stake.
  if (policy === 'endOnly' && lost.call !== 'start' && lost.call !== 'void') {
    return !isApplied && wonBy(lost) > 0n ? { kind: 'refuse' } : { kind: 'end' };
  }
  if (isApplied) return closes(lost) ? { kind: 'end' } : { kind: 'done' };
  if (!isRepeatable(lost)) {
    return { kind: 'unclear', why: 'it has no idempotency key, so a repeat could count twice' };
  }
  return isRepeated ? { kind: 'wait' } : { kind: 'repeat' };
}
