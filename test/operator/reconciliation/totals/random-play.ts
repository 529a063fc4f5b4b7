import type { FullStore, RoundKey } from '../../../../lib/operator/wallet';
import {
  cancelRound,
  doTransactions,
  limitKinds,
  limitWindows,
} from '../../../../lib/operator/wallet';
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
  /** Every hash that was sent as a debit, or is to be; the first one is that of the first debit. */
  readonly debits: string[];
}

/**
 * Plays random rounds of some players, some at a time; each goes on until it is over, or is left. What is rare elsewhere is
 * frequent here: several debits, and voids in any order, before their debit, in the same call, again, and after a repair.
 */
export class RandomPlay {
  readonly #open: OpenRound[] = [];
  #number = 0;
  #stepMs = 0;

  /** @param random Its own: the same numbers play the same calls. */
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

  /** Begins a round, goes on with some others, and moves cash or sets limits now and then. */
  async step(stepMs: number): Promise<void> {
    this.#stepMs = stepMs;
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
    const hash = this.#below(2) === 0 ? round.gameRound : `${round.gameRound}-d0`;
    const one: OpenRound = { round, game, currency, debits: [hash] };
    const first = this.#debit(hash, currency, true, this.#below(12) === 0);
    const credit = this.#credit(`${round.gameRound}-c0`, currency);
    const end: Transaction = { type: 'end', hash: `${round.gameRound}-e` };
    const openings = [[first, credit, end], [first, end], [first, credit], [first]];
    const fate = this.#below(16);
    if (fate === 4) await this.#send(one, [voidOf(hash)]);
    if (fate === 5) await this.#send(one, [first, credit, voidOf(hash)]);
    else if (fate < 9) await this.#send(one, openings[fate] ?? [first]);
    else await this.#send(one, [first, ...this.#moreDebits(one)]);
    this.#open.push(one);
  }

  /** New debits of a call, with what is won by some of them. */
  #moreDebits({ round, currency, debits }: OpenRound): Transaction[] {
    const more: Transaction[] = [];
    for (let count = this.#below(3); count >= 0; count--) {
      const hash = `${round.gameRound}-${this.#number++}`;
      debits.push(hash);
      more.push(this.#debit(hash, currency, false, false));
      if (this.#below(2) === 0) more.push(this.#credit(`${hash}-c`, currency));
      if (this.#below(8) === 0) more.push({ type: 'end', hash: `${hash}-e` });
    }
    return more;
  }

  async #goOn(one: OpenRound): Promise<void> {
    const isBack = this.#below(3) > 0;
    const id = `${one.round.gameRound}-${this.#number++}`;
    const kind = this.#below(16);
    if (kind < 7) await this.#void(one, kind, id);
    else if (kind < 12) await this.#play(one, kind, id);
    else {
      const end: Transaction = { type: 'end', hash: `${id}-e` };
      await this.#send(one, [this.#credit(id, one.currency), end]);
    }
    if (isBack) this.#open.push(one);
  }

  async #play(one: OpenRound, kind: number, id: string): Promise<void> {
    const { currency } = one;
    if (kind < 9) await this.#send(one, this.#moreDebits(one));
    else if (kind === 9) await this.#send(one, [this.#credit(id, currency)]);
    else if (kind === 10) {
      // More than the player has: what is credited after it strands the round.
      await this.#send(one, [this.#debit(id, currency, false, false, 10n ** 9n)]);
      await this.#send(one, [this.#credit(`${id}-c`, currency)]);
    } else if (this.#below(2) === 0) await this.#send(one, [this.#credit(id, 'USD')]);
    else await this.#mark(one, id);
  }

  async #void(one: OpenRound, kind: number, id: string): Promise<void> {
    const { round, currency, debits } = one;
    const [first = id, ...others] = debits;
    switch (kind) {
      case 0:
        return this.#send(one, [voidOf(this.#one(debits))]);
      case 1:
        // The round, and then each debit of it, or the other way round; each by itself or all in one call.
        return this.#sendEach(one, this.#below(2) === 0 ? [first, ...others] : debits.toReversed());
      case 2:
        return this.#sendEach(one, this.#shuffled(debits));
      case 3: {
        const debit = this.#debit(id, currency, false, false);
        const played = [debit, this.#credit(`${id}-c`, currency), voidOf(id)];
        debits.push(id);
        return this.#send(one, this.#below(2) === 0 ? played : [voidOf(id), debit]);
      }
      case 4:
        // Ahead of its debit, which may never come.
        debits.push(id);
        await this.#send(one, [voidOf(id)]);
        if (this.#below(3) === 0) return;
        this.#pass();
        return this.#send(one, [this.#debit(id, currency, false, false)]);
      case 5:
        await this.#repair(round, 'void');
        this.#pass();
        return this.#sendEach(one, this.#shuffled(debits));
      default:
        return this.#repair(round, this.#one(['pay', 'void'] as const));
    }
  }

  async #sendEach(one: OpenRound, hashes: readonly string[]): Promise<void> {
    const voids = hashes.map((hash) => voidOf(hash));
    if (this.#below(2) === 0) return this.#send(one, voids);
    for (const order of voids) {
      await this.#send(one, [order]);
      this.#pass();
    }
  }

  #shuffled<T>(of: readonly T[]): T[] {
    const keys = of.map((one) => [this.random(), one] as const);
    return keys.toSorted(([one], [other]) => one - other).map(([, one]) => one);
  }

  #pass(): void {
    if (this.#below(3) === 0) this.clock.goOn(this.#below(20 * this.#stepMs));
  }

  async #mark({ round, game, currency }: OpenRound, hash: string): Promise<void> {
    const transactions = [this.#debit(hash, currency, false, false)];
    const call = { ...round, gameCode: game, transactions };
    const { signal } = new AbortController();
    const { store, clock } = this;
    await cancelRound(round, call, freshDelivery(), { rounds: store.rounds, clock, signal });
  }

  async #repair(round: RoundKey, kind: 'pay' | 'void'): Promise<void> {
    const { store, clock } = this;
    const options = { store, clock, deadlineMs: 60_000 };
    const order = { kind, reason: 'as the ticket shows' } as const;
    const proposed = await proposeRepair(round, order, anna, options);
    if (proposed.kind !== 'proposed') return;
    this.clock.goOn(this.#below(3_600_000));
    await approveRepair(round, proposed.repair.id, bert, options);
  }

  async #moveCash(): Promise<void> {
    const { players } = this.store;
    const amount = { units: BigInt(1 + this.#below(900)) };
    const playerId = this.#one(this.players);
    const currency = this.#one(currencies);
    if (this.#below(4) === 0) return this.#limit(playerId, currency);
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

  /** Sets or lifts a limit, which some debits and deposits exceed, or blocks with an end, or lifts the block. */
  async #limit(playerId: string, currency: string): Promise<void> {
    const { players } = this.store;
    const key = { operatorId, playerId };
    if (this.#below(4) === 0) {
      // Far ahead, as a store in another process has a clock of its own.
      if (this.#below(2) === 0) await players.setBlocked(key, false);
      else
        await players.setBlocked(key, true, {
          until: this.clock.now() + this.#below(1000) * 1e9 + 1e12,
        });
      return;
    }
    const [kind, window] = [this.#one(limitKinds), this.#one(limitWindows)];
    const amount = this.#below(2) === 0 ? null : { units: BigInt(this.#below(20_000)) };
    await players.setLimit(key, { kind, currency, window, amount });
  }

  /** Sends a call; one time in ten again. */
  async #send({ round, game }: OpenRound, transactions: Transaction[]): Promise<void> {
    const { store, clock } = this;
    const request = { ...round, gameCode: game, transactions };
    const options = {
      rounds: store.rounds,
      clock,
      policy: { useBonusFirst: this.#below(2) === 0, creditTo: 'real' },
      deadlineMs: 60_000,
    } as const;
    await doTransactions(round, request, freshDelivery(), options);
    if (this.#below(10) === 0) await doTransactions(round, request, freshDelivery(), options);
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
