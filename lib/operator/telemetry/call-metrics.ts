import { errorCatalogue, type ErrorCode } from '../../protocol/operator-api/catalogue';
import type { TransactionType } from '../../protocol/operator-api/transaction';
import type { CallAnswered, CallRefused, DebitsChecked, Operation } from '../events';
import { type CallOutcome, type DebitCheckOutcome, debitCheckOutcomes } from '../wallet';
import { type Count, Counter, type Durations, Histogram, labelSets, type Metric } from './registry';

const operations = ['doTransactions', 'getBalance', 'other'] as const;
const outcomes = ['processed', 'refused', 'unknown', 'shed', 'unauthenticated'] as const;
const types = ['debit', 'credit', 'end', 'void'] as const;
const codes = Object.keys(errorCatalogue) as ErrorCode[];
const shedKinds = ['debit', 'balance', 'round'] as const;

type Outcome = (typeof outcomes)[number];
type OfOutcome = Readonly<Record<Outcome, Durations>>;

/** The counters of one type of transaction. */
interface OfType {
  readonly processed: Count;
  readonly processedBefore: Count;
  readonly refused: Count;
  readonly refusedBefore: Count;
  readonly unknown: Count;
}

/** What is counted of the calls of the RGS. Every series is found at creation: none is made by a call. */
export class CallMetrics {
  readonly metrics: readonly Metric[];
  private readonly durations: Readonly<Record<(typeof operations)[number], OfOutcome>>;
  private readonly transactions: Readonly<Record<TransactionType, OfType>>;
  private readonly refusals: ReadonlyMap<ErrorCode, Count>;
  private readonly turns: Durations;
  private readonly checks: Readonly<Record<DebitCheckOutcome, Durations>>;
  private readonly shed: Readonly<Record<(typeof shedKinds)[number], Count>>;

  constructor() {
    const durations = new Histogram(
      'rgs_wallet_call_duration_seconds',
      'Duration of the requests of the RGS, from arrival to answer, by operation and outcome.',
      labelSets({ operation: operations, outcome: outcomes }),
    );
    const replays = labelSets({ outcome: ['processed', 'refused'], replay: ['false', 'true'] });
    const transactions = new Counter(
      'rgs_wallet_transactions_total',
      'Transactions of answered calls, by type and outcome; replay: the hash was known, nothing moved now.',
      types.flatMap((type) =>
        [...replays, { outcome: 'unknown', replay: 'false' }].map((set) => ({ type, ...set })),
      ),
    );
    const refusals = new Counter(
      'rgs_wallet_refusals_total',
      'Refused transactions and requests, by the error id of the catalogue (D8).',
      codes.map(refusalLabels),
    );
    const shed = new Counter(
      'rgs_wallet_shed_total',
      'Calls that were shed: with a debit or for a balance because too many were in flight, with a new round because the process was overloaded.',
      labelSets({ kind: shedKinds }),
    );
    const turns = new Histogram(
      'rgs_wallet_turn_duration_seconds',
      'Turns of the event loop in which calls followed each other without a pause.',
      [{}],
    );
    const checks = new Histogram(
      'rgs_wallet_debit_check_duration_seconds',
      'Checks before debits (D12), by outcome; kept: allowed before; broken: not asked after too many silences.',
      labelSets({ outcome: debitCheckOutcomes }),
    );
    this.metrics = [durations, transactions, refusals, shed, turns, checks];
    this.checks = recordOf(debitCheckOutcomes, (outcome) => checks.at({ outcome }));
    this.turns = turns.at({});
    this.durations = recordOf(operations, (operation) =>
      recordOf(outcomes, (outcome) => durations.at({ operation, outcome })),
    );
    this.transactions = recordOf(types, (type) => ({
      processed: transactions.at({ type, outcome: 'processed', replay: 'false' }),
      processedBefore: transactions.at({ type, outcome: 'processed', replay: 'true' }),
      refused: transactions.at({ type, outcome: 'refused', replay: 'false' }),
      refusedBefore: transactions.at({ type, outcome: 'refused', replay: 'true' }),
      unknown: transactions.at({ type, outcome: 'unknown', replay: 'false' }),
    }));
    this.refusals = new Map(codes.map((code) => [code, refusals.at(refusalLabels(code))]));
    this.shed = recordOf(shedKinds, (kind) => shed.at({ kind }));
  }

  /** A doTransactions call that was answered by D6 or D7. */
  answered({ call, outcome, durationMs, isShed }: CallAnswered): void {
    const { transactions } = call;
    if (isShed) {
      this.shed.debit.add();
      this.durations.doTransactions.shed.observe(durationMs);
      return;
    }
    const isRefused = this.countTransactions(transactions, outcome);
    const definite = isRefused ? 'refused' : 'processed';
    this.durations.doTransactions[outcome.unknown === null ? definite : 'unknown'].observe(
      durationMs,
    );
  }

  /** A call that opens a round was shed before it was verified. */
  roundShed(durationMs: number): void {
    this.shed.round.add();
    this.durations.doTransactions.shed.observe(durationMs);
  }

  /** A check before debits. */
  debitsChecked({ outcome, durationMs }: DebitsChecked): void {
    this.checks[outcome].observe(durationMs);
  }

  /** A turn of the event loop. */
  turnEnded(ms: number): void {
    this.turns.observe(ms);
  }

  /** A getBalance that was answered with a balance. */
  balance(durationMs: number): void {
    this.durations.getBalance.processed.observe(durationMs);
  }

  /** A refused request. */
  refused({ operation, isVerified, outcome, code, durationMs, error, isShed }: CallRefused): void {
    const ofOperation = this.durations[labelOf(operation)];
    if (isShed) {
      this.shed.balance.add();
      ofOperation.shed.observe(durationMs);
      return;
    }
    if (outcome === 'refused') this.refusals.get(code)?.add();
    const isForeign = !isVerified && error === null;
    ofOperation[isForeign ? 'unauthenticated' : outcome].observe(durationMs);
  }

  /** Counts each transaction; returns whether one was refused. */
  private countTransactions(
    transactions: CallAnswered['call']['transactions'],
    { verdicts }: CallOutcome,
  ): boolean {
    let isRefused = false;
    for (let at = 0; at < transactions.length; at++) {
      const { type } = transactions[at] as { readonly type: TransactionType };
      const counts = this.transactions[type];
      const verdict = verdicts[at];
      if (verdict === undefined) counts.unknown.add();
      else if (verdict.outcome === 'processed') {
        (verdict.replay ? counts.processedBefore : counts.processed).add();
      } else {
        isRefused = true;
        this.refusals.get(verdict.code)?.add();
        (verdict.replay ? counts.refusedBefore : counts.refused).add();
      }
    }
    return isRefused;
  }
}

function labelOf(operation: Operation | null): (typeof operations)[number] {
  return operation ?? 'other';
}

function refusalLabels(code: ErrorCode): { readonly id: string; readonly code: string } {
  return { id: String(errorCatalogue[code].id), code };
}

function recordOf<K extends string, V>(names: readonly K[], of: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, V>;
}
