import { Events } from '../../lib/operator/events';
import { createMetrics } from '../../lib/operator/telemetry';
import type { RoundChange } from '../../lib/operator/gameround';
import type { CallOutcome, Rounds } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import type { Call } from '../../lib/protocol/operator-api/transaction';

const callsInBatch = 100_000;
const batches = 15;

/** The parts of a call that metrics touch: one commit, and the event of its answer. */
interface Touched {
  readonly rounds: Pick<Rounds, 'commit'>;
  readonly events: Events;
}

const round = { operatorId: 'operator', playerId: 'player-1', gameRound: 'round' };

/** What a router does with the answer to a call, and nothing else of it. */
async function callOf(
  { rounds, events }: Touched,
  change: RoundChange,
  call: Call,
  outcome: CallOutcome,
): Promise<void> {
  const startedAt = systemClock.monotonicMs();
  await rounds.commit(round, change);
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
    commit: async () => ({ kind: 'committed', accounts }),
  } as unknown as Rounds;
  const metrics = createMetrics();
  const { recorder } = metrics;
  const quiet = { wants: () => false, on: () => {} };
  const without = { rounds: plain, events: new Events([quiet]) };
  const observed = {
    rounds: recorder.observe(plain),
    events: new Events([quiet, recorder.listener]),
  };
  const outcome = outcomeOf(call);
  const change = {} as RoundChange;
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
