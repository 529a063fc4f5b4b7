import assert from 'node:assert/strict';
import { inspect } from 'node:util';

import { approveRepair } from '../../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../../lib/operator/operations/repairs/propose';
import { doTransactions, type FullStore, type RoundKey } from '../../../../lib/operator/wallet';
import { anna, bert, voidOf } from '../../../../lib/proof/contracts/repairs/round-play';
import { freshDelivery } from '../../../../lib/proof/subject/runner';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import type { SpanClock } from '../../reconciliation/totals/random-play';

export const operatorId = 'casino';
export const currencies = ['EUR', 'JPY'] as const;
export const games = ['bells', 'cards', '<wheel>'] as const;

/** What the test did, and what it must add to the money of the day; amounts in units. */
export interface Done {
  readonly at: number;
  readonly currency: string;
  /** Null of cash. */
  readonly game: string | null;
  rounds: number;
  freeRounds: number;
  taken: bigint;
  won: bigint;
  repaired: bigint;
  /** Of cash, the one that it moved. */
  readonly balance: 'real' | 'bonus';
  readonly cashIn: bigint;
  readonly cashOut: bigint;
  readonly corrected: bigint;
  voidedRounds: number;
  voidedTaken: bigint;
  voidedWon: bigint;
}

const nothing = {
  balance: 'real' as const,
  rounds: 0,
  freeRounds: 0,
  taken: 0n,
  won: 0n,
  repaired: 0n,
  cashIn: 0n,
  cashOut: 0n,
  corrected: 0n,
  voidedRounds: 0,
  voidedTaken: 0n,
  voidedWon: 0n,
};

/** A round that may be voided later. */
interface PlayedRound {
  readonly key: RoundKey;
  readonly game: string;
  readonly first: string;
  readonly done: Done;
}

/**
 * Plays random rounds whose outcome is known before: every player has enough, except where a debit is to be refused. It keeps
 * its own list of what it did.
 */
export class PlannedPlay {
  readonly done: Done[] = [];
  /** Of cash, by reference; its time is that of the store. */
  readonly #cash = new Map<string, Omit<Done, 'at'>>();
  readonly #played: PlayedRound[] = [];
  #number = 0;
  #stepMs = 0;

  /** @param random Its own: the same numbers play the same rounds. */
  constructor(
    private readonly store: FullStore,
    private readonly clock: SpanClock,
    private readonly random: () => number,
    private readonly players: readonly string[],
  ) {}

  /** Opens an account without money. */
  async openFirst(): Promise<void> {
    const [currency] = currencies;
    await this.store.players.openPlayer({
      operatorId,
      playerId: 'first',
      currency,
      balances: { real: '0' },
    });
  }

  async openPlayers(): Promise<void> {
    for (const playerId of this.players) {
      for (const currency of currencies) {
        const balances = { real: { units: 50_000_000n }, bonus: { units: 400_000n } };
        await this.store.players.openPlayer({ operatorId, playerId, currency, balances });
      }
    }
  }

  /** Begins a round, and does at times something else. */
  async step(stepMs: number): Promise<void> {
    this.#stepMs = stepMs;
    this.clock.goOn(this.#below(2 * stepMs));
    if (this.#below(8) === 0) await this.#moveCash();
    await this.#play();
    if (this.#below(10) === 0) await this.#voidAny();
  }

  /** Adds the cash to the list, each at the time that the store says. */
  async listCash(): Promise<void> {
    for (const playerId of this.players) {
      for (let before: string | undefined; ; ) {
        const query = { limit: 200, ...(before !== undefined && { before }) };
        const page = await this.store.players.cash({ operatorId, playerId }, query);
        assert.ok(page.kind === 'known');
        for (const { at, kind, currency, balance, units, reference } of page.movements) {
          assert.ok(at !== null);
          const ordered = this.#cash.get(reference);
          if (kind === 'opening') {
            this.done.push({ ...nothing, at, currency, game: null, balance, cashIn: units });
          } else {
            assert.ok(ordered !== undefined);
            this.done.push({ ...ordered, at });
            this.#cash.delete(reference);
          }
        }
        if (page.next === null) break;
        before = page.next;
      }
    }
    assert.equal(this.#cash.size, 0);
  }

  async #play(): Promise<void> {
    const playerId = this.#one(this.players);
    const gameRound = `r-${this.#number++}`;
    const [game, currency] = [this.#one(games), this.#one(currencies)];
    const key = { operatorId, playerId, gameRound };
    const isFree = this.#below(12) === 0;
    const [bet, win] = [BigInt(10 + this.#below(5000)), BigInt(1 + this.#below(9000))];
    const first = `${gameRound}-d`;
    const done: Done = { ...nothing, at: this.clock.now(), currency, game, rounds: 1 };
    done.freeRounds = isFree ? 1 : 0;
    done.taken = isFree ? 0n : bet;
    this.done.push(done);
    const debit: Transaction = this.#debit(first, currency, bet, isFree, true);
    const credit: Transaction = this.#credit(`${gameRound}-c`, currency, win);
    const end: Transaction = { type: 'end', hash: `${gameRound}-e` };
    const one = { key, game, first, done };
    const fate = this.#below(12);
    if (fate < 4) {
      await this.#send(one, [debit, end]);
    } else if (fate < 8) {
      // The win may come on another day: it counts with its round.
      await this.#send(one, [debit]);
      if (fate === 7) this.#pass(3);
      await this.#send(one, [credit, end]);
      done.won = win;
    } else if (fate < 10) {
      await this.#playOn(one, [debit, credit], win);
    } else if (fate === 10) {
      await this.#strand(one, debit);
      return;
    } else {
      await this.#send(one, [debit]);
    }
    this.#played.push(one);
  }

  /** A second debit, which is voided at times. */
  async #playOn(one: PlayedRound, opening: Transaction[], win: bigint): Promise<void> {
    const { key, done } = one;
    const more = BigInt(10 + this.#below(900));
    const second = `${key.gameRound}-d2`;
    await this.#send(one, opening);
    await this.#send(one, [this.#debit(second, done.currency, more, false, false)]);
    done.won = win;
    if (this.#below(2) === 0) {
      done.taken += more;
      return;
    }
    this.#pass(1);
    await this.#send(one, [voidOf(second)]);
    done.voidedTaken = more;
  }

  /** The player has not enough for a second debit, so the win is refused; people pay it, or void the round. */
  async #strand(one: PlayedRound, debit: Transaction): Promise<void> {
    const { key, done } = one;
    const { currency } = done;
    const win = BigInt(1 + this.#below(9000));
    await this.#send(one, [debit]);
    await this.#send(one, [this.#debit(`${key.gameRound}-x`, currency, 10n ** 12n, false, false)]);
    await this.#send(one, [this.#credit(`${key.gameRound}-y`, currency, win)]);
    if (this.#below(4) === 0) return;
    this.#pass(20);
    const kind = this.#below(3) === 0 ? 'void' : 'pay';
    const { store, clock } = this;
    const options = { store, clock, deadlineMs: 60_000, creditTo: this.#creditTo() };
    const order = { kind, reason: 'as the ticket shows' } as const;
    const proposed = await proposeRepair(key, order, anna, options);
    assert.ok(proposed.kind === 'proposed', inspect(proposed));
    this.#pass(1);
    const made = await approveRepair(key, proposed.repair.id, bert, options);
    assert.ok(made.kind === 'made', inspect(made));
    if (kind === 'void') return voidWhole(done);
    const paid = { ...nothing, at: this.clock.now(), currency, game: one.game, repaired: win };
    this.done.push(paid);
    if (this.#below(3) > 0) return;
    this.#pass(30);
    await this.#send(one, [voidOf(one.first)]);
    this.done.push({ ...paid, at: this.clock.now(), repaired: -win });
    voidWhole(done);
  }

  /** Voids a round that was played, days after it at times; a store forgets it after 30 days. */
  async #voidAny(): Promise<void> {
    const [one] = this.#played.splice(this.#below(this.#played.length), 1);
    if (one === undefined || one.done.at < this.clock.now() - 20 * 86_400_000) return;
    await this.#send(one, [voidOf(one.first)]);
    voidWhole(one.done);
  }

  async #moveCash(): Promise<void> {
    const { players } = this.store;
    const units = BigInt(1 + this.#below(90_000));
    const [playerId, currency] = [this.#one(this.players), this.#one(currencies)];
    const reference = `cash-${this.#number++}`;
    // Nothing is taken of a bonus by hand: rounds may have spent it, and it would be refused.
    const kind = this.#below(3);
    const balance: Done['balance'] = kind === 0 && this.#below(2) === 0 ? 'bonus' : 'real';
    const order = { operatorId, playerId, currency, balance, reference } as const;
    const listed = { ...nothing, currency, game: null, balance };
    if (kind === 0) {
      await players.deposit({ ...order, amount: { units } });
      this.#cash.set(reference, { ...listed, cashIn: units });
    } else if (kind === 1) {
      await players.withdraw({ ...order, amount: { units } });
      this.#cash.set(reference, { ...listed, cashOut: units });
    } else {
      const corrected = this.#below(2) === 0 ? units : -units;
      const act = { by: anna, reason: 'as the ticket shows' };
      await players.correct({ ...order, amount: { units: corrected }, ...act });
      this.#cash.set(reference, { ...listed, corrected });
    }
  }

  /** Sends a call; one time in ten again. */
  async #send({ key, game }: PlayedRound, transactions: Transaction[]): Promise<void> {
    const request = { ...key, gameCode: game, transactions };
    const policy = { useBonusFirst: this.#below(2) === 0, creditTo: this.#creditTo() };
    const { store, clock } = this;
    const options = {
      rounds: store.rounds,
      clock,
      policy,
      deadlineMs: 60_000,
      discountCheck: () => true,
    };
    for (let times = this.#below(10) === 0 ? 2 : 1; times > 0; times--) {
      const { unknown } = await doTransactions(key, request, freshDelivery(), options);
      assert.equal(unknown, null);
    }
  }

  /** Up to so many steps. */
  #pass(steps: number): void {
    this.clock.goOn(this.#below(steps * this.#stepMs));
  }

  #debit(
    hash: string,
    currency: string,
    amount: bigint,
    isFree: boolean,
    isFirstDebit: boolean,
  ): Transaction {
    const free = { discount: isFree ? amount : 0n, serial: isFree ? 'package' : null };
    return { type: 'debit', hash, isFirstDebit, currency, amount, ...free };
  }

  #credit(hash: string, currency: string, amount: bigint): Transaction {
    return { type: 'credit', hash, currency, amount, serial: null };
  }

  /** Where wins go: the bonus gets its share of those of half the calls and repairs. */
  #creditTo(): 'real' | 'stakeShares' {
    return this.#below(2) === 0 ? 'real' : 'stakeShares';
  }

  #below(most: number): number {
    return Math.floor(this.random() * most);
  }

  #one<T>(of: readonly T[]): T {
    const one = of[this.#below(of.length)];
    assert.ok(one !== undefined);
    return one;
  }
}

function voidWhole(done: Done): void {
  done.voidedTaken += done.taken;
  done.voidedWon += done.won;
  Object.assign(done, { voidedRounds: 1, rounds: 0, freeRounds: 0, taken: 0n, won: 0n });
}
