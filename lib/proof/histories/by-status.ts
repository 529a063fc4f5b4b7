import assert from 'node:assert/strict';
import type { Delivery, MoneyPolicy } from '../../operator/gameround';
import { unknownStatus } from '../../operator/http/call-reply';
import {
  type CallOutcome,
  cancelRound,
  doTransactions,
  type DoTransactionsPorts,
  type RoundKey,
} from '../../operator/wallet';
import { systemClock } from '../../platform';
import type { Call, Transaction } from '../../protocol/operator-api/transaction';
import { freshDelivery, freshId } from '../subject/runner';
import { contractPlayer, type ContractWallet, isAtomic } from '../subject/players';
import { toText } from '../oracle/broken-rule';
import { gameRoundOf, type HistoryPlayer } from './action';
import { toBalances, sumOf } from './moments';
import { voidOf } from '../subject/voided-call';

/**
 * What becomes of a call that is not answered: its reply is lost; the wallet answers 5xx, with or without having
 * processed it; it never arrives; it arrives after its voids.
 */
export const fates = ['replyLost', 'failed', 'failedUnseen', 'neverArrives', 'late'] as const;

/** A call that an RGS sends once. */
export interface StatusCall {
  readonly transactions: readonly Transaction[];
  readonly fate: 'answered' | (typeof fates)[number];
  /** Whether the wins after a voided debit are resent. */
  readonly resendsCredits: boolean;
}

/** A player's rounds at an RGS that decides debits by the status. They are played at once. */
export interface StatusHistory {
  readonly policy: MoneyPolicy;
  readonly player: HistoryPlayer;
  readonly rounds: readonly (readonly StatusCall[])[];
}

/** What the RGS got: nothing without a reply. */
interface StatusReply {
  readonly status: number | null;
  /** The listed hashes, and whether they were processed. */
  readonly listed: ReadonlyMap<string, boolean>;
}

const discountCheck = (): boolean => true;
const noReply: StatusReply = { status: null, listed: new Map() };
/** Longer than any store takes. */
const deadlineMs = 60_000;
/** How often a win is sent that is left out of the answer; its debits are voided by then. */
const maxSends = 6;

/**
 * Plays rounds of an RGS that reads operator-api 3 and 4.1 by their letter: a call with a debit that is answered 4xx is
 * cancelled and not voided, one that is answered 5xx or not at all is voided, and of a credit hashesProcessed decides. In
 * the end the player's balances must be what its books say (D4.6, D7).
 */
export async function checkStatusHistory(
  wallet: ContractWallet,
  operatorId: string,
  { policy, player, rounds }: StatusHistory,
): Promise<void> {
  const key = { operatorId, playerId: freshId('player') };
  const { real, bonus, dollars } = player;
  const start = new Map<string, bigint>();
  for (const currency of dollars ? ['EUR', 'USD'] : ['EUR']) {
    await wallet.players.openPlayer(contractPlayer(key, currency, real, bonus ?? undefined));
    start.set(currency, real + (bonus ?? 0n));
  }
  const keys = rounds.map((_, number) => ({ ...key, gameRound: gameRoundOf(number) }));
  const books = await Promise.all(
    rounds.map((calls, at) => new StatusRound(wallet, keys[at] as RoundKey, policy).play(calls)),
  );
  // If a ledger has something to take back, the next load does it.
  if (!isAtomic(wallet)) for (const round of keys) await wallet.store.rounds.load(round, []);
  const result = await wallet.store.rounds.accounts(key);
  assert.ok(result.kind === 'known', 'the accounts must be read');
  const balances = toBalances(result.accounts);
  for (const [currency, brought] of start) {
    const booked = books.reduce((sum, book) => sum + (book.get(currency) ?? 0n), brought);
    const has = balances.get(currency);
    assert.equal(has && sumOf(has), booked, `O1: the RGS's books have another sum in ${currency}`);
  }
}

/** One round, as the RGS plays and books it. */
class StatusRound {
  private readonly booked = new Map<string, bigint>();
  private readonly pending: Transaction[] = [];
  private isOver = false;
  private readonly ports: DoTransactionsPorts;

  constructor(
    { store }: ContractWallet,
    private readonly round: RoundKey,
    policy: MoneyPolicy,
  ) {
    this.ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs, discountCheck };
  }

  /** Plays the calls until one ends the round; resolves to what it adds to the player, by currency. */
  async play(calls: readonly StatusCall[]): Promise<ReadonlyMap<string, bigint>> {
    for (const call of calls) {
      if (this.isOver) break;
      await (debitsOf(call).length > 0
        ? this.playDebits(call)
        : this.playCredits(call.transactions));
      await this.payPending();
    }
    return this.booked;
  }

  private async playDebits(call: StatusCall): Promise<void> {
    const { transactions } = call;
    const debits = debitsOf(call);
    const { status, listed } = await this.sendOnce(call);
    const place = transactions.indexOf(debits[0] as Transaction);
    const isFirst = debits.some((debit) => debit.type === 'debit' && debit.isFirstDebit === true);
    const isVoided = status === null || status >= 500;
    if (isVoided) await this.voidDebits(call);
    if (status === 200) for (const debit of debits) this.book(debit);
    if (status !== 200 && isFirst) this.isOver = true;
    const credits = isVoided && !call.resendsCredits ? transactions.slice(0, place) : transactions;
    for (const [at, credit] of credits.entries()) {
      const isTakenBack = isVoided && at > place;
      if (credit.type === 'credit')
        this.settle(credit, isTakenBack ? undefined : listed.get(credit.hash));
    }
    if (!isVoided && listed.get(transactions.at(-1)?.hash ?? '') === true) this.endBy(transactions);
  }

  /** Sends each void twice, whether or not it was answered (D5.1). */
  private async voidDebits(call: StatusCall): Promise<void> {
    const voids = debitsOf(call).map(({ hash }) => voidOf(hash));
    for (const sent of [voids, voids]) {
      const { status } = await this.send(sent);
      assert.equal(status, 200, 'a void must be answered as success (D5.1)');
      if (call.fate === 'late' && sent === voids) await this.send(call.transactions);
    }
  }

  /** A call without a debit is sent until it is answered. */
  private async playCredits(transactions: readonly Transaction[]): Promise<void> {
    const { listed } = await this.send(transactions);
    for (const one of transactions) {
      if (one.type === 'credit') this.settle(one, listed.get(one.hash));
    }
    this.endBy(transactions);
  }

  private async payPending(): Promise<void> {
    for (let sends = 0; this.pending.length > 0; sends += 1) {
      assert.ok(sends < maxSends, `${toText(this.pending)} must be answered (O9)`);
      for (const credit of this.pending.splice(0)) {
        const { listed } = await this.send([credit]);
        this.settle(credit, listed.get(credit.hash));
      }
    }
  }

  /** Decided by hashesProcessed alone (operator-api 4.1, rule 5). */
  private settle(credit: Transaction, isPaid: boolean | undefined): void {
    if (isPaid === undefined) this.pending.push(credit);
    else if (isPaid) this.book(credit);
    else this.isOver = true;
  }

  private endBy(transactions: readonly Transaction[]): void {
    if (transactions.some(({ type }) => type === 'end')) this.isOver = true;
  }

  private book(one: Transaction): void {
    if (one.type !== 'debit' && one.type !== 'credit') return;
    const { currency, amount } = one;
    const sum = this.booked.get(currency) ?? 0n;
    this.booked.set(currency, one.type === 'debit' ? sum - amount : sum + amount);
  }

  private async sendOnce({ transactions, fate }: StatusCall): Promise<StatusReply> {
    if (fate === 'answered') return this.send(transactions);
    if (fate === 'replyLost') await this.send(transactions);
    const delivery = freshDelivery();
    if (fate === 'failed') {
      await Promise.all([this.process(transactions, delivery), this.mark(transactions, delivery)]);
    }
    if (fate === 'failedUnseen') await this.mark(transactions, delivery);
    return noReply;
  }

  /** What is answered 5xx is marked, as the router does it (D7). */
  private async send(transactions: readonly Transaction[]): Promise<StatusReply> {
    const delivery = freshDelivery();
    const { verdicts, unknown } = await this.process(transactions, delivery);
    const known = verdicts.every(({ outcome }) => outcome === 'processed') ? 200 : 400;
    const status = unknown === null ? known : unknownStatus(this.callOf(transactions));
    if (status >= 500 && debitsOf({ transactions }).length > 0) {
      await this.mark(transactions, delivery);
    }
    const listed = verdicts.map(({ hash, outcome }) => [hash, outcome === 'processed'] as const);
    return { status, listed: new Map(listed) };
  }

  private process(transactions: readonly Transaction[], delivery: Delivery): Promise<CallOutcome> {
    return doTransactions(this.round, this.callOf(transactions), delivery, this.ports);
  }

  private async mark(transactions: readonly Transaction[], delivery: Delivery): Promise<void> {
    const { signal } = new AbortController();
    await cancelRound(this.round, this.callOf(transactions), delivery, { ...this.ports, signal });
  }

  private callOf(transactions: readonly Transaction[]): Call {
    return { ...this.round, gameCode: 'game', transactions };
  }
}

function debitsOf({ transactions }: Pick<StatusCall, 'transactions'>): Transaction[] {
  return transactions.filter(({ type }) => type === 'debit');
}
