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

/** The data of the store has other decimals than the store is set to. */
export class OtherDecimalsError extends StoreUnsafeError {
  constructor(
    /** The data, as `under KEY` or `in the schema NAME`. */
    where: string,
    /** The decimals of the data. */
    readonly found: number,
    wanted: number,
  ) {
    super(`The data ${where} has decimals ${found}; this store is set to ${wanted}.`);
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
