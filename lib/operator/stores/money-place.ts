import { StoreUnsafeError } from '../wallet';

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
 * The data were made for another place of the money. A void of a round that is there would be answered as done, and
 * give nothing back: neither place has both the round and its money.
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
