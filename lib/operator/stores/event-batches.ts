import type { Clock } from '../../platform';
import {
  type EventBatch,
  type EventsRequest,
  eventTypes,
  type RoundEvent,
  type RoundKey,
  type RoundReport,
  type Totals,
  type TotalsBatch,
  type TotalsChange,
  totalsConsumer,
  type WalletEvent,
} from '../wallet';
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
  readonly events: readonly WalletEvent[];
  /** False if another reader had. With `totals`, adds these in the same step, or nothing. */
  readonly acknowledge: (totals?: TotalsChange) => Promise<boolean>;
}

/** Reads a round as it is now. */
export type ReadRound = (round: RoundKey) => Promise<RoundReport | null>;

/** Pause between two looks for events when there were none, or for the totals few, in milliseconds. */
const eventPauseMs = 1000;

const usualPage = 100;
const largestPage = 1000;

/** Where the batches of a consumer come from. */
interface BatchPorts {
  readonly clock: Clock;
  readonly read: (page: PageRequest) => Promise<EventPage | null>;
  readonly readRound?: ReadRound;
}

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
  const page = checkRequest(request);
  const { signal, types = eventTypes } = request;
  if (page.consumer === totalsConsumer)
    throw new TypeError(
      `the events of the consumer ${totalsConsumer} are read by the totals alone`,
    );
  return batches(pages(page, signal, clock, read), types, readRound);
}

/**
 * The batches of the totals, as {@link eventBatches}, but that a page which is not half full is followed by a pause too: a page
 * costs some ms, however few events it has, and nobody waits for the sums of the last second.
 */
export function totalsBatches(
  { signal, ...request }: Parameters<Totals['batches']>[0],
  { clock, read, readRound = async () => null }: BatchPorts,
): AsyncIterable<TotalsBatch> {
  const page = checkRequest({ ...request, ...(signal && { signal }), consumer: totalsConsumer });
  return countable(pages(page, signal, clock, read, page.atMost / 2), readRound);
}

async function* countable(
  found: AsyncIterable<EventPage>,
  readRound: ReadRound,
): AsyncGenerator<TotalsBatch> {
  for await (const { events, acknowledge } of found) {
    yield { events: await withRounds(events, readRound), add: (change) => acknowledge(change) };
  }
}

/** @param busy So many events let the next page follow at once. */
async function* pages(
  page: PageRequest,
  signal: AbortSignal | undefined,
  clock: Clock,
  read: BatchPorts['read'],
  busy = 1,
): AsyncGenerator<EventPage> {
  while (!isAborted(signal)) {
    const found = await read(page);
    if (found !== null) yield found;
    if (found === null || found.events.length < busy) await clock.pause(eventPauseMs, signal);
  }
}

async function* batches(
  found: AsyncIterable<EventPage>,
  types: readonly WalletEvent['type'][],
  readRound: ReadRound,
): AsyncGenerator<EventBatch> {
  for await (const { events, acknowledge } of found) {
    const wanted = events.filter(({ type }) => types.includes(type));
    if (wanted.length === 0) {
      await acknowledge();
      continue;
    }
    let acknowledged: Promise<boolean> | null = null;
    const done = (): Promise<boolean> => {
      acknowledged ??= acknowledge().catch((error: unknown) => {
        acknowledged = null;
        throw error;
      });
      return acknowledged;
    };
    yield { events: await withRounds(wanted, readRound), done };
  }
}

/** Gives each pointer its round; a round that several point to is read once. */
async function withRounds(
  events: readonly WalletEvent[],
  readRound: ReadRound,
): Promise<readonly WalletEvent[]> {
  if (!events.some(isPointer)) return events;
  const reports = new Map<string, RoundReport | null>();
  const filled: WalletEvent[] = [];
  for (const event of events) {
    if (!isPointer(event)) {
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

function isPointer(event: WalletEvent): event is RoundEvent {
  return event.type === 'round' && event.round !== undefined;
}

function checkRequest(request: EventsRequest): PageRequest {
  if (typeof request !== 'object' || request === null)
    throw new TypeError('the request is missing');
  const { consumer, operatorId, atMost = usualPage, signal, types } = request;
  checkConsumer(consumer);
  checkIdentifiers({ operatorId });
  if (!Number.isSafeInteger(atMost) || atMost < 1 || atMost > largestPage) {
    throw new TypeError(`atMost must be a whole number from 1 to ${largestPage}`);
  }
  if (signal !== undefined && typeof signal?.aborted !== 'boolean') {
    throw new TypeError('signal must be an AbortSignal');
  }
  if (types !== undefined && !(Array.isArray(types) && types.length > 0 && types.every(isType))) {
    throw new TypeError(`types must be a list of ${eventTypes.join(', ')}`);
  }
  return { consumer, operatorId, atMost };
}

function isType(value: unknown): boolean {
  return eventTypes.some((type) => type === value);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}
