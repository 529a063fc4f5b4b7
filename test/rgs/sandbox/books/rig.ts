import { compareBooks, type ProviderRound } from '../../../../lib/rgs/sandbox/books/compare';
import { WalletBook } from '../../../../lib/rgs/sandbox/books/wallet-book';
import { settle } from '../../../../lib/rgs/settlement/settle';
import { ann, Desk } from '../../rounds/desk';
import { perform } from '../../rounds/perform';
import { WrongPurse } from './wrong-purse';

/** The service around its rules, a wallet with a mistake, and the book that follows the calls between them. */
export function rig() {
  const purse = new WrongPurse();
  const book = new WalletBook();
  const desk = new Desk((call, gameRound) => {
    const sent = book.sent(gameRound, call);
    const { answer, balance } = purse.take(call, gameRound);
    const { transactions } = settle({ transactions: call, hasPaidCredit: false }, answer);
    const fates = transactions.map(({ transaction: { type, hash }, fate }) => ({
      type,
      hash,
      fate,
    }));
    book.answered(sent, fates, balance);
    return answer.kind === 'reply' || call.some(({ type }) => type === 'debit') ? answer : null;
  });
  const ask = (): void => {
    const question = book.sent(null, []);
    book.answered(question, [], BigInt(purse.balance));
  };
  const base = {
    key: 'k',
    amount: 0,
    credit: 0,
    endGame: false,
    collect: true,
    outcome: 0,
    awarded: 0,
    used: 0,
  };
  const start = (id: string, amount: number) => {
    desk.at += 1;
    return perform(desk, { ...base, kind: 'start', id, amount });
  };
  const bet = (id: string, key: string, amount: number) =>
    perform(desk, { ...base, kind: 'bet', id, key, amount });
  const win = (id: string, amount: number) => perform(desk, { ...base, kind: 'win', id, amount });
  const voidRound = (id: string) => perform(desk, { ...base, kind: 'void', id, key: null });
  const account = () => ({
    operatorId: ann.operatorId,
    playerId: ann.playerId,
    currency: ann.currency,
    start: book.start ?? 0n,
    balance: BigInt(purse.balance),
    book,
  });
  const compare = (provider: readonly ProviderRound[] | null = null) =>
    compareBooks({ rounds: [...desk.rounds.values()], wallets: [account()], provider });
  /** The first round whose money differs. */
  const firstDiffering = () => compare().differences[0]?.round ?? null;
  ask();
  return { purse, desk, book, ask, start, bet, win, voidRound, compare, firstDiffering };
}
