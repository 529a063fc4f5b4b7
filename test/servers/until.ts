import { setTimeout as delay } from 'node:timers/promises';

/** How long to ask, and how often. The limit is for what hangs: no slow machine may reach it. */
export interface UntilOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** What is left of a type once it is known to be truthy. */
export type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Asks until the condition gives something truthy, and resolves to it. A condition that throws counts as "not yet".
 * Rejects at the deadline, naming what it waited for and the last error seen.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeoutMs = 600_000, everyMs = 10 }: UntilOptions = {},
): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (isTruthy(value)) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= deadline) {
      throw new Error(`too slow: waited ${timeoutMs} ms for ${what}`, { cause: lastError });
    }
    await delay(everyMs);
  }
}

function isTruthy<T>(value: T): value is T & Truthy<T> {
  return Boolean(value);
}
