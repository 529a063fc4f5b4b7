/** Quarters of an hour that are kept: a day. */
const keptQuarters = 96;

/** What debits took in a quarter of an hour. */
export interface TakenQuarter {
  /** Quarters of an hour since 1970, UTC. */
  readonly quarter: number;
  readonly units: bigint;
  readonly debits: number;
}

/** What new debits took in the last day, by operator, currency and quarter of an hour. */
export class TakenRing {
  readonly #operators = new Map<string, Map<string, TakenQuarter[]>>();

  /** Counts a debit that was accepted for the first time. */
  add(operatorId: string, currency: string, units: bigint, quarter: number): void {
    const currencies = this.#operators.get(operatorId) ?? new Map<string, TakenQuarter[]>();
    this.#operators.set(operatorId, currencies);
    const quarters = currencies.get(currency) ?? [];
    currencies.set(currency, quarters);
    const place = quarter % keptQuarters;
    const before = quarters[place];
    const { units: sum, debits } = before?.quarter === quarter ? before : nothing;
    quarters[place] = { quarter, units: sum + units, debits: debits + 1 };
  }

  /** By currency, the quarters from one to before another in which these operators took anything, in no order. */
  read(operators: readonly string[], from: number, to: number): Map<string, TakenQuarter[]> {
    const found = new Map<string, TakenQuarter[]>();
    for (const operatorId of operators) {
      for (const [currency, quarters] of this.#operators.get(operatorId) ?? []) {
        // A ring has holes.
        const within = Object.values(quarters).filter(
          ({ quarter }) => from <= quarter && quarter < to,
        );
        if (within.length > 0) found.set(currency, [...(found.get(currency) ?? []), ...within]);
      }
    }
    return found;
  }
}

const nothing = { units: 0n, debits: 0 };
