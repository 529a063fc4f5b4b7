import { compareBooks, type ProviderRound, type WalletAccount } from '../books/compare';
import type { Account } from '../process/accounts';
import type { Running } from '../process/running';
import type { SandboxSettings } from '../process/options';
import type { BooksView } from '../view/books';

/**
 * The three books as they are now (B3). Every wallet is asked for the balance of every player that it was
 * asked for before; one that does not answer is a doubt.
 */
export async function booksView(running: Running, settings: SandboxSettings): Promise<BooksView> {
  const accounts = running.accounts.all().filter(({ owner }) => owner.mode === 'REAL');
  const answered = await Promise.all(accounts.map((account) => fetchBalance(running, account)));
  const provider = await providerRounds(settings);
  const rounds = [...running.service().view().rounds];
  const wallets = answered.flatMap(accountOf);
  const books = compareBooks({ rounds, wallets, provider, forgotten: running.forgotten });
  const doubts = answered.flatMap(doubtOf).map((text) => ({ round: null, text }));
  return { ...books, doubts: [...books.doubts, ...doubts] };
}

interface AnsweredAccount extends Account {
  /** Null if the wallet does not answer. */
  readonly answered: bigint | null;
}

async function fetchBalance({ wallet }: Running, account: Account): Promise<AnsweredAccount> {
  const answer = await wallet.getBalance({ owner: account.owner, externalSessionId: null });
  return { ...account, answered: answer.kind === 'known' ? answer.balance.totalBalance : null };
}

function accountOf({ owner, book, answered }: AnsweredAccount): readonly WalletAccount[] {
  const { operatorId, playerId, currency } = owner;
  const { start } = book;
  const balance = answered ?? book.latest;
  if (start === null || balance === null) return [];
  return [{ operatorId, playerId, currency, start, balance, book }];
}

function doubtOf({
  owner: { playerId, currency },
  book,
  answered,
}: AnsweredAccount): readonly string[] {
  if (answered === null) {
    return [`the wallet does not return the balance of ${playerId} in ${currency}`];
  }
  if (book.start !== null) return [];
  return [`no balance of ${playerId} in ${currency} was certain yet`];
}

/** The books of all providers; null unless one has a book. */
async function providerRounds({
  providers,
}: SandboxSettings): Promise<readonly ProviderRound[] | null> {
  const kept = providers.flatMap(({ book }) => (book === undefined ? [] : [book]));
  if (kept.length < providers.length) return null;
  return (await Promise.all(kept.map(async (book) => book()))).flat();
}
