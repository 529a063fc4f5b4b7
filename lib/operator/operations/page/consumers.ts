import {
  agoOf,
  badge,
  count,
  html,
  type Html,
  id,
  part,
  stackedTable,
} from '../../../platform/html';
import { spark } from '../../../platform/html/figure/spark';
import type { ConsumersView } from '../view/health';
import type { LagHistory } from '../view/minutes';
import type { Listed } from '../view/query-store';

/** A longer lag of a consumer needs attention, in milliseconds. */
const lateMs = 10 * 60_000;

/**
 * Who reads the events, and what waits for each; null where the store writes none.
 * @param lags What waited in the last hours, where that is known.
 */
export function consumers(
  events: Listed<ConsumersView>,
  lags: readonly LagHistory[] = [],
): Html | null {
  if (events === 'missing') return null;
  return part('consumers', 'Who follows the events', null, consumerList(events, lags));
}

function consumerList(events: ConsumersView | 'unavailable', lags: readonly LagHistory[]): Html {
  if (events === 'unavailable') {
    return html`<p>The store did not answer, so it is not known how many events wait for each consumer.</p>`;
  }
  const limit = Date.parse(events.asOf) - lateMs;
  const rows = events.consumers.map(({ consumer, waiting: unread, oldest }) => {
    const isLate = oldest !== null && Date.parse(oldest) < limit;
    const age = oldest === null ? null : agoOf(oldest, events.asOf);
    return [
      id(consumer),
      count(unread),
      age,
      ...(lags.length === 0 ? [] : [lagLine(lags.find((one) => one.consumer === consumer))]),
      isLate ? badge('bad', 'late') : badge('good', 'up to date'),
    ];
  });
  return stackedTable(
    'Consumers of the events',
    [
      'consumer',
      '#events that wait',
      '#oldest',
      ...(lags.length === 0 ? [] : ['last hours']),
      'state',
    ],
    rows,
    'Nobody is declared to consume events.',
  );
}

/** The lag of the last hours as a line, which begins at 0; none before two counts. */
function lagLine(lag: LagHistory | undefined): Html | null {
  const known = lag?.waiting.filter((one) => one !== null) ?? [];
  if (lag === undefined || known.length < 2) return null;
  return spark(lag.waiting, `In the last three hours at most ${count(Math.max(...known))}.`);
}
