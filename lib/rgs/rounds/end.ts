import type { CollectWin, EndOrVoid } from '../../protocol/engine-api/calls';
import { amountToCollect } from './amounts';
import type { Context } from './context';
import {
  type Answered,
  type CallFinding,
  change,
  type Changed,
  refuse,
  type Refused,
} from './decision';
import { voidDue } from './delivery';
import { creditDue, endDue } from './entry';
import type { Collected, RoundEvent } from './event';
import type { Identity } from './key';
import type { Entry, Round } from './round';

/** endGameRound: credits everything open and ends the round; never refused (E12.2). */
export function endGameRound(context: Context, round: Round): Changed {
  return change(round, closing(context, round, 'collect'), findingsOfEnd(round));
}

/**
 * The events that close a round: a credit of all that is open, then the end (E12.1, W8). A loss sends
 * the end alone (E12.3).
 */
export function closing(context: Context, round: Round, reason: 'win' | 'collect'): RoundEvent[] {
  const { at, settings } = context;
  const amount = amountToCollect(round);
  const isCredited = amount > 0n || settings.zeroCredits;
  const credit = isCredited
    ? [collected(context, round, amount, reason, { key: null, content: '' })]
    : [];
  return [...credit, { type: 'closed', at, end: endDue(context, round.gameRound) }];
}

/** collectWin: credits a part of the open amount; the round stays open (B2). */
export function collectWin(
  context: Context,
  round: Round,
  call: CollectWin,
  identity: Identity,
): Changed | Refused {
  const open = amountToCollect(round);
  const amount = call.amount ?? open;
  if (amount === 0n || amount > open) return refuse('INVALIDPARAMETER', 'E12.1');
  return change(round, [collected(context, round, amount, 'collect', identity)]);
}

/** What is worth a word when a round ends: a recorded win that never came, spins left (E7.5, E11.4). */
export function findingsOfEnd(round: Round): CallFinding[] {
  const isLeft = round.counters.some(({ awarded, used }) => used < awarded);
  const recorded = total(round.entries, ['debit', 'spincounter']);
  const isMissing = recorded > total(round.entries, ['genericwin']);
  return [
    ...(isMissing ? ['recordedAmountNotAdded' as const] : []),
    ...(isLeft ? ['spinsLeft' as const] : []),
  ];
}

/** A credit of a part of the open amount, oldest pieces first. */
export function collected(
  context: Context,
  round: Round,
  amount: bigint,
  reason: 'win' | 'collect',
  { key, content }: Identity,
): Collected {
  const { at } = context;
  const jackpotIds = round.entries.filter(({ open }) => open > 0n).flatMap((one) => one.jackpotIds);
  const nth = round.credits.length + 1;
  const { gameRound, owner } = round;
  const { currency } = owner;
  const due = creditDue(context, { gameRound, currency }, nth, amount, reason, jackpotIds);
  return { type: 'collected', at, credit: { due, key, content, state: 'due' } };
}

function total(entries: readonly Entry[], types: readonly Entry['type'][]): bigint {
  const counted = entries.filter(({ type }) => types.includes(type));
  return counted.reduce((sum, { winAmount }) => sum + winAmount, 0n);
}

/**
 * voidGameRound (E13): of the first debit the whole round, of an added one that debit alone. One that
 * was not taken, or is voided, needs none. A credit that is processed, pending or in doubt forbids it.
 * The round is voided from here on, no matter how the wallet answers the void that is due (E13.3).
 */
export function voidGameRound(
  context: Context,
  round: Round,
  call: EndOrVoid<'voidGameRound'>,
): Changed | Answered | Refused {
  const key = call.externalGameProviderTransactionId;
  const debit = key === null ? round.debits[0] : round.debits.find((one) => one.key === key);
  if (debit === undefined) return refuse('INVALIDPARAMETER', 'E13.1');
  if (debit.state !== 'accepted') return { kind: 'answered', round };
  // A person may have given up a credit that the wallet has processed.
  if (round.credits.some(({ state }) => state === 'paid' || state === 'due' || state === 'held')) {
    return refuse('TRANSACTIONSARERETRYING', 'E13.2');
  }
  const { at } = context;
  return change(round, [{ type: 'voided', at, void: voidDue(debit.due, at) }]);
}

/**
 * A person's decision on a round in attention (E16.2). `close` ends an open round as endGameRound does;
 * `giveUp` empties its queue, and lists each amount as not delivered. Resending the queue changes nothing.
 */
export function resolve(
  context: Context,
  round: Round,
  how: 'close' | 'giveUp',
): Changed | Refused {
  if (how === 'giveUp') return change(round, [{ type: 'givenUp', at: context.at }]);
  if (round.state !== 'open') return refuse('GAMEROUNDNOTACTIVE', 'E16.2');
  return endGameRound(context, round);
}
