import type { Clock } from '../../platform';
import type { Background } from '../../platform/http';
import { callHook } from '../../platform/within';
import type { CallAnswered, EventListener, Events } from '../events';
import type { RoundState } from '../gameround';
import type { RoundKey } from '../wallet';
import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Transaction } from '../../protocol/operator-api/transaction';

/** What happened to one transaction of a call. Amounts are in units of the store. */
export interface TransactionEvent {
  readonly transaction: Transaction;
  /** `unknown`: the reply leaves it out, with all behind it (D6.1). */
  readonly outcome: 'processed' | 'refused' | 'unknown';
  /** Why it was refused. */
  readonly code?: ErrorCode;
  /** Whether the hash was known, so nothing moved now. */
  readonly replay: boolean;
}

/** What happened to a doTransactions call that was authentic and well formed. */
export interface CallEvent extends RoundKey {
  readonly gameCode: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** State of the round after it; null if it is not known. */
  readonly state: RoundState | null;
  readonly transactions: readonly TransactionEvent[];
  /** From the arrival of the call to its answer, in milliseconds. */
  readonly durationMs: number;
}

/** The user's onOutcome as a listener. It runs in the background, and what it throws goes to `log`. */
export function outcomeHook(
  onOutcome: (event: CallEvent) => void | Promise<void>,
  settings: { readonly clock: Clock; readonly deadlineMs: number },
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
