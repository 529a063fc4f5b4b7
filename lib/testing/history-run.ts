import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { needsAttention } from '../gameround';
import type { Call, Transaction } from '../protocol';
import {
  type AttentionEntry,
  type CallOutcome,
  cancelRound,
  type DiscountCheck,
  type DoTransactionsPorts,
  doTransactions,
  type PlayerKey,
  type RoundKey,
  type RoundReport,
  systemClock,
  type AccountStore,
} from '../wallet';
import { gameRoundOf, type History, type HistoryAction, isEligible } from './history';
import { PlayerBook } from './history-player';
import { checkPayments, workOf } from './history-work';

/** Longer than any store takes: an outcome that is told as unknown is a failure here. */
const deadlineMs = 15_000;
const discountCheck: DiscountCheck = ({ debit }) => isEligible(debit);

interface CallOrder {
  readonly player: number;
  readonly round: number;
  readonly transactions: readonly Transaction[];
  /** Set where the answer is lost: whether the call arrives all the same. */
  readonly lost?: { readonly arrives: boolean };
}

interface DoneCall {
  readonly order: CallOrder;
  readonly outcome: CallOutcome | null;
}

/**
 * Does a history to a store through the use case, and checks the oracles O1 to O5, O8 and O10
 * after every batch. In the end every lost debit is voided, and every call is sent again.
 * Resolves to the rounds that the operator's attention list must hold.
 */
export async function runHistory(
  store: AccountStore,
  operatorId: string,
  history: History,
): Promise<AttentionEntry[]> {
  return new HistoryRun(store, operatorId, history).run();
}

class HistoryRun {
  private readonly id = randomUUID();
  private readonly books: readonly PlayerBook[];
  private readonly sent: CallOrder[] = [];
  private readonly reports = new Map<string, RoundReport>();
  private readonly ports: DoTransactionsPorts;

  constructor(
    private readonly store: AccountStore,
    private readonly operatorId: string,
    private readonly history: History,
  ) {
    const { players, policy } = history;
    this.books = players.map((player) => new PlayerBook(player));
    this.ports = { store, clock: systemClock, policy, deadlineMs, discountCheck };
  }

  async run(): Promise<AttentionEntry[]> {
    await this.openPlayers();
    for (const batch of this.history.batches) await this.runBatch(batch);
    await this.runCalls(this.voidsOfLost());
    const byChance = [...this.sent].toSorted((a, b) => a.round - b.round);
    await this.runCalls(byChance);
    const left = [...this.reports.values()];
    const waiting = left.filter(({ head }) => head.state === 'cancelled');
    assert.deepEqual(waiting, [], 'O9: every lost debit was voided');
    return left
      .filter(({ head }) => needsAttention(head.state))
      .map(({ operatorId, playerId, gameRound, head }) => {
        return { operatorId, playerId, gameRound, state: head.state };
      });
  }

  private async openPlayers(): Promise<void> {
    for (const [at, player] of this.history.players.entries()) {
      if (player === null) continue;
      const { real, bonus, dollars } = player;
      const balances = bonus === null ? { real } : { real, bonus };
      for (const currency of dollars ? ['EUR', 'USD'] : ['EUR']) {
        const { kind } = await this.store.openPlayer({ ...this.key(at), currency, balances });
        assert.equal(kind, 'opened');
      }
    }
  }

  private async runBatch(batch: readonly HistoryAction[]): Promise<void> {
    const orders = batch.flatMap((action) => this.callOf(action));
    this.sent.push(...orders.filter(({ lost }) => lost === undefined));
    const resent = batch.flatMap((action) => this.resendOf(action));
    const others = batch.map((action) => this.runOther(action));
    await this.runCalls([...orders, ...resent], others, batch.flatMap(playerOfOther));
  }

  /** Sends calls at once, beside other work, and checks all when nothing is under way. */
  private async runCalls(
    orders: readonly CallOrder[],
    others: readonly Promise<void>[] = [],
    touched: readonly number[] = [],
  ): Promise<void> {
    const sending = orders.map((order) => this.send(order));
    const [calls] = await Promise.all([Promise.all(sending), Promise.all(others)]);
    for (const call of calls) this.tell(call);
    const names = new Set(orders.map(({ player, round }) => `${player} ${round}`));
    await Promise.all(Array.from(names, (name) => this.checkRound(name)));
    const players = [...orders.map(({ player }) => player), ...touched];
    for (const call of calls) this.noteWork(call, players);
    await Promise.all(Array.from(new Set(players), (player) => this.settle(player)));
  }

  private async send(order: CallOrder): Promise<DoneCall> {
    const { player, round, transactions, lost } = order;
    const key = this.roundKey(player, round);
    const call: Call = { ...key, gameCode: 'game', transactions };
    if (lost === undefined) {
      return { order, outcome: await doTransactions(key, call, this.ports) };
    }
    const { signal } = new AbortController();
    const [outcome] = await Promise.all([
      lost.arrives ? doTransactions(key, call, this.ports) : null,
      cancelRound(key, call, { ...this.ports, signal }),
    ]);
    return { order, outcome };
  }

  private tell({ order, outcome }: DoneCall): void {
    const { player, round, transactions, lost } = order;
    const book = this.books[player]?.round(round);
    if (lost !== undefined) {
      for (const { hash } of transactions) book?.lose(hash);
      return;
    }
    const { unknown, verdicts = [] } = outcome ?? {};
    assert.equal(unknown, null, 'every call must be answered');
    assert.equal(verdicts.length, transactions.length, 'every transaction must be answered');
    for (const [at, verdict] of verdicts.entries()) {
      book?.tell(transactions[at] as Transaction, verdict);
    }
  }

  private async checkRound(name: string): Promise<void> {
    const [player = 0, round = 0] = name.split(' ').map(Number);
    const report = await this.store.readRound(this.roundKey(player, round));
    if (report !== null) this.reports.set(name, report);
    const book = this.books[player];
    const effect = book?.round(round).check(report);
    if (effect !== undefined) book?.setEffect(round, effect);
  }

  private noteWork({ order, outcome }: DoneCall, players: readonly number[]): void {
    if (outcome === null) return;
    const { player, round, transactions, lost } = order;
    const { policy } = this.history;
    const report = this.reports.get(`${player} ${round}`) ?? null;
    const book = this.books[player];
    const answered = { transactions, outcome, report, policy };
    const work = workOf(answered);
    book?.did(work);
    if (outcome.unknown === null) book?.see(outcome.accounts, work);
    const isAlone = players.filter((other) => other === player).length === 1;
    if (book !== undefined && isAlone && lost === undefined) checkPayments(answered, book.balances);
  }

  private async settle(player: number): Promise<void> {
    const result = await this.store.accounts(this.key(player));
    assert.ok(result.kind === 'known', 'the accounts must be read');
    const isKnown = result.accounts !== null;
    assert.equal(isKnown, this.history.players[player] !== null, 'who is known stays so');
    this.books[player]?.settle(result.accounts);
  }

  private callOf(action: HistoryAction): CallOrder[] {
    if (action.kind === 'call') return [action];
    if (action.kind !== 'lostCall') return [];
    const { player, round, debits, arrives } = action;
    return [{ player, round, transactions: debits, lost: { arrives } }];
  }

  private resendOf(action: HistoryAction): CallOrder[] {
    if (action.kind !== 'resend') return [];
    const order = this.sent[action.call % Math.max(1, this.sent.length)];
    if (order === undefined) return [];
    const from = action.from % order.transactions.length;
    return [{ ...order, transactions: order.transactions.slice(from, from + action.count) }];
  }

  private async runOther(action: HistoryAction): Promise<void> {
    switch (action.kind) {
      case 'deposit':
      case 'withdraw': {
        const { player, units, balance, reference } = action;
        const order = { ...this.key(player), currency: 'EUR', amount: units, balance, reference };
        const result = await this.store[action.kind](order);
        this.books[player]?.order(action.kind === 'deposit' ? 1n : -1n, order, result);
        return;
      }
      case 'block': {
        const { kind } = await this.store.setBlocked(this.key(action.player), action.blocked);
        assert.notEqual(kind, 'unknown', 'a block must be answered');
        return;
      }
      case 'read': {
        const result = await this.store.accounts(this.key(action.player));
        assert.ok(result.kind === 'known', 'the accounts must be read');
        this.books[action.player]?.see(result.accounts, null);
        return;
      }
      default:
    }
  }

  /** A void for each debit whose answer was lost, as the RGS sends them (D7). */
  private voidsOfLost(): CallOrder[] {
    return this.books.flatMap((book, player) =>
      book.numbers.flatMap((round) => {
        const hashes = book.round(round).unresolved;
        const transactions = hashes.map((hash) => {
          return { type: 'void', hash, amount: null, currency: null } as const;
        });
        return transactions.length > 0 ? [{ player, round, transactions }] : [];
      }),
    );
  }

  private key(player: number): PlayerKey {
    return { operatorId: this.operatorId, playerId: `${this.id}-${player}` };
  }

  private roundKey(player: number, round: number): RoundKey {
    return { ...this.key(player), gameRound: gameRoundOf(round) };
  }
}

/** The player that an action other than a call touches. */
function playerOfOther(action: HistoryAction): number[] {
  const isCall = action.kind === 'call' || action.kind === 'lostCall';
  return isCall || action.kind === 'resend' ? [] : [action.player];
}
