import {
  createMemoryExchange,
  fetchWhole,
  type MemoryExchange,
  type RequestListener,
} from '../../../platform/http';
import type { Send } from '../lines/outbound';

/** Where a party is: its address, or what answers its requests. */
export type Place = string | RequestListener;

/** Places by the URL that the lines call. */
export interface Places {
  /** The address of a place; one that is a listener gets an address of its own, which only `send` knows. */
  urlOf(name: string, place: Place): string;
  /** Sends to whatever is at the address. */
  readonly send: Send;
}

/** Names under .invalid never resolve (RFC 2606): a request cannot leave by mistake. */
const suffix = 'sandbox.invalid';

/** No places at first. */
export function createPlaces(): Places {
  const inMemory = new Map<string, MemoryExchange>();
  return {
    urlOf(name, place) {
      if (typeof place === 'string') return place;
      const host = `${name}-${inMemory.size + 1}.${suffix}`;
      inMemory.set(host, createMemoryExchange(place));
      return `https://${host}`;
    },
    send(url, request, signal) {
      const exchange = inMemory.get(new URL(url).host);
      return exchange === undefined ? fetchWhole(url, request, signal) : exchange(request, signal);
    },
  };
}
