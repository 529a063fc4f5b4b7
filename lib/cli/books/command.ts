import type { Command } from 'commander';
import {
  type AccountBooks,
  booksDifference,
  type BooksQuery,
  type FullStore,
} from '../../operator/wallet';
import { isEmptyPurse } from '../../protocol/money/purse';
import { keptAccounts, keptJournal } from '../stores/open-store';
import { withStore } from '../stores/with-store';
import { CommandFailure, exitCodes, print, printJson } from '../terminal/failure';
import {
  addStoreFlags,
  ledgerFlag,
  operatorFlag,
  type OperatorStoreFlags,
  wholeNumber,
} from '../terminal/flags';
import { withProgress } from '../terminal/progress';
import { checkLedgerBooks } from './over-ledger';
import { BookSums, differenceJson, differenceText } from './sums';
import { defined } from '../../platform/validation/defined';

interface BooksFlags extends OperatorStoreFlags {
  readonly check?: true;
  readonly player?: string;
  readonly ledger?: string;
  readonly days: number;
}

/** Adds `rgs-wallet books`. */
export function addBooks(program: Command): void {
  const command = program
    .command('books')
    .summary('check that each balance is the sum of what moved it')
    .description(
      'Compares the balance of every account with its openings, deposits, withdrawals, corrections and rounds, to the unit. Prints the sums of each currency and every account that differs. It only reads, may run while players play, and looks at the whole store.',
    )
    .option('--check', 'exit with 1 if an account differs, or could not be checked')
    .addOption(operatorFlag('one operator only'))
    .option('--player <id>', 'one player of the operator only')
    .addOption(
      ledgerFlag(
        'the ledger that holds the money, as for serve: compares what it posted for each round with the round and its repairs',
      ),
    )
    .option(
      '--days <n>',
      'with --ledger: rounds with a posting in the last days, at most as long as the store keeps rounds (serve --retention-days)',
      wholeNumber(1, 36_500),
      30,
    )
    .option('--json', 'print one line of JSON for each difference, then one with the sums')
    .addHelpText(
      'after',
      '\nIf the money is in your own ledger, the store has rounds but no balances. With --ledger the two are compared; the ledger needs postedRounds.\nExit codes: 0 the books are whole; 1 with --check an account or a round differs; 2 a wrong flag or store.',
    );
  addStoreFlags(command, 'WALLET_STORE').action((flags: BooksFlags) => run(flags));
}

async function run(flags: BooksFlags): Promise<void> {
  const { operator, player, ledger, days } = flags;
  if (player !== undefined && operator === undefined) {
    throw new CommandFailure('--player needs --operator.');
  }
  const query = defined({ operatorId: operator, playerId: player });
  const isJson = flags.json === true;
  await withStore(flags, async (opened) => {
    const isWhole =
      ledger === undefined
        ? await checkAccounts(await keptAccounts(opened, 'its own books check it'), query, isJson)
        : await checkLedgerBooks(ledger, await keptJournal(opened), { ...query, days }, isJson);
    if (flags.check && !isWhole) process.exitCode = exitCodes.wrong;
  });
}

async function checkAccounts(
  store: FullStore,
  query: BooksQuery,
  isJson: boolean,
): Promise<boolean> {
  const sums = new BookSums(store.decimals, query);
  await withProgress('accounts', async (add) => {
    for await (const books of store.players.books(query)) {
      note(sums, books, isJson);
      add(1);
    }
  });
  if (isJson) printJson(sums);
  else print(sums.toText());
  return sums.isWhole;
}

/** Adds an account to the sums, and prints it if it differs. */
function note(sums: BookSums, books: AccountBooks, isJson: boolean): void {
  sums.add(books);
  if (!books.hasOpening || isEmptyPurse(booksDifference(books))) return;
  const { decimals } = sums;
  if (isJson) printJson(differenceJson(books, decimals));
  else print(differenceText(books, decimals));
}
