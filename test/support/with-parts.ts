import type { WalletStore } from '../../lib/operator/wallet';

type Others<P> = { readonly [name in keyof P]?: P[name] | undefined };

/** Members of parts of a store; what is undefined is absent. */
type Parts<S> = {
  readonly [name in keyof S]?: S[name] extends (...args: never) => unknown
    ? S[name]
    : Others<NonNullable<S[name]>> | undefined;
};

/** The store with these in place of its own: methods of it, and of its parts. */
export function withParts<S extends WalletStore>(store: S, parts: Parts<S>): S {
  const changed = Object.entries(parts as Record<string, unknown>).map(([name, part]) => {
    const own = store[name as keyof S];
    if (typeof own !== 'object' || own === null || part === undefined) return [name, part];
    return [name, over(own, part as object)];
  });
  return over(store, Object.fromEntries(changed));
}

function over<T extends object>(own: T, others: object): T {
  return new Proxy(own, {
    get(of, name): unknown {
      if (Object.hasOwn(others, name)) return others[name as keyof typeof others];
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
