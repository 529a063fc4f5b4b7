/** Does work after the current events. From an event of I/O, that is before any timer. */
export function afterThisTurn(work: () => void): void {
  setImmediate(work);
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs all microtasks that are ready, at once: what Node does between two events. Only from an event of the
 * loop, not from within a microtask. Null where Node does not have it; then {@link nextTurn} does the same.
 */
export function microtaskDrain(): (() => void) | null {
  const { _tickCallback: drain } = process as { _tickCallback?: unknown };
  return typeof drain === 'function' ? () => void drain.call(process) : null;
}
