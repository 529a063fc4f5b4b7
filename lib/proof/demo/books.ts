import { parseAmount, type Purse } from '../../protocol/money';
import type { PlayerKey, AccountStore } from '../../operator/wallet';
import type { DemoAnswer, DemoTransaction } from './client';

/** A debit or credit of the demo, and what it moved as far as the answers tell. */
export interface BookEntry {
  readonly scene: number;
  readonly gameRound: string;
  readonly type: 'debit' | 'credit';
  /** Units. */
  readonly amount: bigint;
  readonly isFirst: boolean;
  /** Hash of the debit before it in the call in which it was first sent; null without one. */
  readonly behind: string | null;
  /** In units, below zero for a debit; null while no answer told it. */
  effect: bigint | null;
  /** Why it moved nothing. */
  note: string;
}

/** The books at the end, in units. All four ends must be the same. */
export interface Statement {
  readonly start: bigint;
  readonly entries: readonly BookEntry[];
  /** The start and the effects that the answers told; null where one was never told. */
  readonly byAnswers: bigint | null;
  /** What getBalance answered; null where it did not. */
  readonly byGetBalance: bigint | null;
  /** The store's account; null where there is none. */
  readonly byAccount: bigint | null;
  /** The start and what the store keeps of each round. */
  readonly byRounds: bigint;
  /** What does not agree, each as a sentence; empty where the books balance. */
  readonly faults: readonly string[];
}

/** Keeps the player's books by nothing but the answers, to be held against the store. */
export class DemoBooks {
  private readonly entries = new Map<string, BookEntry>();

  constructor(
    private readonly player: PlayerKey & { readonly currency: string },
    private readonly start: bigint,
    private readonly decimals: number,
  ) {}

  /** Notes a call and its answer; a call that is sent again is noted once. */
  note(
    scene: number,
    gameRound: string,
    transactions: readonly DemoTransaction[],
    answer: DemoAnswer | null,
  ): void {
    let debit: string | null = null;
    for (const { type, hash, amount = 0, isFirstDebit = false } of transactions) {
      if (type === 'debit') debit = hash;
      if ((type === 'debit' || type === 'credit') && !this.entries.has(hash)) {
        const units = parseAmount(String(amount), this.decimals) ?? 0n;
        const behind = type === 'credit' ? debit : null;
        const entry = { scene, gameRound, type, amount: units, isFirst: isFirstDebit, behind };
        this.entries.set(hash, { ...entry, effect: null, note: '' });
      }
      const error = answer?.outcomes.get(hash);
      if (error === undefined) continue;
      if (type === 'void' && error === null) this.reverse(hash);
      const entry = this.entries.get(hash);
      if (type === 'void' || entry === undefined) continue;
      entry.effect = error !== null ? 0n : type === 'debit' ? -entry.amount : entry.amount;
      entry.note = error === null ? '' : `refused (${error.id})`;
    }
  }

  /** Holds the books against getBalance, the store's account, and each round as the store keeps it. */
  async close(store: AccountStore, byGetBalance: bigint | null): Promise<Statement> {
    const { start } = this;
    const entries = [...this.entries.values()];
    const effects = entries.map(({ effect }) => effect);
    const isTold = effects.every((effect) => effect !== null);
    const byAnswers = isTold ? start + total(effects) : null;
    const byAccount = await this.account(store);
    const faults: string[] = [];
    let byRounds = start;
    for (const gameRound of new Set(entries.map((entry) => entry.gameRound))) {
      const kept = await this.netOf(store, gameRound);
      const told = total(
        entries.filter((entry) => entry.gameRound === gameRound).map(({ effect }) => effect),
      );
      if (kept !== told) faults.push(`The store keeps round ${gameRound} otherwise than answered.`);
      byRounds += kept;
    }
    if (!isTold) faults.push('What became of a transaction was never answered.');
    if (byGetBalance !== byAnswers) faults.push('getBalance tells another end than the answers.');
    if (byAccount !== byAnswers) faults.push('The account has another end than the answers.');
    if (byRounds !== byAnswers) faults.push('The rounds have another end than the answers.');
    return { start, entries, byAnswers, byGetBalance, byAccount, byRounds, faults };
  }

  /**
   * The void of a first debit reverses the round (D5.2), that of another the debit and the win behind
   * it in its call, which the RGS drops (D5.3).
   */
  private reverse(hash: string): void {
    const debit = this.entries.get(hash);
    if (debit === undefined) return;
    for (const entry of this.entries.values()) {
      const isOfRound = debit.isFirst && entry.gameRound === debit.gameRound;
      if (!isOfRound && entry !== debit && entry.behind !== hash) continue;
      entry.effect = 0n;
      entry.note = entry.type === 'debit' ? 'voided' : 'dropped';
    }
  }

  private async account(store: AccountStore): Promise<bigint | null> {
    const result = await store.accounts(this.player);
    if (result.kind === 'unknown') throw result.cause;
    const account = result.accounts?.find(({ currency }) => currency === this.player.currency);
    return account === undefined ? null : account.real + (account.bonus ?? 0n);
  }

  private async netOf(store: AccountStore, gameRound: string): Promise<bigint> {
    const { operatorId, playerId } = this.player;
    const report = await store.readRound({ operatorId, playerId, gameRound });
    return report === null ? 0n : sumOf(report.head.credits) - sumOf(report.head.debits);
  }
}

function sumOf({ real, bonus }: Purse): bigint {
  return real + bonus;
}

function total(effects: readonly (bigint | null)[]): bigint {
  return effects.reduce<bigint>((sum, effect) => sum + (effect ?? 0n), 0n);
}
