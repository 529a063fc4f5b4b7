import { emptyPurse, isEmptyPurse, type Purse, subtractPurses } from '../../protocol/money';
import type { Void } from '../../protocol/operator-api';
import { takeBackBehind } from './behind';
import { type DebitRecord, type HashEntry, type NewRecord, noTexts, type RoundHead } from './round';
import { type DecideContext, enter, refuse, type Ruling } from './verdict';

/**
 * Decides a void, which is processed in every state and never refused for funds. In this order: known
 * (D5.1); of a credit or an end (D5.7); of an unseen hash (D5.5); of the first debit, which reverses the
 * round (D5.2, D5.4); of a follow-up debit (D5.3).
 */
export function decideVoid(
  order: Void,
  head: RoundHead,
  entryOf: (hash: string) => HashEntry | undefined,
  context: DecideContext,
): Ruling {
  const { hash } = order;
  const entry = entryOf(hash);
  if (entry?.void !== undefined) {
    return { verdict: { hash, outcome: 'processed', replay: true }, head };
  }
  const target = entry?.transaction;
  if (target === undefined) return rememberVoid(order, head, context);
  if (target.type !== 'debit') return refuse(hash, 'INVALIDPARAMETER', head);
  const ruling = isFirstOf(target, hash, head, context)
    ? voidRound(order, head, context)
    : voidFollowUp(order, target, head, entryOf, context);
  const differs = order.amount !== null && order.amount !== target.amount;
  // D5.6
  return differs ? { ...ruling, note: 'The void has another amount than its debit.' } : ruling;
}

/** D5.5: the debit moves nothing when it arrives. If the hash is the gameRound, it is the first debit's. */
function rememberVoid(order: Void, head: RoundHead, context: DecideContext): Ruling {
  const isFirst = order.hash === context.gameRound && !head.started;
  const after = isFirst ? enter(head, 'voided', context.now) : head;
  const ruling = processed(order, after, emptyPurse, context);
  if (head.version > 0) return ruling;
  return {
    ...ruling,
    note: 'The void is for an unknown round: too early, or after its retention.',
  };
}

/** The round's accepted initial debit; if it has none, the debit that is marked as first (D5.2, D5.4). */
function isFirstOf(
  target: DebitRecord,
  hash: string,
  { started }: RoundHead,
  { gameRound }: DecideContext,
): boolean {
  if (started) return target.first && isEffective(target);
  return target.first || hash === gameRound;
}

function isEffective({ outcome }: DebitRecord): boolean {
  return outcome === 'accepted' || outcome === 'unanswered' || outcome === 'pending';
}

/** D5.2: reverses every effective debit and credit of the round, whose sums the head keeps. */
function voidRound(order: Void, head: RoundHead, context: DecideContext): Ruling {
  const after: RoundHead = {
    ...enter(head, 'voided', context.now),
    credited: 0,
    ended: 0,
    unanswered: 0,
    debits: emptyPurse,
    credits: emptyPurse,
  };
  return processed(order, after, subtractPurses(head.debits, head.credits), context);
}

/** D5.3: reverses that debit and what is behind it. In a voided round it was reversed with the round. */
function voidFollowUp(
  order: Void,
  target: DebitRecord,
  head: RoundHead,
  entryOf: (hash: string) => HashEntry | undefined,
  context: DecideContext,
): Ruling {
  const { hash } = order;
  if (head.state === 'voided') return processed(order, head, emptyPurse, context);
  const declined = head.declined === hash ? null : head.declined;
  if (!isEffective(target)) return processed(order, { ...head, declined }, emptyPurse, context);
  const back = takeBackBehind(hash, target, head, entryOf);
  const unanswered = head.unanswered - (target.outcome === 'unanswered' ? 1 : 0);
  const isAnswered = head.state === 'cancelled' && unanswered === 0;
  const state = isAnswered ? back.head.resume : back.head.state;
  const after: RoundHead = {
    ...back.head,
    ...(state === head.state ? {} : { state, changedAt: context.now }),
    unanswered,
    declined,
    debits: subtractPurses(head.debits, target.purse),
  };
  return processed(order, after, subtractPurses(target.purse, back.credits), context, back.records);
}

function processed(
  order: Void,
  head: RoundHead,
  purse: Purse,
  context: DecideContext,
  also: readonly NewRecord[] = [],
): Ruling {
  const { hash } = order;
  const ruling: Ruling = {
    verdict: { hash, outcome: 'processed', replay: false },
    head,
    record: { type: 'void', purse, at: context.now, fingerprints: noTexts },
    also,
  };
  if (isEmptyPurse(purse) || head.currency === null) return ruling;
  return { ...ruling, movement: { kind: 'reverse', hash, currency: head.currency, purse } };
}
