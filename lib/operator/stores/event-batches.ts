import type { Clock } from '../../platform';
import type { EventBatch, EventsRequest, RoundEvent, RoundKey, RoundReport } from '../wallet';
import { checkIdentifiers } from './check-input';
import { checkConsumer } from './store-options';

/** Which page of events to read. */
export interface PageRequest {
  readonly consumer: string;
  readonly operatorId: string;
  readonly atMost: number;
}

/** Events behind a consumer's position, at least one, and how to acknowledge them. */
export interface EventPage {
  readonly events: readonly RoundEvent[];
  /** False if another reader had. */
  readonly acknowledge: () => Promise<boolean>;
}

/** Reads a round as it is now. */
export type ReadRound = (round: RoundKey) => Promise<RoundReport | null>;

/** Pause between two looks for events when there were none, in milliseconds. */
const eventPauseMs = 1000;

const usualPage = 100;
const largestPage = 1000;

/**
 * The batches of a consumer: page after page, with a pause whenever nothing waits. A store that writes pointers
 * gives `readRound`.
 * @throws TypeError for a wrong request, at once; what reading throws.
 */
export function eventBatches(
  request: EventsRequest,
  clock: Clock,
  read: (page: PageRequest) => Promise<EventPage | null>,
  readRound: ReadRound = async () => null,
): AsyncIterable<EventBatch> {
  const { signal } = request;
  return batches(checkRequest(request), { clock, signal, read, readRound });
}

async function* batches(
  page: PageRequest,
  ports: {
    readonly clock: Clock;
    readonly signal: AbortSignal | undefined;
    readonly read: (page: PageRequest) => Promise<EventPage | null>;
    readonly readRound: ReadRound;
  },
): AsyncGenerator<EventBatch> {
  const { clock, signal, read, readRound } = ports;
  while (!isAborted(signal)) {
    const found = await read(page);
    if (found === null) {
      await clock.pause(eventPauseMs, signal);
      continue;
    }
    let acknowledged: Promise<boolean> | null = null;
    const done = (): Promise<boolean> => {
      acknowledged ??= found.acknowledge().catch((error: unknown) => {
        acknowledged = null;
        throw error;
      });
      return acknowledged;
    };
    yield { events: await withRounds(found.events, readRound), done };
  }
}

/** Gives each pointer its round; a round that several point to is read once. */
async function withRounds(
  events: readonly RoundEvent[],
  readRound: ReadRound,
): Promise<readonly RoundEvent[]> {
  if (events.every(({ round }) => round === undefined)) return events;
  const reports = new Map<string, RoundReport | null>();
  const filled: RoundEvent[] = [];
  for (const event of events) {
    if (event.round === undefined) {
      filled.push(event);
      continue;
    }
    const { operatorId, playerId, gameRound, version, id } = event;
    const name = id.slice(0, -String(version).length);
    const known = reports.get(name);
    const report = known ?? (await readRound({ operatorId, playerId, gameRound }));
    reports.set(name, report);
    filled.push({ ...event, round: report?.toJSON() ?? null });
  }
  return filled;
}

function checkRequest(request: EventsRequest): PageRequest {
  if (typeof request !== 'object' || request === null)
    throw new TypeError('the request is missing');
  const { consumer, operatorId, atMost = usualPage, signal } = request;
  checkConsumer(consumer);
  checkIdentifiers({ operatorId });
  if (!Number.isSafeInteger(atMost) || atMost < 1 || atMost > largestPage) {
    throw new TypeError(`atMost must be a whole number from 1 to ${largestPage}`);
  }
  if (signal !== undefined && typeof signal?.aborted !== 'boolean') {
    throw new TypeError('signal must be an AbortSignal');
  }
  return { consumer, operatorId, atMost };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}
