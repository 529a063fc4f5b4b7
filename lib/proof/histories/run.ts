import assert from 'node:assert/strict';
import { needsAttention } from '../../operator/gameround';
import type { Call } from '../../protocol/operator-api/transaction';
import {
  type AttentionEntry,
  cancelRound,
  type DiscountCheck,
  type DoTransactionsPorts,
  doTransactions,
  type PlayerKey,
  type RoundKey,
  type RoundReport,
  type WalletStore,
  type Written,
} from '../../operator/wallet';
import { systemClock, systemRandom } from '../../platform';
import { randomUuid } from '../../platform/random';
import { freshDelivery, freshId } from '../subject/runner';
import {
  contractPlayer,
  type ContractPlayers,
  type ContractWallet,
  isAtomic,
  keepsMoney,
} from '../subject/players';
import { gameRoundOf, type History, type HistoryAction } from './action';
import { isEligible } from '../subject/voided-call';
import { recordCommits } from './commit-recorder';
import {
  type Claim,
  claimsOf,
  type DoneCall,
  type CallOrder,
  callOf,
  playerOfOther,
  resendOf,
  voidsDue,
  withdrawnBy,
  withoutDoubt,
} from './orders';
import { PlayerBook } from './player';
import type { Work } from './moments';
import {
  type AnsweredCall,
  checkCredits,
  checkPayments,
  hasLostSplit,
  postingsOf,
  workOf,
} from './work';

/** Longer than any store takes: an unknown outcome is a failure here. */
const deadlineMs = 300_000;
const discountCheck: DiscountCheck = ({ debit }) => isEligible(debit);

/**
 * Plays a history to a store through the use case, and checks the oracles O1 to O5, O8 and O10 after every
 * batch. In the end every lost debit is voided, and every call is resent. For a store that keeps the money
 * each commit, as recorded at its port, must be one moment; a ledger's postings are moments of their own,
 * and what a void overtakes on its way there may be given up (D7). Resolves to the rounds that the
 * operator's attention list must hold.
 */
export async function runHistory(
  wallet: ContractWallet,
  operatorId: string,
  history: History,
): Promise<AttentionEntry[]> {
  return new HistoryRun(wallet, operatorId, history).run();
}

/** How often given-up debits are voided and everything is resent, until nothing is given up any more. */
const maxRounds = 5;

class HistoryRun {
  private readonly id = randomUuid(systemRandom);
  private readonly books: readonly PlayerBook[];
  private readonly sent: CallOrder[] = [];
  private readonly reports = new Map<string, RoundReport>();
  private readonly ports: Omit<DoTransactionsPorts, 'rounds'>;
  private readonly store: WalletStore;
  private readonly players: ContractPlayers;
  /** Whether each posting is its own moment. */
  private readonly movesApart: boolean;
  /** Whether cash moves once per reference. */
  private readonly keepsReferences: boolean;

  constructor(
    wallet: ContractWallet,
    private readonly operatorId: string,
    private readonly history: History,
  ) {
    const { players, policy } = history;
    this.store = wallet.store;
    this.players = wallet.players;
    this.movesApart = !isAtomic(wallet);
    this.keepsReferences = keepsMoney(wallet);
    this.books = players.map((player) => new PlayerBook(player, this.movesApart));
    this.ports = { clock: systemClock, policy, deadlineMs, discountCheck };
  }

  async run(): Promise<AttentionEntry[]> {
    await this.openPlayers();
    for (const batch of this.history.batches) await this.runBatch(batch);
    const byChance = [...this.sent].toSorted((a, b) => a.round - b.round);
    for (let turn = 0; turn === 0 || (this.hasLost() && turn < maxRounds); turn++) {
      await this.runCalls(voidsDue(this.books));
      await this.runCalls(byChance);
    }
    const left = [...this.reports.values()];
    const waiting = left.filter(({ head }) => head.state === 'cancelled');
    assert.deepEqual(waiting, [], 'O9: every lost debit was voided');
    return left
      .filter(({ head }) => needsAttention(head.state))
      .map(({ operatorId, playerId, gameRound, head }) => {
        return { operatorId, playerId, gameRound, state: head.state };
      });
  }

  private hasLost(): boolean {
    return voidsDue(this.books).length > 0;
  }

  private async openPlayers(): Promise<void> {
    for (const [at, player] of this.history.players.entries()) {
      if (player === null) continue;
      const { real, bonus, dollars } = player;
      for (const currency of dollars ? ['EUR', 'USD'] : ['EUR']) {
        const account = contractPlayer(this.key(at), currency, real, bonus ?? undefined);
        await this.players.openPlayer(account);
      }
    }
  }

  private async runBatch(batch: readonly HistoryAction[]): Promise<void> {
    const orders = batch
      .flatMap((action) => callOf(action))
      .map((order) => withoutDoubt(order, this.movesApart, this.history.policy));
    this.sent.push(...orders.filter(({ lost }) => lost === undefined));
    const resent = batch.flatMap((action) => resendOf(action, this.sent));
    const others = batch.map((action) => this.runOther(action));
    await this.runCalls([...orders, ...resent], others, batch.flatMap(playerOfOther));
  }

  /** Sends calls concurrently, with other work, and checks everything when nothing is in progress. */
  private async runCalls(
    orders: readonly CallOrder[],
    others: readonly Promise<void>[] = [],
    touched: readonly number[] = [],
  ): Promise<void> {
    const sending = orders.map((order) => this.send(order));
    const [calls] = await Promise.all([Promise.all(sending), Promise.all(others)]);
    const names = new Set(orders.map(({ player, round }) => `${player} ${round}`));
    await Promise.all(Array.from(names, (name) => this.readRound(name)));
    for (const call of calls) this.withdraw(call);
    for (const call of calls) this.record(call);
    for (const name of names) {
      const together = orders.filter(({ player, round }) => `${player} ${round}` === name);
      this.checkRound(name, together.length > 1);
    }
    const players = [...orders.map(({ player }) => player), ...touched];
    const claims = claimsOf(calls);
    for (const call of calls) this.noteWork(call, players, claims);
    await Promise.all(Array.from(new Set(players), (player) => this.settle(player)));
  }

  private async send(order: CallOrder): Promise<DoneCall> {
    const { player, round, transactions, lost } = order;
    const key = this.roundKey(player, round);
    const call: Call = { ...key, gameCode: 'game', transactions };
    const delivery = freshDelivery();
    const commits: Written[] = [];
    const ports = { ...this.ports, rounds: recordCommits(this.store.rounds, commits) };
    const { signal } = new AbortController();
    const [outcome] = await Promise.all([
      lost?.arrives === false ? null : doTransactions(key, call, delivery, ports),
      lost === undefined ? null : cancelRound(key, call, delivery, { ...ports, signal }),
    ]);
    return { order, call, outcome, commits };
  }

  private withdraw({ order, call, outcome }: DoneCall): void {
    const { player, round, lost = null } = order;
    this.books[player]?.round(round).withdraw(withdrawnBy(call, order, outcome), lost);
  }

  private record({ order, outcome }: DoneCall): void {
    const { player, round, transactions, lost } = order;
    if (lost !== undefined || outcome === null) return;
    const book = this.books[player]?.round(round);
    const { unknown, verdicts } = outcome;
    book?.record(transactions, verdicts);
    const isWhole = verdicts.length === transactions.length;
    assert.equal(unknown === null, isWhole, 'every transaction must be answered');
    if (unknown === null) return;
    const report = this.reports.get(`${player} ${round}`) ?? null;
    book?.doubt(transactions, verdicts.length, report, unknown.cause);
  }

  private async readRound(name: string): Promise<void> {
    const [player = 0, round = 0] = name.split(' ').map(Number);
    const key = this.roundKey(player, round);
    // If a ledger has something to take back, the next load does it.
    if (this.movesApart) await this.store.rounds.load(key, []);
    const report = await this.store.rounds.readRound(key);
    if (report === null) return;
    assert.equal(report.head.pending, null, 'O9: nothing is left pending');
    this.reports.set(name, report);
  }

  private checkRound(name: string, isTogether: boolean): void {
    const [player = 0, round = 0] = name.split(' ').map(Number);
    const book = this.books[player];
    const effect = book?.round(round).check(this.reports.get(name) ?? null, isTogether);
    if (effect !== undefined) book?.setEffect(round, effect);
  }

  private noteWork(
    call: DoneCall,
    players: readonly number[],
    claims: ReadonlyMap<string, Claim>,
  ): void {
    const { order, outcome, commits } = call;
    if (outcome === null) return;
    const { player, round, transactions, lost } = order;
    const { policy } = this.history;
    const report = this.reports.get(`${player} ${round}`) ?? null;
    const book = this.books[player];
    const answered = { transactions, outcome, report, policy };
    checkCredits(gameRoundOf(round), answered);
    const works = this.movesApart
      ? this.claimed(answered, call, claims)
      : [workOf(commits, report)];
    for (const work of works) book?.did(work);
    if (this.movesApart && hasLostSplit(answered)) book?.blur(report?.head.currency ?? 'EUR');
    if (outcome.unknown === null) book?.see(outcome.accounts, works);
    const isAlone = players.filter((other) => other === player).length === 1;
    if (book !== undefined && isAlone && lost === undefined) checkPayments(answered, book.balances);
  }

  /** What a call did to a ledger: each posting counts once, whichever calls were answered for it. */
  private claimed(
    answered: AnsweredCall,
    call: DoneCall,
    claims: ReadonlyMap<string, Claim>,
  ): Work[] {
    const { player, round } = call.order;
    const book = this.books[player]?.round(round);
    return postingsOf(answered, (name) => {
      const claim = claims.get(`${player} ${round} ${name}`);
      if (claim?.owner !== call || book?.claim(name) !== true) return 'others';
      return claim.calls.size > 1 ? 'shared' : 'own';
    });
  }

  private async settle(player: number): Promise<void> {
    const result = await this.store.rounds.accounts(this.key(player));
    assert.ok(result.kind === 'known', 'the accounts must be read');
    const isKnown = result.accounts !== null;
    assert.equal(isKnown, this.history.players[player] !== null, 'who is known stays so');
    this.books[player]?.settle(result.accounts);
    const rows = await this.players.moved?.(this.key(player));
    if (rows !== undefined) this.books[player]?.checkRows(rows);
  }

  private async runOther(action: HistoryAction): Promise<void> {
    switch (action.kind) {
      case 'deposit':
      case 'withdraw': {
        const { player, units, balance } = action;
        const reference = this.keepsReferences ? action.reference : freshId('reference');
        const cash = { currency: 'EUR', amount: { units }, balance, reference };
        const order = { ...this.key(player), ...cash };
        const result = await this.players[action.kind](order);
        this.books[player]?.order(action.kind === 'deposit' ? 1n : -1n, order, result);
        return;
      }
      case 'block': {
        await this.players.setBlocked(this.key(action.player), action.blocked);
        return;
      }
      case 'read': {
        const result = await this.store.rounds.accounts(this.key(action.player));
        assert.ok(result.kind === 'known', 'the accounts must be read');
        this.books[action.player]?.see(result.accounts, []);
        return;
      }
      default:
    }
  }

  private key(player: number): PlayerKey {
    return { operatorId: this.operatorId, playerId: `${this.id}-${player}` };
  }

  private roundKey(player: number, round: number): RoundKey {
    return { ...this.key(player), gameRound: gameRoundOf(round) };
  }
}
