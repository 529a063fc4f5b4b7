/**
 * Counts the calls in work and sheds what is too much, debits first: a debit that is shed is
 * voided, a win that is shed must come again (D7).
 */
export class Overload {
  #inFlight = 0;

  constructor(private readonly maxInFlight: number) {}

  /** Calls in work now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether one more call may be worked on; if so, {@link leave} must follow. */
  enter(hasDebit: boolean): boolean {
    const limit = hasDebit ? Math.ceil(this.maxInFlight * 0.75) : this.maxInFlight;
    if (this.#inFlight >= limit) return false;
    this.#inFlight++;
    return true;
  }

  /** A call is done. */
  leave(): void {
    this.#inFlight--;
  }
}
