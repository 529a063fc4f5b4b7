import { ReconciliationFailure } from './failure';
import { type EventText, type ReadEvent, readEventLine } from './event-line';
import type { OwnCheck } from './own-check';
import { partOf, type Spool } from './spool';
import type { ZoneDays } from '../../../platform/time/zone-days';
import { timeText } from '../../../platform/time/iso';

/** The events of one operator, split by round. */
export interface SpooledLog {
  readonly spool: Spool<EventText>;
  /** Least and greatest time of an event, of any type; null without any. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Events of the operator. */
  readonly events: number;
  /** Events of other operators, which are left out. */
  readonly others: number;
}

/** Whose events are read, and the most decimals of an amount. */
export interface LogOptions {
  readonly operatorId: string;
  readonly decimals: number;
}

/** Splits events by their rounds. */
export class EventSpooler {
  #events = 0;
  #others = 0;
  #firstAt = Infinity;
  #lastAt = -Infinity;

  constructor(
    private readonly options: LogOptions,
    private readonly spool: Spool<EventText>,
    private readonly check: OwnCheck | null = null,
  ) {}

  /**
   * Adds a line of JSON. Answers what it adds to its round; null if that is nothing.
   * @param place What a failure names.
   * @throws ReconciliationFailure
   */
  add(line: string, place: () => string): EventText | null {
    const { operatorId, decimals } = this.options;
    const event = readPlaced(line, decimals, place);
    if (event.operatorId !== operatorId) {
      this.#others += 1;
      return null;
    }
    this.check?.add(event.members, place);
    this.#events += 1;
    this.#firstAt = Math.min(this.#firstAt, event.at);
    this.#lastAt = Math.max(this.#lastAt, event.at);
    const { text } = event;
    if (text !== null) this.spool.add(partOf(text[0]), text);
    return text;
  }

  result(): SpooledLog {
    const { spool } = this;
    const counts = { events: this.#events, others: this.#others };
    if (this.#events === 0) return { spool, firstAt: null, lastAt: null, ...counts };
    return { spool, firstAt: this.#firstAt, lastAt: this.#lastAt, ...counts };
  }
}

function readPlaced(line: string, decimals: number, place: () => string): ReadEvent {
  try {
    return readEventLine(line, decimals);
  } catch (error) {
    if (!(error instanceof ReconciliationFailure)) throw error;
    throw new ReconciliationFailure(`event in ${place()}: ${error.message}`);
  }
}

/**
 * Splits lines with events by their rounds.
 * @param batches Lines of JSON in the order of delivery.
 * @throws ReconciliationFailure that names the line.
 */
export async function spoolEvents(
  batches: AsyncIterable<readonly string[]>,
  options: LogOptions,
  spool: Spool<EventText>,
  check: OwnCheck | null = null,
): Promise<SpooledLog> {
  const spooler = new EventSpooler(options, spool, check);
  let number = 0;
  for await (const lines of batches) {
    for (const line of lines) {
      const at = (number += 1);
      spooler.add(line, () => `line ${at}`);
    }
  }
  return spooler.result();
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
