import type { EventBatch, EventSource, EventsRequest } from '../../../lib/operator/wallet';
import type { Lifetime } from '../world/lifetime';
import { exchange } from './exchange';

/** Reads the next page of a consumer; null where nothing waits. */
export type ReadPage = (request: EventsRequest) => Promise<EventBatch | null>;

/** The next page; it does not wait for events to come. */
export async function nextPage(
  events: EventSource,
  request: EventsRequest,
): Promise<EventBatch | null> {
  const once = new AbortController();
  const { signal } = once;
  const pages = events.read({ ...request, signal });
  const reading = pages[Symbol.asyncIterator]().next();
  // It is at its first look already, and ends before the next one.
  once.abort();
  const { value, done } = await reading;
  return done === true ? null : value;
}

/** Pages as a process of its own reads them from a store in this process. What it does not know it throws. */
export function farPages(events: EventSource, lifetime: Lifetime): ReadPage {
  const ask = <T>(name: string, what: string, work: () => Promise<T>): Promise<T> =>
    exchange<T>({
      lifetime,
      name,
      what,
      work,
      keepsMoney: true,
      unknown: silent,
      enter: () => {},
      leave: () => {},
    });
  return async (request) => {
    const { consumer } = request;
    const page = await ask(consumer, 'read', () => nextPage(events, request));
    return page && { events: page.events, done: () => ask(consumer, 'done', () => page.done()) };
  };
}

function silent(): never {
  throw new Error('The events do not come.');
}
