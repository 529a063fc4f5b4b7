import type { Clock } from '../../../../platform';
import { type EventSource, type Totals, totalsConsumer } from '../../../wallet';
import { freshly, queryStore } from '../query-store';

/** Where totals are read. */
export interface TotalsPorts {
  readonly clock: Clock;
  readonly totals: Totals;
  readonly events: Pick<EventSource, 'lag'>;
}

/** From when on all events are counted, and until when; `off` if nobody keeps totals. @throws StoreUnavailableError */
export async function countedOf(
  { clock, totals, events }: TotalsPorts,
  operatorId: string,
): Promise<{ readonly since: number; readonly until: number | null } | 'off' | 'empty'> {
  const lags = await freshly(events, `lag ${operatorId}`, clock, () => events.lag(operatorId));
  const lag = lags.find(({ consumer }) => consumer === totalsConsumer);
  // Of no quarter: the sums of what is shown are read when that is known.
  const { since } = await queryStore(clock, totals.read(operatorId, 0, 0));
  if (lag === undefined) return 'off';
  return since === null ? 'empty' : { since, until: lag.oldestAt };
}
