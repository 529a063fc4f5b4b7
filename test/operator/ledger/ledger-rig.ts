import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createLedgerStore, type LedgerStoreOptions } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  type Account,
  type CallOutcome,
  doTransactions,
  type Ledger,
  type LedgerDone,
  type LedgerPosting,
  type LedgerRefused,
} from '../../../lib/operator/wallet';
import { type Clock, type Logger, systemClock } from '../../../lib/platform';
import { StrictLedger } from './strict-ledger';
import { unsignedDelivery } from '../../../lib/operator/gameround';

export const operatorId = 'acme';
export const playerId = 'player-1';
/** The round of these tests. */
export const round = { operatorId, playerId, gameRound: 'd1' };

/** How a ledger behaves: as it should, with an error, or not at all. */
export type Mood = 'answers' | 'fails' | 'hangs';

/** A strict ledger that can be out of order, and notes what it was asked, and when. */
export class MoodyLedger implements Ledger {
  mood: Mood = 'answers';
  /** Methods that are in that mood; all of them unless set. */
  moodOf: readonly string[] | null = null;
  readonly calls: { readonly method: string; readonly at: number; readonly signal: AbortSignal }[] =
    [];

  constructor(
    readonly strict = new StrictLedger({ real: 1000n, bonus: 0n }, playerId),
    private readonly clock: Clock = systemClock,
  ) {}

  /** The methods that were called, in their order. */
  get asked(): string[] {
    return this.calls.map(({ method }) => method);
  }

  debit(posting: Parameters<Ledger['debit']>[0], signal: AbortSignal): Promise<Answer> {
    return this.run('debit', signal, () => this.strict.debit(posting));
  }

  credit(posting: Parameters<Ledger['credit']>[0], signal: AbortSignal): Promise<Answer> {
    return this.run('credit', signal, () => this.strict.credit(posting));
  }

  reverse(posting: LedgerPosting, signal: AbortSignal): Promise<Answer> {
    return this.run('reverse', signal, () => this.strict.reverse(posting));
  }

  balances(player: typeof round, signal: AbortSignal): Promise<readonly Account[] | null> {
    return this.run('balances', signal, () => this.strict.balances(player));
  }

  private run<T>(method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.calls.push({ method, at: this.clock.monotonicMs(), signal });
    const isConcerned = this.moodOf === null || this.moodOf.includes(method);
    if (!isConcerned || this.mood === 'answers') return work();
    if (this.mood === 'hangs') return new Promise(() => {});
    return Promise.reject(new Error('The ledger is out of order.'));
  }
}

type Answer = LedgerDone | LedgerRefused;

/** A logger that keeps its lines. */
export class KeptLog implements Logger {
  readonly lines: { readonly level: string; readonly fields: object; readonly message: string }[] =
    [];

  info = (fields: object, message: string): void => this.keep('info', fields, message);
  warn = (fields: object, message: string): void => this.keep('warn', fields, message);
  error = (fields: object, message: string): void => this.keep('error', fields, message);

  /** The messages of a level. */
  of(level: string): string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message);
  }

  private keep(level: string, fields: object, message: string): void {
    this.lines.push({ level, fields, message });
  }
}

/** A ledger store over a moody ledger and a journal in memory. */
export function createLedgerRig(
  options: Partial<LedgerStoreOptions> & { readonly clock: Clock; readonly ledger?: MoodyLedger },
) {
  const { clock, ledger = new MoodyLedger(undefined, clock) } = options;
  const log = new KeptLog();
  const journal = options.journal ?? createMemoryStore({ clock });
  const store = createLedgerStore({ logger: log, ...options, ledger, journal });
  const call = (...transactions: Transaction[]): Promise<CallOutcome> =>
    doTransactions(
      round,
      { playerId, gameRound: round.gameRound, gameCode: 'bells', transactions },
      unsignedDelivery('d'),
      {
        rounds: store.rounds,
        clock,
        deadlineMs: 5000,
        policy: { useBonusFirst: true, creditTo: 'real' },
      },
    );
  return { ledger, log, journal, store, call, clock };
}

/** What {@link createLedgerRig} makes. */
export type LedgerRig = ReturnType<typeof createLedgerRig>;

/** The initial debit of the round. */
export const debit: Transaction = {
  type: 'debit',
  hash: 'd1',
  currency: 'EUR',
  amount: 10n,
  discount: 0n,
  isFirstDebit: true,
  serial: null,
};

/** A credit of it. */
export const credit: Transaction = {
  type: 'credit',
  hash: 'c1',
  currency: 'EUR',
  amount: 7n,
  serial: null,
};
