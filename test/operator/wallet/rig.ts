import type {
  Call,
  Credit,
  Debit,
  End,
  Transaction,
  Void,
} from '../../../lib/protocol/operator-api/transaction';
import { type Delivery, type RoundChange, unsignedDelivery } from '../../../lib/operator/gameround';
import {
  type CallOutcome,
  cancelRound,
  doTransactions,
  type DoTransactionsPorts,
  type RoundKey,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { ScriptedStore } from './scripted-store';

export const round = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };
/** What the player has at the start, in units of EUR. */
export const startUnits = 1000n;
export const deadlineMs = 1000;

export function debit(hash: string, amount = 10n, more: Partial<Debit> = {}): Debit {
  const base = { currency: 'EUR', discount: 0n, isFirstDebit: false, serial: null };
  return { type: 'debit', hash, amount, ...base, ...more };
}

/** The debit that opens the round. */
export function first(hash = 'd1', amount = 10n, more: Partial<Debit> = {}): Debit {
  return debit(hash, amount, { isFirstDebit: true, ...more });
}

export function credit(hash: string, amount = 5n, more: Partial<Credit> = {}): Credit {
  return { type: 'credit', hash, currency: 'EUR', amount, serial: null, ...more };
}

export function end(hash: string): End {
  return { type: 'end', hash };
}

export function voidOf(hash: string): Void {
  return { type: 'void', hash, amount: null, currency: null };
}

export function callOf(...transactions: Transaction[]): Call {
  const { playerId, gameRound } = round;
  return { playerId, gameRound, gameCode: 'bells', transactions };
}

/** A player with money, a store that follows a script, and the use case over both; time is virtual. */
export class Rig {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly store = new ScriptedStore(this.clock);
  private deliveries = 0;

  /** With the player's account opened. */
  static async create(): Promise<Rig> {
    const rig = new Rig();
    const player = { operatorId: round.operatorId, playerId: round.playerId };
    await rig.store.kept.players.openPlayer({
      ...player,
      currency: 'EUR',
      balances: { real: '10.00' },
    });
    return rig;
  }

  /** An arrival that no other has the id of. */
  delivery(more: Partial<Delivery> = {}): Delivery {
    this.deliveries += 1;
    return { ...unsignedDelivery(`n${this.deliveries}`), ...more };
  }

  /** Processes a call; the trips of earlier ones are forgotten. */
  async call(transactions: readonly Transaction[], how: CallHow = {}): Promise<CallOutcome> {
    return this.callOf(round, transactions, how);
  }

  /** The same for another round, or another player. */
  async callOf(
    key: RoundKey,
    transactions: readonly Transaction[],
    how: CallHow = {},
  ): Promise<CallOutcome> {
    this.forgetTrips();
    return this.clock.run(this.start(transactions, { ...how, key }));
  }

  /** Begins a call, without letting time pass. */
  start(transactions: readonly Transaction[], how: CallHow = {}): Promise<CallOutcome> {
    const { delivery = this.delivery(), key = round, ...ports } = how;
    return doTransactions(key, callOf(...transactions), delivery, {
      rounds: this.store.rounds,
      clock: this.clock,
      policy: { useBonusFirst: true, creditTo: 'real' },
      deadlineMs,
      ...ports,
    });
  }

  /** Marks the round as a call that was answered 5xx does; whether the mark stands. */
  async mark(
    transactions: readonly Transaction[],
    delivery: Delivery,
    signal = new AbortController().signal,
  ): Promise<boolean> {
    this.forgetTrips();
    return this.clock.run(this.startMark(transactions, delivery, signal));
  }

  /** Begins to mark, without letting time pass. */
  startMark(
    transactions: readonly Transaction[],
    delivery: Delivery,
    signal = new AbortController().signal,
  ): Promise<boolean> {
    const ports = { rounds: this.store.rounds, clock: this.clock, signal };
    return cancelRound(round, callOf(...transactions), delivery, ports);
  }

  /** What the player has, in units. */
  async balance(): Promise<bigint | undefined> {
    const result = await this.store.kept.rounds.accounts(round);
    return result.kind === 'known' ? result.accounts?.[0]?.real : undefined;
  }

  /** The state of the round, and what is recorded of each transaction. */
  async kept(): Promise<{ state: string | null; outcomes: Record<string, string> }> {
    const report = await this.store.rounds.readRound(round);
    const outcomes: Record<string, string> = {};
    for (const [hash, entry] of report?.entries ?? []) {
      const { transaction } = entry;
      const ofVoid = entry.void === undefined ? '' : ', voided';
      outcomes[hash] = `${transaction?.outcome ?? 'not seen'}${ofVoid}`;
    }
    return { state: report?.head.state ?? null, outcomes };
  }

  private forgetTrips(): void {
    for (const list of [
      this.store.trips,
      this.store.tripsAt,
      this.store.loads,
      this.store.commits,
      this.store.followUps,
    ]) {
      list.length = 0;
    }
  }
}

/** How a call differs from the usual one. */
export type CallHow = Partial<DoTransactionsPorts> & {
  readonly delivery?: Delivery;
  readonly key?: RoundKey;
};

/** What each transaction is answered, as words: `d1 processed`, `d1 processed again`, `d2 BALANCETOOLOW`. */
export function answers({ verdicts }: CallOutcome): string[] {
  return verdicts.map((verdict) => {
    const again = verdict.replay ? ' again' : '';
    const { hash } = verdict;
    return verdict.outcome === 'refused'
      ? `${hash} ${verdict.code}${again}`
      : `${hash} processed${again}`;
  });
}

/** Why the outcome is unknown; null where it is known. */
export function doubt({ unknown }: CallOutcome): string | null {
  return unknown?.cause.message ?? null;
}

/** The player's money as the outcome has it, in units; null without balances. */
export function balanceIn({ accounts }: CallOutcome): bigint | null {
  return accounts?.[0]?.real ?? null;
}

/** What a change writes, as words: `d1 accepted`, `void d1`. */
export function writes({ records }: RoundChange): string[] {
  return records.map(({ hash, record }) =>
    record.type === 'void' ? `void ${hash}` : `${hash} ${record.outcome}`,
  );
}
