import { type Answer, cut, type Finding, type Repeat, settle, voidOf } from '../../settlement';
import {
  apply,
  type DebitDue,
  type Due,
  type Refusal,
  type Round,
  type Settled,
  type VoidDue,
} from '../state';
import { nextCall } from './queue';
import { refusalBy, silence } from './refusal';

/** The effect of a wallet's answer on a round. */
export interface AnswerEffect {
  readonly event: Settled;
  readonly round: Round;
  /** How the due rest of the call is resent; null if nothing is due. */
  readonly repeat: Repeat | null;
  readonly findings: readonly Finding[];
}

/**
 * The effect of the answer to a call on its round (B2). The table of settlement decides; this writes its
 * decisions to the round: accepted debits open it, and the void of an unanswered one falls due.
 */
export function applyAnswer(
  round: Round,
  call: readonly Due[],
  answer: Answer,
  at: number,
): AnswerEffect {
  const hasPaidCredit = round.credits.some(({ state }) => state === 'paid');
  const hasDeclinedDebit = round.debits.some(({ state }) => state === 'declined');
  const settlement = settle({ transactions: call, hasPaidCredit, hasDeclinedDebit }, answer);
  const top = answer.kind === 'reply' ? (answer.body?.error ?? null) : null;
  const event: Settled = {
    type: 'settled',
    transactions: settlement.transactions.map(({ transaction: { type, hash }, fate, error }) => {
      let refusal: Refusal | null = null;
      if (fate === 'declined' && type === 'debit') refusal = refusalBy(error ?? top);
      if (fate === 'withdrawn') refusal = silence;
      return { type, hash, fate, refusal };
    }),
    effect: settlement.round,
    needsPerson: settlement.needsPerson,
    voids: settlement.toVoid.flatMap((due) => (due.type === 'debit' ? [voidDue(due, at)] : [])),
  };
  return {
    event,
    round: apply(round, event),
    repeat: settlement.repeat,
    findings: settlement.findings,
  };
}

/**
 * The effect of a restart on a round: a due debit may have been sent, so it counts as unanswered and its
 * void falls due (B4). Null if the queue continues unchanged.
 */
export function recover(round: Round, at: number): AnswerEffect | null {
  if (round.queue[0]?.type !== 'debit') return null;
  return applyAnswer(round, nextCall(round, 'combined'), cut, at);
}

/** The new due void of a debit (W6, W9). */
export function voidDue(debit: DebitDue, at: number): VoidDue {
  return { ...voidOf(debit), at, reason: 'void' };
}
