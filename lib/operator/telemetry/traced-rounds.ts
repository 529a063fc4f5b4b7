import type { Spans } from '../../platform/tracing';
import { aroundRounds, type Rounds } from '../wallet';

/** The same rounds, with a span for each load, commit, follow-up and read of accounts. */
export function tracedRounds(rounds: Rounds, spans: Spans): Rounds {
  return aroundRounds(rounds, (operation, work) =>
    spans.below(`rgs.store.${operation}`, async (span) => {
      const answer = await work();
      const result = resultOf(answer.kind);
      span.note({ 'rgs.store.result': result });
      if (result === 'unknown') span.fail(result);
      return answer;
    }),
  );
}

/** `loaded`, `known` and `committed` are `done`, as in the metrics. */
function resultOf(kind: string): string {
  return ['stale', 'refused', 'other', 'unknown'].includes(kind) ? kind : 'done';
}
