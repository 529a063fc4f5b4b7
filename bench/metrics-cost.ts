import { Events } from '../lib/operator/events';
import { createMetrics } from '../lib/operator/telemetry';
import type { CallOutcome, WalletStore } from '../lib/operator/wallet';
import { systemClock } from '../lib/platform';
import type { Call } from '../lib/protocol/operator-api';

const callsInBatch = 100_000;
const batches = 15;

/** The parts of a call that metrics touch: one commit, and the event of its answer. */
interface Touched {
  readonly store: WalletStore;
  readonly events: Events;
}

const round = { operatorId: 'operator', playerId: 'player-1', gameRound: 'round' };

/** What a router does with the answer to a call, and nothing else of it. */
async function callOf(
  { store, events }: Touched,
  change: Parameters<WalletStore['commit']>[1],
  call: Call,
  outcome: CallOutcome,
): Promise<void> {
  const startedAt = systemClock.monotonicMs();
  await store.commit(round, change);
  if (!events.wants('callAnswered', 'info')) return;
  const durationMs = systemClock.monotonicMs() - startedAt;
  events.emit({
    kind: 'callAnswered',
    round,
    call,
    outcome,
    status: 200,
    durationMs,
    isShed: false,
  });
}

/** What the metrics of one call [debit, credit, end] cost, in microseconds of processor: with them, less without. */
export async function metricsCost(call: Call): Promise<number> {
  const accounts = [{ currency: 'EUR', real: 1n, bonus: null }];
  const plain = {
    decimals: 4,
    commit: async () => ({ kind: 'committed', accounts }),
  } as unknown as WalletStore;
  const metrics = createMetrics();
  const { recorder } = metrics;
  const quiet = { wants: () => false, on: () => {} };
  const without = { store: plain, events: new Events([quiet]) };
  const observed = {
    store: recorder.observe(plain),
    events: new Events([quiet, recorder.listener]),
  };
  const outcome = outcomeOf(call);
  const change = {} as Parameters<WalletStore['commit']>[1];
  const best = { with: Number.POSITIVE_INFINITY, without: Number.POSITIVE_INFINITY };
  for (let batch = 0; batch < batches; batch += 1) {
    for (const [name, touched] of [
      ['without', without],
      ['with', observed],
    ] as const) {
      const before = process.cpuUsage();
      for (let at = 0; at < callsInBatch; at += 1) await callOf(touched, change, call, outcome);
      const { user, system } = process.cpuUsage(before);
      best[name] = Math.min(best[name], (user + system) / callsInBatch);
    }
  }
  metrics.close();
  return best.with - best.without;
}

function outcomeOf({ transactions }: Call): CallOutcome {
  const verdicts = transactions.map(({ hash }) => {
    return { hash, outcome: 'processed', replay: false } as const;
  });
  const known = { accounts: null, currency: 'EUR', state: 'closed', notes: [] } as const;
  return { verdicts, admission: 'admitted', unknown: null, ...known };
}
