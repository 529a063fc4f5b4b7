import type { Clock } from '../../../../platform';
import { quarterOf } from '../../../../platform/time/zone-days';
import { type EventSource, type Totals, totalsConsumer } from '../../../wallet';
import { queryStore } from '../query-store';

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
  now: number,
): Promise<{ readonly since: number; readonly until: number | null } | 'off' | 'empty'> {
  const lags = await queryStore(clock, events.lag(operatorId));
  const lag = lags.find(({ consumer }) => consumer === totalsConsumer);
  const quarter = quarterOf(now);
  const { since } = await queryStore(clock, totals.read(operatorId, quarter, quarter + 1));
  if (lag === undefined) return 'off';
  return since === null ? 'empty' : { since, until: lag.oldestAt };
}
