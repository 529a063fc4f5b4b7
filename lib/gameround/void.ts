import { emptyPurse, isEmptyPurse, type Purse, subtractPurses } from '../money';
import type { Void } from '../protocol';
import type { DebitRecord, HashEntry, RoundHead } from './round';
import { type DecideContext, enter, refuse, type Ruling } from './verdict';

/**
 * Decides a void, which is processed in every state and never refused for funds. In order:
 * known (D5.1); of a credit or an end (D5.7); of a hash not seen yet (D5.5); of the first debit,
 * which reverses the round (D5.2, D5.4); of a follow-up debit (D5.3).
 */
export function decideVoid(
  order: Void,
  head: RoundHead,
  entry: HashEntry | undefined,
  context: DecideContext,
): Ruling {
  const { hash } = order;
  if (entry?.void !== undefined) {
    return { verdict: { hash, outcome: 'processed', replay: true }, head };
  }
  const target = entry?.transaction;
  if (target === undefined) return rememberVoid(order, head, context);
  if (target.type !== 'debit') return refuse(hash, 'INVALIDPARAMETER', head);
  const ruling = isFirstOf(target, head)
    ? voidRound(order, head, context)
    : voidFollowUp(order, target, head, context);
  const differs = order.amount !== null && order.amount !== target.amount;
  return differs ? { ...ruling, note: 'The void has another amount than its debit.' } : ruling;
}

/** D5.5: the debit moves nothing when it comes; a hash that is the gameRound is the first debit's. */
function rememberVoid(order: Void, head: RoundHead, context: DecideContext): Ruling {
  const isFirst = order.hash === context.gameRound && !head.started;
  return processed(order, isFirst ? enter(head, 'voided', context.now) : head, emptyPurse, context);
}

/** The round's initial debit, or one that was to be the first of a round without any (D5.4). */
function isFirstOf(target: DebitRecord, head: RoundHead): boolean {
  return target.first && (isEffective(target) || !head.started);
}

function isEffective(target: DebitRecord): boolean {
  const { outcome } = target;
  return outcome === 'accepted' || outcome === 'unanswered' || outcome === 'pending';
}

/** D5.2: every effective debit and credit of the round, whose sums the head keeps. */
function voidRound(order: Void, head: RoundHead, context: DecideContext): Ruling {
  const after: RoundHead = {
    ...enter(head, 'voided', context.now),
    unanswered: 0,
    debits: emptyPurse,
    credits: emptyPurse,
  };
  return processed(order, after, subtractPurses(head.debits, head.credits), context);
}

/** D5.3: that debit alone. One of a voided round was reversed with the round. */
function voidFollowUp(
  order: Void,
  target: DebitRecord,
  head: RoundHead,
  context: DecideContext,
): Ruling {
  const wasUnanswered = target.outcome === 'unanswered' && head.unanswered > 0;
  const purse = isEffective(target) && head.state !== 'voided' ? target.purse : emptyPurse;
  const unanswered = wasUnanswered ? head.unanswered - 1 : head.unanswered;
  const isAnswered = head.state === 'cancelled' && unanswered === 0;
  const after: RoundHead = {
    ...(isAnswered ? enter(head, head.resume, context.now) : head),
    unanswered,
    debits: subtractPurses(head.debits, purse),
  };
  return processed(order, after, purse, context);
}

function processed(order: Void, head: RoundHead, purse: Purse, context: DecideContext): Ruling {
  const { hash } = order;
  const ruling: Ruling = {
    verdict: { hash, outcome: 'processed', replay: false },
    head,
    record: { type: 'void', purse, at: context.now },
  };
  if (isEmptyPurse(purse) || head.currency === null) return ruling;
  return { ...ruling, movement: { kind: 'reverse', hash, currency: head.currency, purse } };
}
