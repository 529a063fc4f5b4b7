import { createMemoryStore, type MemoryStoreOptions } from '../../../lib/operator/stores/memory';
import type { FullStore } from '../../../lib/operator/wallet';
import type { CreateLimitStores } from '../../proof/limits/suite';
import { type Clock, systemClock } from '../../../lib/platform';

/**
 * Two processes over a store in memory: one store, whose clock is that of the process whose method is called. A method
 * reads the time before it waits for anything.
 */
export const twoInMemory: CreateLimitStores = async (options, clocks) => made(options, clocks);

/** The same, with limits that count what moved in their windows before them. */
export const twoFromHistory: CreateLimitStores = async (options, clocks) =>
  made({ ...options, limitsFrom: 'history' }, clocks);

function made(
  options: MemoryStoreOptions,
  clocks: Parameters<CreateLimitStores>[1],
): readonly [FullStore, FullStore] {
  let [current] = clocks;
  const clock: Clock = { ...systemClock, now: () => current.now() };
  const store = createMemoryStore({ ...options, clock });
  const seenBy = (own: Clock): FullStore => {
    const before = () => {
      current = own;
    };
    return {
      ...store,
      rounds: calling(store.rounds, before),
      players: calling(store.players, before),
    };
  };
  return [seenBy(clocks[0]), seenBy(clocks[1])];
}

function calling<T extends object>(part: T, before: () => void): T {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]): unknown => {
        before();
        return Reflect.apply(value, target, values);
      };
    },
  });
}
