import { type AccountBooks, booksDifference, type BooksQuery } from '../../operator/wallet';
import { addPurses, emptyPurse, isEmptyPurse, type Purse } from '../../protocol/money/purse';
import { purseJson } from '../../operator/wallet/round-report';
import { counted } from '../terminal/failure';
import { plain } from '../../protocol/json/printable';
import { drawTable, sumRows, unitsText } from '../rounds/text';

const parts = ['balance', 'cash', 'rounds', 'carried', 'repairs'] as const;

type Parts = Readonly<Record<(typeof parts)[number], Purse>>;

/** The sums of the accounts so far. */
export class BookSums {
  accounts = 0;
  readonly #currencies = new Map<string, Parts & { readonly accounts: number }>();
  #differing = 0;
  #moving = 0;
  #withoutOpening = 0;

  constructor(
    readonly decimals: number,
    /** Selects the accounts that are read: all, unless it names an operator. */
    private readonly query: BooksQuery = {},
  ) {}

  add(books: AccountBooks): void {
    const { currency } = books;
    const sums = this.#currencies.get(currency) ?? { ...noParts, accounts: 0 };
    const own = partsOf(books);
    const added = Object.fromEntries(
      parts.map((part) => [part, addPurses(sums[part], own[part])]),
    ) as unknown as Parts;
    this.#currencies.set(currency, { ...added, accounts: sums.accounts + 1 });
    this.accounts += 1;
    if (!books.hasOpening) this.#withoutOpening += 1;
    else if (!isEmptyPurse(booksDifference(books))) {
      if (books.isAtRest) this.#differing += 1;
      else this.#moving += 1;
    }
  }

  /** Whether every account that could be checked is whole. False if the operator has no account: nothing was checked. */
  get isWhole(): boolean {
    return this.#differing === 0 && this.#moving === 0 && !this.foundNoAccount;
  }

  /** An operator or a player was asked for, and has no account. */
  private get foundNoAccount(): boolean {
    return this.accounts === 0 && this.query.operatorId !== undefined;
  }

  toText(): string {
    const rows = this.sorted().flatMap(([currency, { accounts, ...sums }]) =>
      sumRows(
        currency,
        parts.map((part) => sums[part]),
        this.decimals,
        [String(accounts)],
      ),
    );
    const lines = rows.length === 0 ? [] : drawTable(['', ...parts, 'accounts'], rows);
    const { operatorId, playerId } = this.query;
    const owner = `${playerId === undefined ? '' : `player ${playerId} of `}operator ${operatorId}`;
    const end = this.isWhole ? 'the books are whole' : `${this.#differing} differ`;
    lines.push(
      this.foundNoAccount
        ? plain(`No account of ${owner}: nothing was checked.`)
        : `In all: ${counted(this.accounts, 'account')}, ${end}.`,
    );
    if (this.accounts === 0) {
      lines.push(
        'No account: if the money is in your own ledger, use --ledger to compare what it posted.',
      );
    }
    if (this.#moving > 0) {
      lines.push(
        `${counted(this.#moving, 'account')} did not rest while it was read: run it again.`,
      );
    }
    if (this.#withoutOpening > 0) {
      lines.push(
        `${counted(this.#withoutOpening, 'account')} without an opening, from an earlier version: not checked.`,
      );
    }
    return lines.join('\n');
  }

  toJSON(): object {
    const currencies = this.sorted().map(([currency, { accounts, ...sums }]) => {
      return { currency, accounts, ...partsJson(sums, this.decimals) };
    });
    return {
      whole: this.isWhole,
      accounts: this.accounts,
      differing: this.#differing,
      notAtRest: this.#moving,
      withoutOpening: this.#withoutOpening,
      currencies,
    };
  }

  private sorted() {
    return [...this.#currencies].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}

const noParts: Parts = {
  balance: emptyPurse,
  cash: emptyPurse,
  rounds: emptyPurse,
  carried: emptyPurse,
  repairs: emptyPurse,
};

function partsOf({ repairs = emptyPurse, balance, cash, rounds, carried }: AccountBooks): Parts {
  return { balance, cash, rounds, carried, repairs };
}

/** An account that differs, as a line for a person. */
export function differenceText(books: AccountBooks, decimals: number): string {
  const { operatorId, playerId, currency, isAtRest } = books;
  const own = partsOf(books);
  const shown = parts
    .map((part) => `${part} ${unitsText(own[part], currency, decimals)}`)
    .join(', ');
  const more = unitsText(booksDifference(books), currency, decimals);
  const note = isAtRest ? '' : ' (it did not rest)';
  return plain(
    `DIFFERS${note}: operator ${operatorId}, player ${playerId}: the balance has ${more} more than the books (${shown})`,
  );
}

/** The same as JSON. */
export function differenceJson(books: AccountBooks, decimals: number): object {
  const { operatorId, playerId, currency, isAtRest } = books;
  const difference = purseJson(booksDifference(books), decimals);
  const own = partsJson(partsOf(books), decimals);
  return { operatorId, playerId, currency, difference, atRest: isAtRest, ...own };
}

function partsJson(sums: Parts, decimals: number): object {
  return Object.fromEntries(parts.map((part) => [part, purseJson(sums[part], decimals)]));
}
