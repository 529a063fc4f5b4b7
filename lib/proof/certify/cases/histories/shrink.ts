/** How to make a failing list smaller. */
export interface Shrinking<T> {
  /** Whether these still fail. */
  readonly fails: (items: readonly T[]) => Promise<boolean>;
  /** Items that are simpler than this one, the simplest first. */
  readonly simplerThan: (item: T) => readonly T[];
  /** Asked before each attempt; false ends the search. */
  readonly mayGoOn: () => boolean;
}

/**
 * A smaller list that still fails, by delta debugging: chunks are left out, then single items, then items
 * are made simpler. The order stays. The smallest one found so far if the search has to end.
 */
export async function shrink<T>(
  failing: readonly T[],
  shrinking: Shrinking<T>,
): Promise<readonly T[]> {
  let items = failing;
  for (;;) {
    const fewer = await withFewer(items, shrinking);
    const simpler = await withSimpler(fewer, shrinking);
    if (simpler === items || !shrinking.mayGoOn()) return simpler;
    items = simpler;
  }
}

/** Leaves out chunks, from half the list down to single items, as long as any of them can be left out. */
async function withFewer<T>(
  failing: readonly T[],
  { fails, mayGoOn }: Shrinking<T>,
): Promise<readonly T[]> {
  let items = failing;
  let length = Math.max(1, Math.ceil(items.length / 2));
  for (;;) {
    const before = items;
    // From the end: a step that others refer to is before them.
    for (let at = items.length - length; at > -length; at -= length) {
      const from = Math.max(0, at);
      const rest = [...items.slice(0, from), ...items.slice(at + length)];
      if (rest.length === items.length || rest.length === 0) continue;
      if (!mayGoOn()) return items;
      if (await fails(rest)) items = rest;
    }
    if (length === 1 && items === before) return items;
    if (length > 1) length = Math.ceil(length / 2);
  }
}

async function withSimpler<T>(
  failing: readonly T[],
  { fails, simplerThan, mayGoOn }: Shrinking<T>,
): Promise<readonly T[]> {
  let items = failing;
  for (let at = 0; at < items.length; at += 1) {
    for (;;) {
      const simpler = await firstThat(
        simplerThan(items[at] as T).map((one) => items.with(at, one)),
        fails,
        mayGoOn,
      );
      if (simpler === null) break;
      items = simpler;
    }
  }
  return items;
}

async function firstThat<T>(
  candidates: readonly T[],
  holds: (one: T) => Promise<boolean>,
  mayGoOn: () => boolean,
): Promise<T | null> {
  for (const one of candidates) {
    if (!mayGoOn()) return null;
    if (await holds(one)) return one;
  }
  return null;
}
