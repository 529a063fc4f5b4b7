/** Does work after the current events. From an event of I/O, that is before any timer. */
export function afterThisTurn(work: () => void): void {
  setImmediate(work);
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
