/** Does work after the events at hand: in the next turn of the event loop, before its timers. */
export function afterThisTurn(work: () => void): void {
  setImmediate(work);
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
