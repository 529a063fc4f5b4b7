import { isJsonObject } from '../../../protocol/json/parse';
import type { WalletAnswer, WalletCall, WalletLine } from '../../ports';
import type { Owner, Round } from '../../rounds/round';
import { settle } from '../../settlement/settle';
import { keyOf } from '../books/compare';
import type { Fated } from '../books/movements';
import { movementsOf } from '../books/service-round';
import { WalletBook } from '../books/wallet-book';
import type { OfAccount } from '../view/books';
import type { WireCall } from '../view/wire';
import { documentOf } from '../wire/request';

/** The account of one player at a wallet. */
export interface Account {
  readonly owner: Owner;
  readonly book: WalletBook;
}

/** The accounts at the wallets, as the calls to them account for. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();
  readonly #inFlight = new Set<() => void>();

  /** @param roundsOf The rounds of a player that the service had before the first call to the wallet. */
  constructor(private readonly roundsOf: (player: OfAccount) => readonly Round[]) {}

  all(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  /** The line, with every call and every reported balance in the books. */
  follow(line: WalletLine): WalletLine {
    return {
      doTransactions: (call) => this.#doTransactions(line, call),
      getBalance: async (question) => {
        const book = this.#bookOf(question.owner);
        const sent = book.sent(null, []);
        const answer = await line.getBalance(question);
        book.answered(sent, [], answer.kind === 'known' ? answer.balance.totalBalance : null);
        return answer;
      },
    };
  }

  /**
   * A call goes out whose reply the service may not take, such as a doubled request. Call what is returned once it
   * has ended, with the balance of its reply, null if there is none: it may be older than what the service has
   * received since.
   */
  track(player: OfAccount, gameRound: string): (balance: bigint | null) => void {
    const book = this.#accounts.get(keyOf(player))?.book;
    if (book === undefined) return () => {};
    const sent = book.sent(gameRound, []);
    return (balance) => {
      if (balance !== null) book.reported(sent, balance);
      book.answered(sent, [], null);
    };
  }

  /** A round leaves the service by its age (B4). */
  forget(round: Round): void {
    this.#accounts.get(keyOf(round.owner))?.book.forget(round.gameRound);
  }

  /** The calls in flight will have no answer: the service died. */
  abandon(): void {
    for (const abandon of this.#inFlight) abandon();
    this.#inFlight.clear();
  }

  async #doTransactions(line: WalletLine, call: WalletCall): Promise<WalletAnswer> {
    const { owner, gameRound, transactions } = call;
    const book = this.#bookOf(owner);
    const sent = book.sent(gameRound, transactions);
    const abandon = (): void => book.answered(sent, [], null);
    this.#inFlight.add(abandon);
    const answered = await line.doTransactions(call);
    if (!this.#inFlight.delete(abandon)) return answered;
    const settled = settle({ transactions, hasPaidCredit: false }, answered.answer).transactions;
    const fates = settled.map(
      ({ transaction: { type, hash }, fate }): Fated => ({ type, hash, fate }),
    );
    book.answered(sent, fates, answered.balance?.totalBalance ?? null);
    return answered;
  }

  #bookOf(owner: Owner): WalletBook {
    const key = keyOf(owner);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known.book;
    const earlier = this.roundsOf(owner).map((round) => ({
      gameRound: round.gameRound,
      movements: movementsOf(round),
    }));
    const book = new WalletBook(earlier);
    this.#accounts.set(key, { owner, book });
    return book;
  }
}

/** The player whose money a call to a wallet moves, and the round. */
interface MovingCall {
  readonly player: OfAccount;
  readonly gameRound: string;
}

/** What a doTransactions is about; null for any other call. */
export function movingCall(call: WireCall): MovingCall | null {
  if (call.line !== 'rgs-wallet' || call.call !== 'doTransactions' || call.round === null)
    return null;
  const request = documentOf(call.body.text)?.value;
  if (!isJsonObject(request)) return null;
  const { playerId, transactions } = request;
  const operatorId = call.headers['x-h-auth-id'];
  const currency = currencyOf(transactions);
  if (typeof playerId !== 'string' || operatorId === undefined || currency === null) return null;
  return { player: { operatorId, playerId, currency }, gameRound: call.round };
}

/** The balance that the wallet's reply reports; null if it reports none in the currency, or not in whole units. */
export function balanceIn({ replyBody }: WireCall, currency: string): bigint | null {
  const reply = documentOf(replyBody?.text ?? null);
  if (reply === null || !isJsonObject(reply.value)) return null;
  const { balances } = reply.value;
  if (!Array.isArray(balances)) return null;
  let balance: bigint | null = null;
  for (const entry of balances as unknown[]) {
    if (!isJsonObject(entry) || (entry['currency'] ?? currency) !== currency) continue;
    const amount = reply.lexeme(entry, 'amount') ?? '';
    if (!/^-?\d{1,16}$/.test(amount)) return null;
    balance = (balance ?? 0n) + BigInt(amount);
  }
  return balance;
}

function currencyOf(transactions: unknown): string | null {
  if (!Array.isArray(transactions)) return null;
  for (const one of transactions as unknown[]) {
    if (isJsonObject(one) && typeof one['currency'] === 'string') return one['currency'];
  }
  return null;
}
