import { type Command, Option } from 'commander';
import { type AccountBooks, booksDifference, type BooksQuery } from '../../operator/wallet';
import { isEmptyPurse } from '../../protocol/money/purse';
import { keptAccounts, keptJournal, type OpenedStore, openStore } from '../stores/open-store';
import {
  CommandFailure,
  exitCodes,
  keptStore,
  messageOf,
  print,
  printJson,
} from '../terminal/failure';
import { addStoreFlags, type StoreFlags, wholeNumber } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';
import { withProgress } from '../terminal/progress';
import { checkLedgerBooks } from './over-ledger';
import { BookSums, differenceJson, differenceText } from './sums';
import { defined } from '../../platform/validation/defined';

interface BooksFlags extends Omit<StoreFlags, 'store'> {
  readonly store?: string;
  readonly check?: true;
  readonly operator?: string;
  readonly player?: string;
  readonly ledger?: string;
  readonly days: number;
  readonly json?: true;
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
    .addOption(new Option('--operator <id>', 'one operator only').env('OPERATOR_ID'))
    .option('--player <id>', 'one player of the operator only')
    .addOption(
      new Option(
        '--ledger <file>',
        'the ledger that holds the money, as for serve: compares what it posted for each round with the round and its repairs',
      ).env('LEDGER_FILE'),
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
  const { operator, player } = flags;
  const address = keptStore(flags);
  if (player !== undefined && operator === undefined) {
    throw new CommandFailure('--player needs --operator.');
  }
  const log = new EarlyLog();
  const opened = await openStore({ ...flags, store: address }, log);
  if (flags.ledger !== undefined) return checkOverLedger(flags.ledger, flags, opened, log);
  const store = await keptAccounts(opened, 'its own books check it');
  try {
    const sums = new BookSums(store.decimals, queryOf(flags));
    await withProgress('accounts', async (add) => {
      for await (const books of store.players.books(queryOf(flags))) {
        note(sums, books, flags.json === true);
        add(1);
      }
    });
    if (flags.json) printJson(sums);
    else print(sums.toText());
    if (flags.check && !sums.isWhole) process.exitCode = exitCodes.wrong;
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(messageOf(error));
    throw error;
  } finally {
    await store.close();
  }
}

async function checkOverLedger(
  ledger: string,
  flags: BooksFlags,
  opened: OpenedStore,
  log: EarlyLog,
): Promise<void> {
  const { days, check = false, json: isJson = false } = flags;
  const journal = await keptJournal(opened);
  try {
    const query = { ...queryOf(flags), days };
    await checkLedgerBooks(ledger, journal, { query, check, isJson }, log);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(messageOf(error));
    throw error;
  } finally {
    await journal.close();
  }
}

function queryOf({ operator, player }: BooksFlags): BooksQuery {
  return {
    ...defined({ operatorId: operator, playerId: player }),
  };
}

/** Adds an account to the sums, and prints it if it differs. */
function note(sums: BookSums, books: AccountBooks, isJson: boolean): void {
  sums.add(books);
  if (!books.hasOpening || isEmptyPurse(booksDifference(books))) return;
  const { decimals } = sums;
  if (isJson) printJson(differenceJson(books, decimals));
  else print(differenceText(books, decimals));
}
