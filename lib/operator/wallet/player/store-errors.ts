import type { AmountTerms } from '../../../protocol/money/amount';

/** The store did not answer in time: the operation may or may not have happened. */
export interface Unknown {
  readonly kind: 'unknown';
  /** For the log. */
  readonly cause: Error;
  /** Set if an immediate retry is useless: the call is answered by D7 at once. */
  readonly giveUp?: true;
}

/** A store did not answer in time: the operation may or may not have happened. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'STOREUNAVAILABLE';
}

/** The server or its settings cannot keep what the store promises. */
export class StoreUnsafeError extends Error {
  override readonly name = 'StoreUnsafeError';
  readonly code = 'STOREUNSAFE';
}

/**
 * What the data of a store note of its amounts: `4`, or `4 in 1/100`. One text, so that the two are noted at once, and
 * a version that knows no unit refuses data that have one.
 */
export function notedTerms({ decimals, unit }: AmountTerms): string {
  return unit === '1' ? String(decimals) : `${decimals} in ${unit}`;
}

/** The data of the store has other decimals than the store is set to, or its calls another unit. */
export class OtherTermsError extends StoreUnsafeError {
  /** Those of the data. */
  readonly found: Required<AmountTerms>;

  /**
   * @param where the data, as `under KEY` or `in the schema NAME`
   * @param noted what they note
   */
  constructor(where: string, noted: string, wanted: AmountTerms) {
    const [decimals, unit = '1'] = noted.split(' in ');
    const isOther = unit !== wanted.unit;
    const why =
      ' The unit of calls (option unit, --unit) is noted by the first process that opens the data.';
    super(
      `The data ${where} has decimals ${noted}; this store is set to ${notedTerms(wanted)}.${isOther ? why : ''}`,
    );
    this.found = { decimals: Number(decimals), unit: unit === '1/100' ? unit : '1' };
  }

  /** The options with what the data note, where they do not set it; null if they set something else, or all of it. */
  complete<O extends Partial<AmountTerms>>(options: O): O | null {
    const { decimals, unit } = options;
    const agrees = (decimals ?? this.found.decimals) === this.found.decimals;
    const isSet = decimals !== undefined && unit !== undefined;
    return isSet || !agrees || (unit ?? this.found.unit) !== this.found.unit
      ? null
      : { ...options, ...this.found };
  }
}

/**
 * A text of the wrong form in an order: an amount, a currency, an identifier, a reference, a name or a reason.
 * It may come from a person or another program, so an endpoint answers it with 400. A missing value, or one of
 * another type such as a number as amount, is a mistake of the program: a TypeError. Nothing was sent to the
 * store.
 */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
  readonly code = 'INVALIDINPUT';

  constructor(
    /** Which value, such as `amount` or `by.id`. */
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Where the money of stored rounds is: in the store's own accounts; in tables of the platform's own
 * (`createOwnTablesStore`); or in a ledger, for which the store keeps the rounds (`createLedgerStore`).
 */
export type MoneyPlace = 'accounts' | 'own' | 'ledger';

const texts: Readonly<Record<MoneyPlace, string>> = {
  accounts: 'the money in its own accounts',
  own: "the money in the platform's tables (createOwnTablesStore)",
  ledger: 'rounds alone, for a ledger (createLedgerStore)',
};

/**
 * The data belong to another place of the money. A void of a round there would be answered as done and give
 * nothing back: neither place has both the round and its money.
 */
export class OtherMoneyError extends StoreUnsafeError {
  /**
   * @param what where the data are: `schema`, `namespace`, `memory store`
   * @param name the name of the schema or the namespace; empty if it has none
   */
  constructor(
    what: string,
    name: string,
    wanted: MoneyPlace,
    /** Where the money of the data is. */
    readonly found: MoneyPlace,
  ) {
    super(
      `The ${what}${name === '' ? '' : ` ${name}`} has ${texts[found]}. Use another ${what} for this store, which has ${texts[wanted]}: a void of a round that is there would pay nobody.`,
    );
  }
}
