import type { LedgerStore, RoundBooks } from '../../operator/ledger';
import type { BooksQuery, RoundJournal } from '../../operator/wallet';
import { systemClock } from '../../platform';
import { openLedger } from '../stores/open-ledger';
import { closing } from '../stores/with-store';
import { CommandFailure, print, printJson } from '../terminal/failure';
import { withProgress } from '../terminal/progress';
import {
  playerJson,
  type PlayerSums,
  playerText,
  RoundSums,
  roundJson,
  roundText,
} from './round-sums';

const dayMs = 24 * 3600 * 1000;

/**
 * Compares what the ledger of a file posted for each round with the round and its repairs, prints it, and answers whether all
 * are whole. The caller closes the journal.
 * @throws CommandFailure for a ledger that cannot be used, or has no list of what it posted.
 */
export async function checkLedgerBooks(
  file: string,
  journal: RoundJournal,
  query: BooksQuery & { readonly days: number },
  isJson: boolean,
): Promise<boolean> {
  const opened = await openLedger(file, journal);
  return closing(opened, () => compare(file, opened.store, query, isJson));
}

async function compare(
  file: string,
  store: LedgerStore,
  { days, ...whose }: BooksQuery & { readonly days: number },
  isJson: boolean,
): Promise<boolean> {
  const { decimals } = store;
  const roundBooks = store.roundBooks?.bind(store);
  if (roundBooks === undefined) {
    throw new CommandFailure(
      `--ledger ${file}: the books cannot be checked: the ledger has no method postedRounds, which lists what it posted.`,
    );
  }
  const sums = new RoundSums(decimals, await listsRounds(store));
  const isOne = whose.playerId !== undefined;
  const since = systemClock.now() - days * dayMs;
  await withProgress('rounds', async (add) => {
    for await (const books of roundBooks({ ...whose, since })) {
      printPlayer(sums.ofPlayer(books, isOne), decimals, isJson);
      note(sums, books, isJson);
      add(1);
    }
  });
  printPlayer(sums.ofPlayer(null, isOne), decimals, isJson);
  if (isJson) printJson(sums);
  else print(sums.toText());
  return sums.isWhole;
}

/** Adds a round to the sums, and prints it if it differs. */
function note(sums: RoundSums, books: RoundBooks, isJson: boolean): void {
  const isDifferent = sums.add(books);
  if (!isDifferent) return;
  const { decimals } = sums;
  if (isJson) printJson(roundJson(books, decimals));
  else print(roundText(books, decimals));
}

/** Prints the sums of a player in whose rounds something differs, or who was asked for. */
function printPlayer(own: readonly PlayerSums[], decimals: number, isJson: boolean): void {
  for (const sums of own) {
    if (isJson) printJson(playerJson(sums, decimals));
    else print(playerText(sums, decimals));
  }
}

/** Whether rounds that the ledger does not list can be found. */
async function listsRounds(store: LedgerStore): Promise<boolean> {
  const page = await store.history?.rounds(
    { operatorId: 'nobody', playerId: 'nobody' },
    { limit: 1 },
  );
  return page?.kind === 'known';
}
