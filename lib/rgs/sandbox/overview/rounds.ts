import { type Due, replyOf, type Round } from '../../rounds';
import type { DueView, MovementView, RoundView } from '../view';

/** A round as the page and the API show it. */
export function roundView(round: Round): RoundView {
  const { owner, debits, credits, queue, undelivered } = round;
  const { operatorId, playerId, gameProviderId, gameCode, mode, currency } = owner;
  const reply = replyOf(round);
  return {
    gameRound: round.gameRound,
    operatorId,
    playerId,
    gameProviderId,
    gameCode,
    mode,
    currency,
    state: round.state,
    stake: String(reply.stake),
    amountToCollect: String(reply.amountToCollect),
    amountCredited: String(reply.amountCredited),
    creditPending: String(reply.creditPending),
    startedAt: isoOf(round.startedAt),
    lastCallAt: isoOf(round.lastCallAt),
    debits: debits.map(({ due, state }): MovementView => ({ ...dueView(due), state })),
    credits: credits.map(({ due, state }): MovementView => ({ ...dueView(due), state })),
    due: queue.map(dueView),
    undelivered: undelivered.map(dueView),
    needsPerson: round.needsPerson,
  };
}

/** A transaction that is due. */
export function dueView(due: Due): DueView {
  const { type, hash, at, reason } = due;
  return {
    type,
    hash,
    amount: 'amount' in due ? String(due.amount) : null,
    at: isoOf(at),
    reason,
  };
}

/** Milliseconds since 1970 as ISO 8601. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
