import type { RoundEffect } from '../../../lib/rgs/settlement/settle';
import type { RoundState } from '../../../lib/operator/gameround';
import type { Rounds } from '../../../lib/operator/wallet';

/** What a book is held against. */
export interface BookedStore {
  readonly rounds: Pick<Rounds, 'accounts' | 'readRound'>;
}

/** The service's answer for a transaction. */
export type Told = 'processed' | 'refused';

/** A transaction as the service has it. */
export interface BookedTransaction {
  readonly hash: string;
  readonly type: 'debit' | 'credit' | 'end';
  /** In the store's smallest unit; 0 for an end. */
  readonly units: bigint;
  /** Null until a definite answer. */
  told: Told | null;
  /** Whether its void was answered. */
  voided: boolean;
}

/** Where a wallet's book differs. */
export interface Difference {
  /** `lost` and `doubled`: less, or more, money moved in a round than was answered; `other`: a state, an outcome or a void. */
  readonly kind: 'balance' | 'lost' | 'doubled' | 'other';
  readonly text: string;
}

/** A gameround in the service's own book. */
export class BookedRound {
  readonly transactions: BookedTransaction[] = [];
  private unpaid: 'stranded' | 'crashed' | null = null;

  constructor(
    readonly playerId: string,
    readonly gameRound: string,
  ) {}

  /** Notes a transaction that is about to be sent. */
  add(type: BookedTransaction['type'], hash: string, units = 0n): BookedTransaction {
    const transaction = { hash, type, units, told: null, voided: false };
    this.transactions.push(transaction);
    return transaction;
  }

  /** Notes what an answer makes of the round; a credit refused for good ends it (operator-api 3). */
  noteEffect(effect: RoundEffect | null): void {
    if (effect === 'stranded' || effect === 'crashed') this.unpaid ??= effect;
  }

  /** Whether a credit was paid. */
  get hasPaidCredit(): boolean {
    return this.sum('credit') > 0n;
  }

  /** Whether the first debit is voided, and the round with it. */
  get isVoided(): boolean {
    return this.transactions[0]?.voided === true;
  }

  /**
   * The state the round must be in once all of it is definite. A void whose debit never came is
   * remembered, and starts nothing (D5.5), unless its hash is the gameRound.
   */
  stateWhere(debitNeverCame: boolean): RoundState {
    const isNamed = this.transactions[0]?.hash === this.gameRound;
    if (this.isVoided) return debitNeverCame && !isNamed ? 'none' : 'voided';
    if (this.unpaid !== null) return this.unpaid;
    const declined = this.transactions[0]?.told === 'refused';
    const ended = this.transactions.some(
      ({ type, told }) => type === 'end' && told === 'processed',
    );
    return declined || ended ? 'closed' : 'open';
  }

  /** What effective transactions of a type come to. */
  sum(type: 'debit' | 'credit'): bigint {
    if (this.isVoided) return 0n;
    return this.transactions
      .filter((item) => item.type === type && item.told === 'processed' && !item.voided)
      .reduce((sum, { units }) => sum + units, 0n);
  }
}

/** The service's own book: every round it played. */
export class ServiceBook {
  readonly rounds: BookedRound[] = [];

  /** Opens a round in the book. */
  open(playerId: string, gameRound: string): BookedRound {
    const round = new BookedRound(playerId, gameRound);
    this.rounds.push(round);
    return round;
  }

  /** What a player must have, having begun with so much. */
  balance(playerId: string, start: bigint): bigint {
    return this.rounds
      .filter((round) => round.playerId === playerId)
      .reduce((sum, round) => sum + round.sum('credit') - round.sum('debit'), start);
  }

  /** The texts of what `compare` finds. */
  async differences(
    store: BookedStore,
    operatorId: string,
    starts: ReadonlyMap<string, bigint>,
  ): Promise<string[]> {
    return (await this.compare(store, operatorId, starts)).map(({ text }) => text);
  }

  /**
   * Holds the book against a wallet's, to the unit: every player's balance, and every round whole,
   * with its state, its sums and what is recorded under each hash. Resolves to the differences.
   */
  async compare(
    store: BookedStore,
    operatorId: string,
    starts: ReadonlyMap<string, bigint>,
  ): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const [playerId, start] of starts) {
      const result = await store.rounds.accounts({ operatorId, playerId });
      if (result.kind === 'unknown') throw result.cause;
      const has = result.accounts?.[0]?.real ?? null;
      const must = this.balance(playerId, start);
      if (has === must) continue;
      const text = `${playerId} has ${String(has)}, the book says ${must}`;
      found.push({ kind: 'balance', text });
    }
    for (const round of this.rounds) found.push(...(await differencesOf(round, store, operatorId)));
    return found;
  }
}

async function differencesOf(
  round: BookedRound,
  store: BookedStore,
  operatorId: string,
): Promise<Difference[]> {
  const { playerId, gameRound } = round;
  const report = await store.rounds.readRound({ operatorId, playerId, gameRound });
  if (report === null) {
    const moved = round.sum('credit') + round.sum('debit') > 0n;
    return [{ kind: moved ? 'lost' : 'other', text: `${gameRound} is not known` }];
  }
  const found: Difference[] = [];
  const { head, entries } = report;
  const compare = (what: string, has: unknown, must: unknown): void => {
    if (has === must) return;
    const isMoney = typeof has === 'bigint' && typeof must === 'bigint';
    const kind = isMoney ? (has < must ? 'lost' : 'doubled') : 'other';
    found.push({ kind, text: `${gameRound} ${what}: ${String(has)}, not ${String(must)}` });
  };
  const neverCame = [...entries.values()].every(({ transaction }) => transaction === undefined);
  compare('state', head.state, round.stateWhere(neverCame));
  compare('debits', head.debits.real, round.sum('debit'));
  compare('credits', head.credits.real, round.sum('credit'));
  compare('unanswered', head.unanswered, 0);
  for (const { hash, told, voided } of round.transactions) {
    const entry = entries.get(hash);
    compare(`void of ${hash}`, entry?.void !== undefined, voided);
    if (told === null) continue;
    const outcome = entry?.transaction?.outcome;
    compare(`outcome of ${hash}`, outcome === 'accepted' ? 'processed' : 'refused', told);
  }
  return found;
}
