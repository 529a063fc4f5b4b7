import type { Due, Round } from '../../rounds/round';
import { replyOf } from '../../rounds/query';
import type { SandboxSettings } from '../process/options';
import type { Running } from '../process/running';
import type { DueView, MovementView, RoundView } from '../view/state';
import type { StepView, TimelineView } from '../view/wire';
import { timeText } from '../../../platform/time/iso';

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
    startedAt: timeText(round.startedAt),
    lastCallAt: timeText(round.lastCallAt),
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
    at: timeText(at),
    reason,
  };
}

/** The round of this id, of the first provider that has one; null if there is none. */
export function findRound(
  running: Running,
  { providers }: Pick<SandboxSettings, 'providers'>,
  gameRound: string,
): Round | null {
  const service = running.service();
  for (const { gameProviderId } of providers) {
    const round = service.round(gameProviderId, gameRound);
    if (round !== null) return round;
  }
  return null;
}

/** What happened to a round: its calls, the events of the journal, and findings, in order. */
export function timelineView(
  running: Running,
  settings: SandboxSettings,
  gameRound: string,
): TimelineView {
  const round = findRound(running, settings, gameRound);
  const calls = running.wire.about(gameRound).map((call) => ({
    order: call.n,
    rank: 0,
    step: { kind: 'call', call } as StepView,
  }));
  const events = running.events.about(gameRound).map(({ afterCall, at, type, event }) => ({
    order: afterCall,
    rank: 1,
    step: { kind: 'event', at: timeText(at), type, event } as StepView,
  }));
  const steps = [...calls, ...events]
    .toSorted((a, b) => a.order - b.order || a.rank - b.rank)
    .map(({ step }) => step);
  const findings = running.findings
    .list()
    .filter((finding) => finding.round === gameRound)
    .map((finding): StepView => ({ kind: 'finding', finding }));
  return { round: round === null ? null : roundView(round), steps: [...steps, ...findings] };
}
