import type { RequestListener } from '../../../platform/http';
import { createMemoryExchange, type MemoryExchange } from '../../../platform/http/memory-server';
import { fetchWhole } from '../../../platform/http/fetch-whole';
import type { Send } from '../lines/outbound';

/** Where a party is: its address, or what answers its requests. */
export type Place = string | RequestListener;

/** Names under .invalid never resolve (RFC 2606): a request cannot leave by mistake. */
const suffix = 'sandbox.invalid';

/** Places by the URL that the lines call. */
export class Places {
  readonly #inMemory = new Map<string, MemoryExchange>();

  /** The address of a place; a listener gets an address that only `send` knows. */
  urlOf(name: string, place: Place): string {
    if (typeof place === 'string') return place;
    const host = `${name}-${this.#inMemory.size + 1}.${suffix}`;
    this.#inMemory.set(host, createMemoryExchange(place));
    return `https://${host}`;
  }

  /** Sends to what is at the address. */
  readonly send: Send = (url, request, signal) => {
    const exchange = this.#inMemory.get(new URL(url).host);
    return exchange === undefined ? fetchWhole(url, request, signal) : exchange(request, signal);
  };
}
