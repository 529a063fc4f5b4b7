import { compareBooks, type ProviderRound, type WalletAccount } from '../books/compare';
import type { Account } from '../process/accounts';
import type { Running } from '../process/running';
import type { SandboxSettings } from '../process/options';
import type { BooksView } from '../view/books';

/** Most rounds that are compared without being asked to. */
const mostSoFar = 2_000;

/**
 * The three books as they are now (B3). Every wallet is asked for the balance of every player that it was
 * asked for before; one that does not answer is a doubt.
 */
export async function booksView(running: Running, settings: SandboxSettings): Promise<BooksView> {
  const answered = await Promise.all(
    realAccounts(running).map((account) => fetchBalance(running, account)),
  );
  const silent = answered.filter(({ balance }) => balance === null);
  const books = await compared(running, settings, answered);
  const others = answered.filter((account) => !silent.includes(account));
  return inDoubt(books, [...silent.map(silenceOf), ...others.flatMap(startDoubtOf)]);
}

/**
 * The same by the balances that the replies so far have reported. No wallet is asked: a question would be a call on
 * the wire, and take a fault that is set for the next one. Null above 2,000 rounds.
 */
export async function booksSoFar(
  running: Running,
  settings: SandboxSettings,
): Promise<BooksView | null> {
  if (running.service().view().roundCount > mostSoFar) return null;
  const accounts = realAccounts(running).map((account) => ({ ...account, balance: null }));
  return inDoubt(await compared(running, settings, accounts), accounts.flatMap(startDoubtOf));
}

async function compared(
  running: Running,
  settings: SandboxSettings,
  accounts: readonly AskedAccount[],
): Promise<BooksView> {
  const provider = await providerRounds(settings);
  const rounds = [...running.service().view().rounds];
  const wallets = accounts.flatMap(accountOf);
  return compareBooks({ rounds, wallets, provider, forgotten: running.forgotten });
}

function inDoubt(books: BooksView, texts: readonly string[]): BooksView {
  const doubts = texts.map((text) => ({ round: null, text }));
  return { ...books, doubts: [...books.doubts, ...doubts] };
}

function realAccounts({ accounts }: Running): readonly Account[] {
  return accounts.all().filter(({ owner }) => owner.mode === 'REAL');
}

interface AskedAccount extends Account {
  /** Null if the wallet was not asked, or does not answer. */
  readonly balance: bigint | null;
}

async function fetchBalance({ wallet }: Running, account: Account): Promise<AskedAccount> {
  const answer = await wallet.getBalance({ owner: account.owner, externalSessionId: null });
  return { ...account, balance: answer.kind === 'known' ? answer.balance.totalBalance : null };
}

function accountOf({ owner, book, balance: now }: AskedAccount): readonly WalletAccount[] {
  const { operatorId, playerId, currency } = owner;
  const { start } = book;
  const balance = now ?? book.latest;
  if (start === null || balance === null) return [];
  return [{ operatorId, playerId, currency, start, balance, isOld: now === null, book }];
}

function silenceOf({ owner: { playerId, currency } }: AskedAccount): string {
  return `the wallet does not return the balance of ${playerId} in ${currency}`;
}

function startDoubtOf({ owner: { playerId, currency }, book }: AskedAccount): readonly string[] {
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
