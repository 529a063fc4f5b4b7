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
import type { ConsumersView } from '../view/health';
import type { Listed } from '../view/query-store';

/** A longer lag of a consumer needs attention, in milliseconds. */
const lateMs = 10 * 60_000;

/** Who reads the events, and what waits for each; null where the store writes none. */
export function consumers(events: Listed<ConsumersView>): Html | null {
  if (events === 'missing') return null;
  return part('consumers', 'Who follows the events', null, consumerList(events));
}

function consumerList(events: ConsumersView | 'unavailable'): Html {
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
      isLate ? badge('bad', 'late') : badge('good', 'up to date'),
    ];
  });
  return stackedTable(
    'Consumers of the events',
    ['consumer', '#events that wait', '#oldest', 'state'],
    rows,
    'Nobody is declared to consume events.',
  );
}
