import { inspect } from 'node:util';

/**
 * Makes a store and each of its parts print as a name: their connection holds the password, which neither `inspect` nor JSON
 * may show, as of every other secret.
 */
export function printAs<S extends object>(store: S, name: string): S {
  const value = (): string => name;
  for (const one of [store, ...Object.values(store)]) {
    if (typeof one !== 'object') continue;
    Object.defineProperties(one, { toJSON: { value }, [inspect.custom]: { value } });
  }
  return store;
}
