import { type Background, callHook } from '../../platform/http';
import type { CallAnswered, EventListener, Events } from '../events';
import type { CallEvent, TransactionEvent } from './configuration/call-event';
import type { OperatorSettings } from './configuration/options';

/** The user's onOutcome as a listener. It runs in the background, and what it throws goes to `log`. */
export function outcomeHook(
  onOutcome: (event: CallEvent) => void | Promise<void>,
  settings: Pick<OperatorSettings, 'clock' | 'deadlineMs'>,
  background: Background,
  log: Events,
): EventListener {
  return {
    wants: (kind) => kind === 'callAnswered',
    on: (event) => {
      if (event.kind !== 'callAnswered') return;
      const outcome = callEvent(event);
      // Time-limited like the other hooks: one that hangs must not keep the wallet from closing.
      const notified = callHook(async () => onOutcome(outcome), settings);
      background.add(notified, (error) => {
        const { gameRound } = event.round;
        log.emit({ kind: 'hookFailed', hook: 'onOutcome', error, names: { gameRound } });
      });
    },
  };
}

function callEvent({ round, call, outcome, status, durationMs }: CallAnswered): CallEvent {
  const { gameCode } = call;
  const { state } = outcome;
  const transactions = transactionEvents({ call, outcome });
  return { ...round, gameCode, status, state, transactions, durationMs };
}

function transactionEvents({
  call,
  outcome: { verdicts },
}: Pick<CallAnswered, 'call' | 'outcome'>): TransactionEvent[] {
  return call.transactions.map((transaction, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined) return { transaction, outcome: 'unknown', replay: false };
    const { outcome, replay } = verdict;
    return verdict.outcome === 'refused'
      ? { transaction, outcome, replay, code: verdict.code }
      : { transaction, outcome, replay };
  });
}
