import type { FullStore, RoundKey } from '../../../../lib/operator/wallet';
import { cancelRound, doTransactions } from '../../../../lib/operator/wallet';
import { approveRepair } from '../../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../../lib/operator/operations/repairs/propose';
import { type Clock, systemClock } from '../../../../lib/platform';
import { anna, bert, voidOf } from '../../../../lib/proof/contracts/repairs/round-play';
import { freshDelivery } from '../../../../lib/proof/subject/runner';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';

export const operatorId = 'casino';
export const currencies = ['EUR', 'SEK'] as const;
export const games = ['bells', 'cards', 'wheel'] as const;

/** How long the play takes, by its clock. */
export const spanMs = 4 * 86_400_000;

/** A clock of random wall-clock time within a span, which goes on; its pauses are short. */
export class SpanClock implements Clock {
  #now: number;
  readonly monotonicMs = (): number => systemClock.monotonicMs();
  readonly after: Clock['after'] = (ms, work, kind) => systemClock.after(ms, work, kind);

  constructor(from: number) {
    this.#now = from;
  }

  readonly now = (): number => this.#now;
  readonly pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    systemClock.pause(Math.min(ms, 100), signal);

  goOn(ms: number): void {
    this.#now += ms;
  }
}

interface OpenRound {
  readonly round: RoundKey;
  readonly game: string;
  readonly currency: string;
  readonly debits: string[];
}

/** Plays random rounds of some players, some at a time; each goes on until it is over, or is left. */
export class RandomPlay {
  readonly #open: OpenRound[] = [];
  #number = 0;

  constructor(
    private readonly store: FullStore,
    private readonly clock: SpanClock,
    private readonly random: () => number,
    private readonly players: readonly string[],
  ) {}

  async openPlayers(): Promise<void> {
    for (const playerId of this.players) {
      for (const currency of currencies) {
        const balances = { real: { units: 500_000n }, bonus: { units: 1_000n } };
        await this.store.players.openPlayer({ operatorId, playerId, currency, balances });
      }
    }
  }

  /** Begins a round, goes on with some others, and moves cash now and then. */
  async step(stepMs: number): Promise<void> {
    this.clock.goOn(this.#below(2 * stepMs));
    if (this.#below(10) === 0) await this.#moveCash();
    await this.#begin();
    for (let more = this.#below(3); more > 0 && this.#open.length > 0; more--) {
      const at = this.#below(this.#open.length);
      const [one] = this.#open.splice(at, 1);
      if (one !== undefined) await this.#goOn(one);
    }
  }

  async #begin(): Promise<void> {
    const playerId = this.#one(this.players);
    const round = { operatorId, playerId, gameRound: `round-${this.#number++}` };
    const [game, currency] = [this.#one(games), this.#one(currencies)];
    const hash = `${round.gameRound}-d0`;
    const isFree = this.#below(12) === 0;
    const first = this.#debit(hash, currency, true, isFree);
    const fate = this.#below(10);
    const credit = this.#credit(`${round.gameRound}-c0`, currency);
    const end: Transaction = { type: 'end', hash: `${round.gameRound}-e` };
    const whole = [[first, credit, end], [first, end], [first, credit], [first]][fate] ?? [first];
    await this.#send(round, game, whole);
    this.#open.push({ round, game, currency, debits: [hash] });
  }

  async #goOn(one: OpenRound): Promise<void> {
    const { round, game, currency, debits } = one;
    const id = `${round.gameRound}-${this.#number++}`;
    const isBack = this.#below(3) > 0;
    switch (this.#below(9)) {
      case 0: {
        debits.push(id);
        await this.#send(round, game, [this.#debit(id, currency, false, false)]);
        break;
      }
      case 1:
        await this.#send(round, game, [this.#credit(id, currency)]);
        break;
      case 2:
        await this.#send(round, game, [voidOf(this.#one(debits))]);
        break;
      case 3:
        await this.#repair(round);
        break;
      case 4:
        // More than the player has: what is credited after it strands the round.
        await this.#send(round, game, [this.#debit(id, currency, false, false, 10n ** 9n)]);
        await this.#send(round, game, [this.#credit(`${id}-c`, currency)]);
        break;
      case 5:
        await this.#send(round, game, [this.#credit(id, 'USD')]);
        break;
      case 6:
        if (this.#below(4) === 0) await this.#mark(round, game, currency, id);
        break;
      default: {
        const end: Transaction = { type: 'end', hash: `${id}-e` };
        await this.#send(round, game, [this.#credit(id, currency), end]);
      }
    }
    if (isBack) this.#open.push(one);
  }

  async #mark(round: RoundKey, gameCode: string, currency: string, hash: string): Promise<void> {
    const transactions = [this.#debit(hash, currency, false, false)];
    const call = { ...round, gameCode, transactions };
    const { signal } = new AbortController();
    const { store, clock } = this;
    await cancelRound(round, call, freshDelivery(), { rounds: store.rounds, clock, signal });
  }

  async #repair(round: RoundKey): Promise<void> {
    const { store, clock } = this;
    const options = { store, clock, deadlineMs: 60_000 };
    const kind = this.#one(['pay', 'void'] as const);
    const proposed = await proposeRepair(
      round,
      { kind, reason: 'as the ticket shows' },
      anna,
      options,
    );
    if (proposed.kind !== 'proposed') return;
    this.clock.goOn(this.#below(3_600_000));
    await approveRepair(round, proposed.repair.id, bert, options);
  }

  async #moveCash(): Promise<void> {
    const { players } = this.store;
    const amount = { units: BigInt(1 + this.#below(900)) };
    const playerId = this.#one(this.players);
    const currency = this.#one(currencies);
    const order = { operatorId, playerId, currency, balance: 'real', amount } as const;
    const reference = `cash-${this.#number++}`;
    const kind = this.#below(3);
    if (kind === 0) await players.deposit({ ...order, reference });
    else if (kind === 1) await players.withdraw({ ...order, reference });
    else {
      const units = this.#below(2) === 0 ? amount.units : -amount.units;
      await players.correct({
        ...order,
        reference,
        amount: { units },
        by: anna,
        reason: 'as the ticket shows',
      });
    }
  }

  async #send(round: RoundKey, gameCode: string, transactions: Transaction[]): Promise<void> {
    const { store, clock } = this;
    await doTransactions(round, { ...round, gameCode, transactions }, freshDelivery(), {
      rounds: store.rounds,
      clock,
      policy: { useBonusFirst: this.#below(2) === 0, creditTo: 'real' },
      deadlineMs: 60_000,
    });
  }

  #debit(
    hash: string,
    currency: string,
    isFirstDebit: boolean,
    isFree: boolean,
    amount = BigInt(10 + this.#below(500)),
  ): Transaction {
    const discount = isFree ? amount : 0n;
    const serial = isFree ? 'package' : null;
    return { type: 'debit', hash, isFirstDebit, currency, amount, discount, serial };
  }

  #credit(hash: string, currency: string): Transaction {
    const amount = BigInt(1 + this.#below(900));
    return { type: 'credit', hash, currency, amount, serial: null };
  }

  #below(most: number): number {
    return Math.floor(this.random() * most);
  }

  #one<T>(of: readonly T[]): T {
    const one = of[this.#below(of.length)];
    if (one === undefined) throw new Error('there is none');
    return one;
  }
}
