import { StoreUnsafeError } from '../../../wallet';

/** In the table of accounts of the schema, or in tables of the platform's own (`createOwnTablesStore`). */
export type MoneyPlace = 'accounts' | 'own';

const texts: Readonly<Record<MoneyPlace, string>> = {
  accounts: 'the money in its own table of accounts (createPostgresStore)',
  own: "the money in the platform's tables (createOwnTablesStore)",
};

/** The schema was made for the other kind of money. */
export class OtherMoneyError extends StoreUnsafeError {
  constructor(
    schema: string,
    wanted: MoneyPlace,
    /** Where the money of the schema is. */
    readonly found: MoneyPlace,
  ) {
    super(
      `The schema ${schema} has ${texts[found]}. Use another schema for this store, which has ${texts[wanted]}.`,
    );
  }
}
