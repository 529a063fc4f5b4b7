import { ReconciliationFailure } from './failure';
import { readEventLine } from './event-line';
import { partOf, type Spool } from './spool';
import type { ZoneDays } from './zone-days';

/** The events of one operator, split by round. */
export interface SpooledLog {
  readonly spool: Spool;
  /** Least and greatest time of an event, of any type; null without any. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Events of the operator. */
  readonly events: number;
  /** Events of other operators, which are left out. */
  readonly others: number;
}

/**
 * Splits lines with events by their rounds.
 * @param batches Lines of JSON in the order of delivery.
 * @throws ReconciliationFailure that names the line.
 */
export async function spoolEvents(
  batches: AsyncIterable<readonly string[]>,
  { operatorId, decimals }: { readonly operatorId: string; readonly decimals: number },
  spool: Spool,
): Promise<SpooledLog> {
  let [number, events, others] = [0, 0, 0];
  let [firstAt, lastAt] = [Infinity, -Infinity];
  const take = (line: string): void => {
    const event = readEventLine(line, decimals);
    if (event.operatorId !== operatorId) return void others++;
    events += 1;
    firstAt = Math.min(firstAt, event.at);
    lastAt = Math.max(lastAt, event.at);
    if (event.text !== null) spool.add(partOf(event.text[0]), JSON.stringify(event.text));
  };
  for await (const lines of batches) {
    for (const line of lines) {
      number += 1;
      try {
        take(line);
      } catch (error) {
        if (!(error instanceof ReconciliationFailure)) throw error;
        throw new ReconciliationFailure(`event in line ${number}: ${error.message}`);
      }
    }
  }
  if (events === 0) return { spool, firstAt: null, lastAt: null, events, others };
  return { spool, firstAt, lastAt, events, others };
}

/** A day that cannot be compared. */
export interface IncompleteDay {
  readonly day: string;
  readonly reason: string;
}

/** How long after its end a day waits for events that come late, in milliseconds. */
const waitMs = 3_600_000;

/** Why the events do not cover a day; null if they do, from its beginning to an hour after its end. */
export function incompleteReason(
  { firstAt, lastAt }: Pick<SpooledLog, 'firstAt' | 'lastAt'>,
  zone: ZoneDays,
  day: string,
): string | null {
  const { from, to } = zone.boundsOf(day);
  if (firstAt === null || lastAt === null) return 'there are no events';
  if (from === to) return `the zone ${zone.zone} has no such day`;
  if (firstAt > from) return `the events begin at ${timeText(firstAt)}`;
  if (lastAt >= to + waitMs) return null;
  return `the events end at ${timeText(lastAt)}, less than an hour after the day`;
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
