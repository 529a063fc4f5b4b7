import assert from 'node:assert/strict';
import { emptyPurse, subtractPurses } from '../../protocol/money/purse';
import type { Account } from '../../operator/wallet';
import type { ContractCash, ContractCashResult, MovedRow } from '../subject/players';
import { toText } from '../oracle/broken-rule';
import { gameRoundOf, type HistoryPlayer } from './action';
import {
  type Balances,
  checkSights,
  type Guess,
  type Moment,
  moved,
  type Sight,
  textOf,
  toBalances,
  type Work,
  sumOf,
} from './moments';
import { sumsOfSome } from './doubt';
import { HistoryRound, noEffect, type RoundEffect } from './round';

interface KnownRound {
  readonly book: HistoryRound;
  effect: RoundEffect;
}

/** A player's money: what it must be by all answers. */
export class PlayerBook {
  private readonly rounds = new Map<number, KnownRound>();
  private readonly references = new Map<string, { content: string; firstTimes: number }>();
  private cash: Balances;
  private works: Work[] = [];
  private sights: Sight[] = [];
  private guesses: Guess[] = [];
  /** The player's balances when nothing was in progress. */
  balances: Balances;

  constructor(
    start: HistoryPlayer | null,
    private readonly movesApart: boolean,
  ) {
    const purse = { real: start?.real ?? 0n, bonus: start?.bonus ?? 0n };
    const currencies = start?.dollars ? ['EUR', 'USD'] : ['EUR'];
    this.cash = new Map(start === null ? [] : currencies.map((currency) => [currency, purse]));
    this.balances = this.cash;
  }

  round(number: number): HistoryRound {
    const round = this.rounds.get(number) ?? {
      book: new HistoryRound(gameRoundOf(number), this.movesApart),
      effect: noEffect,
    };
    this.rounds.set(number, round);
    return round.book;
  }

  /** The rounds by their numbers. */
  get numbers(): readonly number[] {
    return [...this.rounds.keys()];
  }

  /** Records the checked effect of a round on the money. */
  setEffect(number: number, effect: RoundEffect): void {
    const round = this.rounds.get(number);
    if (round !== undefined) round.effect = effect;
    this.guesses.push(...effect.guesses);
    this.works.push(...effect.works);
  }

  /** Records accounts that were seen meanwhile. */
  see(accounts: readonly Account[] | null, own: readonly Work[]): void {
    this.sights.push({ accounts, own });
  }

  /** Records work that was done meanwhile. */
  did(work: Work): void {
    this.works.push(work);
  }

  /** Records that money of this currency moved meanwhile between unknown balances. */
  blur(currency: string): void {
    this.guesses.push({ currency, units: 0n });
  }

  /** Records an order and its answer: each reference moves money once. */
  order(sign: 1n | -1n, order: ContractCash, result: ContractCashResult): void {
    assert.notEqual(result.kind, 'unknown', 'an order was not answered');
    const { balance = 'real', reference } = order;
    const { units } = order.amount;
    const content = toText([sign, units, balance]);
    if (result.kind !== 'done') return;
    const known = this.references.get(reference) ?? { content, firstTimes: 0 };
    assert.equal(content, known.content, `${reference} moved money with two contents`);
    this.references.set(reference, known);
    if (result.replay) return;
    known.firstTimes += 1;
    const moment: Moment = new Map([['EUR', { ...emptyPurse, [balance]: sign * units }]]);
    this.cash = moved(this.cash, moment);
    this.did({ stages: [[moment]] });
  }

  /** Checks the accounts now, while nothing is in progress, and everything seen meanwhile. */
  settle(accounts: readonly Account[] | null): void {
    const now = toBalances(accounts);
    for (const [reference, { firstTimes }] of this.references) {
      assert.equal(firstTimes, 1, `${reference} must move money once`);
    }
    this.checkBooks(now);
    // No call is in flight, so only commits and cash orders have moved money.
    if (!this.movesApart) this.see(accounts, this.works);
    checkSights(this.balances, this.works, this.sights, this.guesses);
    this.balances = now;
    this.works = [];
    this.sights = [];
    this.guesses = [];
  }

  /**
   * The platform's own rows and the cash add up to the balances. Call it after `settle`, while no call is in flight.
   */
  checkRows(rows: readonly MovedRow[]): void {
    const booked = rows.reduce(
      (sum, { currency, real, bonus }) => moved(sum, new Map([[currency, { real, bonus }]])),
      this.cash,
    );
    const [text, must] = [textOf(this.balances), textOf(booked)];
    assert.equal(text, must, "O1: the balances are cash and the sum of the platform's own rows");
  }

  /** O1, by the answers and by the records; what is uncertain was taken, or was not. */
  private checkBooks(now: Balances): void {
    const effects = [...this.rounds.values()].map(({ effect }) => effect);
    const uncertain = effects.flatMap((effect) => effect.uncertain);
    const recorded = effects.reduce(
      (sum, { currency, net }) =>
        currency === null ? sum : moved(sum, new Map([[currency, net]])),
      this.cash,
    );
    for (const [currency, purse] of now) {
      const rounds = effects.filter((effect) => effect.currency === currency);
      const start = sumOf(this.cash.get(currency) ?? emptyPurse);
      const expected = rounds.reduce((sum, { total }) => sum + total, start);
      const guesses = uncertain.filter((guess) => guess.currency === currency);
      const possible = sumsOfSome(guesses.map(({ units }) => units));
      const text = `${sumOf(purse)}, not ${expected}`;
      assert.ok(possible.has(sumOf(purse) - expected), `O1: the balance in ${currency} is ${text}`);
      const taken = subtractPurses(recorded.get(currency) ?? emptyPurse, purse);
      assert.ok(possible.has(-sumOf(taken)), `O1: ${textOf(now)} is not ${textOf(recorded)}`);
      assert.ok(taken.real >= 0n && taken.bonus >= 0n, `O1: ${textOf(now)} is above the records`);
    }
    if (uncertain.length > 0) return;
    assert.equal(textOf(now), textOf(recorded), 'O1: the balances are the sum of the records');
  }
}
