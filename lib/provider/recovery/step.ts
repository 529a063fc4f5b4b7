import type { RoundReply } from '../../protocol/engine-api/replies';
import { unitsOf } from '../calls/requests';
import { holdsAmount, isLower, judgeClosed, stakeWith } from './closed';
import type { LastSeen, LostCall } from './lost';
import { closes, entryOf, isRepeatable, wonBy } from './traces';

/** What an open round says of a lost call (S2.4). */
type OpenVerdict =
  | { readonly kind: 'applied' }
  | { readonly kind: 'notApplied' }
  | { readonly kind: 'unclear'; readonly why: string };

const applied: OpenVerdict = Object.freeze({ kind: 'applied' });
const notApplied: OpenVerdict = Object.freeze({ kind: 'notApplied' });

/**
 * Judges a lost call by its open round: found applied by its entry or by what it changes; found not applied
 * if nothing has changed (S2.4). Anything else is for a person.
 */
function judgeOpen(
  lost: LostCall,
  last: LastSeen | null,
  round: RoundReply,
  spinsAvailable: number | null,
): OpenVerdict {
  const entry = entryOf(lost, round);
  if (entry !== null) {
    return holdsAmount(lost, entry) ? applied : unclear('its key is known with another amount');
  }
  const open = round.amountToCollect;
  const before = last?.amountToCollect ?? 0n;
  switch (lost.call) {
    case 'start':
      return applied;
    case 'addWin':
      return byAmount(open, before, before + wonBy(lost));
    case 'wagerWin':
      return last === null
        ? unclear('the open amount before it is not known')
        : byAmount(open, before, wonBy(lost));
    case 'collect':
      return judgeCollect(lost, last, open);
    case 'addBet':
      return byStake(round, last, stakeWith(lost, last));
    case 'spin':
      return judgeSpin(lost, last, open, spinsAvailable);
    case 'void':
      return isLower(last, round) ? applied : notApplied;
    case 'end':
      return last === null || open === before ? notApplied : unclear(otherAmount);
  }
}

const otherAmount = 'the open amount is neither that before the call nor that after it';

/** Where a call changes nothing, its key lets it be repeated. */
function byAmount(open: bigint, before: bigint, after: bigint): OpenVerdict {
  if (open === before) return notApplied;
  return open === after ? applied : unclear(otherAmount);
}

function judgeCollect(
  { request }: Extract<LostCall, { readonly call: 'collect' }>,
  last: LastSeen | null,
  open: bigint,
): OpenVerdict {
  if (last === null) return unclear('the open amount before it is not known');
  const before = last.amountToCollect;
  const amount = request.amount === undefined ? before : (unitsOf(request.amount) ?? 0n);
  return byAmount(open, before, before - amount);
}

function byStake(
  { gameRoundInfo }: RoundReply,
  last: LastSeen | null,
  after: bigint | null,
): OpenVerdict {
  const { stake } = gameRoundInfo;
  if (stake === null || last === null || after === null)
    return unclear('the stake before it is not known');
  if (stake === after) return applied;
  return stake === last.stake ? notApplied : unclear('the stake is neither that before nor after');
}

/** By the counter where both sides of it are known, else by the open amount, which a spin leaves alone. */
function judgeSpin(
  { request }: Extract<LostCall, { readonly call: 'spin' }>,
  last: LastSeen | null,
  open: bigint,
  now: number | null,
): OpenVerdict {
  const before = last?.spinsAvailable ?? null;
  if (before === null || now === null) {
    return last === null || open === last.amountToCollect ? notApplied : unclear(otherAmount);
  }
  const { awarded = 0, used = 0 } = request.rngResult.result;
  if (now === before) return notApplied;
  const after = before + awarded - used;
  return now === after
    ? applied
    : unclear('the spins available are neither those before nor after');
}

function unclear(why: string): OpenVerdict {
  return { kind: 'unclear', why };
}

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
type Step =
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
