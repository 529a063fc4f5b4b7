/** A place among the calls in flight; {@link leave} returns it. */
export interface Place {
  /** The call is done. */
  leave(): void;
}

/** What a call holds: a debit whatever else, money or rounds to settle, or the question for a balance. */
export type Errand = 'debit' | 'settlement' | 'balance';

/**
 * Load shedding: counts the calls in flight and sheds the excess of debits and balances, debits first. The RGS
 * voids a shed debit (D7). A call of credits, voids and ends always has a place: shed, it would come back until it
 * is processed, and after a storm the voids of shed debits would keep new debits out for as long as they come. What
 * such calls hold is bounded by the connections of the server and by the deadline.
 *
 * With several operators, half of the places are divided evenly among them and the other half is open to
 * all: no operator can keep another one out, and one that calls alone has more than half.
 */
export class Overload {
  private readonly own = new Map<string, Places>();
  private readonly common: Places;
  private readonly settling = new Places();

  constructor(maxInFlight: number, operatorIds: Iterable<string>) {
    const ids = [...operatorIds];
    const share = ids.length > 1 ? Math.floor(maxInFlight / 2 / ids.length) : 0;
    for (const id of ids) this.own.set(id, new Places(share));
    this.common = new Places(maxInFlight - share * ids.length);
  }

  /** Calls in flight. */
  get inFlight(): number {
    let taken = this.common.taken + this.settling.taken;
    for (const places of this.own.values()) taken += places.taken;
    return taken;
  }

  /** A place for one more call of an operator; null if there is none, and the call is shed. */
  enter(operatorId: string, errand: Errand): Place | null {
    if (errand === 'settlement') return this.settling.take();
    const hasDebit = errand === 'debit';
    const own = this.own.get(operatorId);
    if (own?.hasRoom(hasDebit)) return own.take();
    return this.common.hasRoom(hasDebit) ? this.common.take() : null;
  }
}

/** A number of places; a debit may only take one of the first three quarters. */
class Places implements Place {
  #taken = 0;

  /** @param size Without it there is always room. */
  constructor(private readonly size = Number.POSITIVE_INFINITY) {}

  get taken(): number {
    return this.#taken;
  }

  hasRoom(hasDebit: boolean): boolean {
    return this.#taken < (hasDebit ? Math.ceil(this.size * 0.75) : this.size);
  }

  take(): Place {
    this.#taken++;
    return this;
  }

  leave(): void {
    this.#taken--;
  }
}
