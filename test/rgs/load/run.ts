import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { RequestSigner } from '../../../lib/proof';
import { seededRandom } from '../../platform/seeded-random';
import { type BookedRound, type BookedTransaction, ServiceBook } from './book';
import { type SentTransaction, settle, type Settlement } from '../../../lib/rgs/settlement/settle';
import { answerOf, ServiceConnections, type ServiceReply } from './call';

/** What is played, and where. */
export interface ServiceLoadOptions {
  /** The wallets, which share one store: each call goes to the next. */
  readonly origins: readonly string[];
  readonly signer: RequestSigner;
  readonly players: readonly string[];
  readonly currency: string;
  /** The wallet's decimals. */
  readonly decimals: number;
  /** Rounds played at once, each over its own connection. */
  readonly connections: number;
  /** The same seed plays the same rounds, as far as the wallet answers the same. */
  readonly seed?: number;
  /** Share of the calls whose reply the service does not wait for; 0 unless set. */
  readonly lostReplyShare?: number;
  readonly replyTimeoutMs?: number;
  /** From one round of a connection to its next; 0 unless set. */
  readonly roundPauseMs?: number;
}

/** What happened so far. */
export interface ServiceFigures {
  calls: number;
  rounds: number;
  /** Calls answered 200. */
  processed: number;
  /** Calls answered 4xx with an outcome for every hash. */
  refused: number;
  /** Calls answered 4xx that left a hash out. */
  pending: number;
  /** Calls answered 5xx. */
  failed: number;
  /** Of these, calls with a credit and no debit; must stay 0 (D7). */
  failedCredits: number;
  /** Calls without a reply. */
  lost: number;
  /** Voids answered. */
  voids: number;
}

/** A service at play. */
export interface ServiceLoad {
  readonly book: ServiceBook;
  readonly figures: Readonly<ServiceFigures>;
  /** What the wallet answered against the protocol; must stay empty. */
  readonly violations: readonly string[];
  /** From now on a fifth of all rounds is of this player. */
  favour(playerId: string): void;
  /** Opens no further round, and resolves once every round in play is definite. */
  stop(): Promise<void>;
  /** Gives up at once, also with calls in doubt: for the end of a failed test. */
  abandon(): void;
}

const RESEND_PAUSE_MS = 5;

/** Plays rounds over HTTP; what the service does with each answer is the table's. */
export function startServiceLoad(options: ServiceLoadOptions): ServiceLoad {
  const play = new Play(options);
  const workers = Array.from({ length: options.connections }, () => play.work());
  return {
    book: play.book,
    figures: play.figures,
    violations: play.violations,
    favour: (playerId) => void (play.favoured = playerId),
    async stop() {
      play.isStopping = true;
      await Promise.all(workers);
      play.close();
    },
    abandon: () => play.abandon(),
  };
}

class Play {
  readonly book = new ServiceBook();
  readonly violations: string[] = [];
  readonly figures: ServiceFigures = {
    calls: 0,
    rounds: 0,
    processed: 0,
    refused: 0,
    pending: 0,
    failed: 0,
    failedCredits: 0,
    lost: 0,
    voids: 0,
  };
  isStopping = false;
  favoured: string | null = null;
  private isAbandoned = false;
  private readonly connections: ServiceConnections;
  private readonly random: () => number;

  constructor(private readonly options: ServiceLoadOptions) {
    const { origins, connections, replyTimeoutMs = 15_000, seed = 1 } = options;
    this.connections = new ServiceConnections(origins, connections, replyTimeoutMs);
    this.random = seededRandom(seed);
  }

  close(): void {
    this.connections.close();
  }

  abandon(): void {
    this.isStopping = true;
    this.isAbandoned = true;
    this.close();
  }

  async work(): Promise<void> {
    const { roundPauseMs = 0 } = this.options;
    while (!this.isStopping) {
      this.figures.rounds += 1;
      await this.playRound();
      if (roundPauseMs > 0) await delay(roundPauseMs);
    }
  }

  private async playRound(): Promise<void> {
    const gameRound = randomUUID();
    const round = this.book.open(this.nextPlayer(), gameRound);
    const debit = round.add('debit', this.upTo(4) === 0 ? gameRound : randomUUID(), this.stake());
    if (this.upTo(3) === 0) {
      const rest = [
        round.add('credit', randomUUID(), this.stake()),
        round.add('end', randomUUID()),
      ];
      await this.sendDebit(round, [debit, ...rest]);
      return;
    }
    if (!(await this.sendDebit(round, [debit]))) return;
    for (let turns = this.upTo(4); turns > 0; turns -= 1) await this.playTurn(round);
    if (this.upTo(10) === 0) return; // left open
    if (this.upTo(4) === 0 && (await this.sendDebit(round, this.lastPlay(round)))) return;
    const win = this.upTo(2) === 0 ? [round.add('credit', randomUUID(), this.stake())] : [];
    await this.sendUntilDefinite(round, [...win, round.add('end', randomUUID())]);
  }

  private nextPlayer(): string {
    const { players } = this.options;
    if (this.favoured !== null && this.upTo(5) === 0) return this.favoured;
    return players[this.upTo(players.length)] ?? '';
  }

  /** A follow-up debit, its win and the end. */
  private lastPlay(round: BookedRound): BookedTransaction[] {
    return [
      round.add('debit', randomUUID(), this.stake()),
      round.add('credit', randomUUID(), this.stake()),
      round.add('end', randomUUID()),
    ];
  }

  private async playTurn(round: BookedRound): Promise<void> {
    if (this.upTo(2) === 0) {
      const debit = round.add('debit', randomUUID(), this.stake());
      const win = this.upTo(3) === 0 ? [round.add('credit', randomUUID(), this.stake())] : [];
      await this.sendDebit(round, [debit, ...win]);
      return;
    }
    const many = 1 + this.upTo(2);
    const credits = Array.from({ length: many }, () =>
      round.add('credit', randomUUID(), this.stake()),
    );
    await this.sendUntilDefinite(round, credits);
  }

  /** Sends a call with a debit once, and does what follows of the answer. Whether the debit stands. */
  private async sendDebit(round: BookedRound, items: BookedTransaction[]): Promise<boolean> {
    const { transactions, toVoid, toResend } = await this.submit(round, items);
    const debits = transactions.filter(({ transaction }) => transaction.type === 'debit');
    for (const { transaction: debit, fate } of debits) {
      if (fate === 'withdrawn' || debit.told !== null) continue;
      this.violations.push(`${debit.hash}: 4xx without an outcome`);
    }
    for (const debit of toVoid) await this.voidUntilDone(round, debit);
    if (toResend.length > 0) await this.sendUntilDefinite(round, toResend);
    return debits.every(({ fate }) => fate === 'processed');
  }

  private async voidUntilDone(round: BookedRound, debit: BookedTransaction): Promise<void> {
    const order = { ...this.wire(round, debit), type: 'VOID' };
    const sent: SentTransaction = { type: 'void', hash: debit.hash };
    while (!this.isAbandoned) {
      const reply = await this.send(round, [order]);
      if (this.settle(round, [sent], reply).toResend.length === 0) break;
      await delay(RESEND_PAUSE_MS);
    }
    this.figures.voids += 1;
    debit.voided = true;
  }

  /** Sends a call without a debit until nothing of it is due. */
  private async sendUntilDefinite(
    round: BookedRound,
    items: readonly BookedTransaction[],
  ): Promise<void> {
    for (let due = items; !this.isAbandoned; await delay(RESEND_PAUSE_MS)) {
      due = (await this.submit(round, due)).toResend;
      if (due.length === 0) return;
    }
  }

  /** Sends a call once, and notes what the answer makes of it. */
  private async submit(
    round: BookedRound,
    items: readonly BookedTransaction[],
  ): Promise<Settlement<BookedTransaction>> {
    const wire = items.map((item) => this.wire(round, item));
    const reply = await this.send(round, wire);
    const settlement = this.settle(round, items, reply);
    if (reply.kind === 'answered' && settlement.toVoid.length === 0) this.note(items, reply);
    round.noteEffect(settlement.round);
    return settlement;
  }

  private settle<T extends SentTransaction>(
    { hasPaidCredit, gameRound }: BookedRound,
    transactions: readonly T[],
    reply: ServiceReply,
  ): Settlement<T> {
    const settlement = settle({ transactions, hasPaidCredit }, answerOf(reply));
    for (const { code, hash } of settlement.findings) {
      if (code !== 'endRefused') this.violations.push(`${hash ?? gameRound}: ${code}`);
    }
    return settlement;
  }

  private async send(
    { playerId, gameRound }: BookedRound,
    transactions: WireTransaction[],
  ): Promise<ServiceReply> {
    const signed = this.options.signer.doTransactions({
      playerId,
      gameCode: 'game',
      gameRound,
      transactions,
      transactionCount: transactions.length,
    });
    const dropsReply = this.random() < (this.options.lostReplyShare ?? 0);
    const reply = await this.connections.send(signed, { dropsReply });
    this.count(reply, transactions);
    return reply;
  }

  private count(reply: ServiceReply, sent: WireTransaction[]): void {
    const { figures } = this;
    figures.calls += 1;
    if (reply.kind === 'lost') figures.lost += 1;
    else if (reply.status === 200) figures.processed += 1;
    else if (reply.status >= 500) figures.failed += 1;
    else if (reply.body.hashesProcessed?.length === sent.length) figures.refused += 1;
    else figures.pending += 1;
    if (reply.kind !== 'answered') return;
    const outcomes = reply.body.hashesProcessed ?? [];
    const isWhole =
      outcomes.length === sent.length && outcomes.every((item) => item.errorCode === undefined);
    if (isWhole !== (reply.status === 200)) {
      this.violations.push(`${reply.status} where ${isWhole ? 'all' : 'not all'} succeeded (O7)`);
    }
    const hasDebit = sent.some(({ type }) => type === 'debit');
    const hasCredit = sent.some(({ type }) => type === 'credit');
    if (reply.status >= 500 && hasCredit && !hasDebit) figures.failedCredits += 1;
    if (hasDebit && reply.status < 500 && outcomes.length !== sent.length) {
      this.violations.push(`${reply.status} to a debit, and outcomes are missing (D7)`);
    }
  }

  /** Records outcomes; a repeated answer must be the same (O8). */
  private note(
    items: readonly BookedTransaction[],
    reply: Extract<ServiceReply, { kind: 'answered' }>,
  ): void {
    for (const { hash, errorCode } of reply.body.hashesProcessed ?? []) {
      const item = items.find((candidate) => candidate.hash === hash);
      if (item === undefined) continue;
      const told = errorCode === undefined ? 'processed' : 'refused';
      if (item.told !== null && item.told !== told) {
        this.violations.push(`${hash}: ${item.told}, and now ${told} (O8)`);
      }
      item.told = told;
    }
  }

  private wire(round: BookedRound, { type, hash, units }: BookedTransaction): WireTransaction {
    const timestamp = new Date().toISOString();
    if (type === 'end') return { type, hash, timestamp };
    const { currency, decimals } = this.options;
    const amount = Number(units) / 10 ** decimals;
    const money = { type, hash, amount, currency, timestamp };
    return type === 'credit'
      ? money
      : { ...money, isFirstDebit: hash === round.transactions[0]?.hash };
  }

  private stake(): bigint {
    return BigInt(1 + this.upTo(2000));
  }

  private upTo(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}

type WireTransaction = { readonly [key: string]: string | number | boolean };
