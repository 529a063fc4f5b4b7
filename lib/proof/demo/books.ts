import { parseAmount } from '../../protocol/money/amount';
import type { Purse } from '../../protocol/money/purse';
import type { PlayerKey, AccountStore } from '../../operator/wallet';
import type { Settled, Settlement } from '../../rgs/settlement/settle';
import type { DemoTransaction } from './client';

/** A debit or credit of the demo, and what it moved by the answers. */
interface BookEntry {
  readonly scene: number;
  readonly gameRound: string;
  readonly type: 'debit' | 'credit';
  /** Units. */
  readonly amount: bigint;
  readonly isFirst: boolean;
  /** In units, below zero for a debit; null until an answer shows it. */
  effect: bigint | null;
  /** Why it moved nothing. */
  note: string;
}

/** The books at the end, in units. All four figures must be equal. */
export interface Statement {
  readonly start: bigint;
  readonly entries: readonly BookEntry[];
  /** The start plus the effects shown by the answers; null if one was never shown. */
  readonly byAnswers: bigint | null;
  /** The balance that getBalance answered; null without an answer. */
  readonly byGetBalance: bigint | null;
  /** The store's account; null if there is none. */
  readonly byAccount: bigint | null;
  /** The start plus the store's records of each round. */
  readonly byRounds: bigint;
  /** Differences, one sentence each; empty if the books balance. */
  readonly faults: readonly string[];
}

/** Keeps the player's books only from the answers, to compare them with the store. */
export class DemoBooks {
  private readonly entries = new Map<string, BookEntry>();

  constructor(
    private readonly player: PlayerKey & { readonly currency: string },
    private readonly start: bigint,
    private readonly decimals: number,
  ) {}

  /** Records what the answer does to the call's transactions; a resent one is recorded once. */
  note(scene: number, gameRound: string, settlement: Settlement<DemoTransaction>): void {
    for (const settled of settlement.transactions) {
      const { type, hash, amount = 0, isFirstDebit = false } = settled.transaction;
      if ((type === 'debit' || type === 'credit') && !this.entries.has(hash)) {
        const units = parseAmount(String(amount), this.decimals) ?? 0n;
        const entry = { scene, gameRound, type, amount: units, isFirst: isFirstDebit };
        this.entries.set(hash, { ...entry, effect: null, note: '' });
      }
      const entry = this.entries.get(hash);
      if (entry === undefined) continue;
      if (type === 'void' && settled.fate === 'processed') this.reverse(entry);
      if (type !== 'void') noteFate(entry, settled);
    }
  }

  /** Whether a credit of the round was paid and not taken back since. */
  hasPaidCredit(gameRound: string): boolean {
    const entries = [...this.entries.values()].filter((entry) => entry.gameRound === gameRound);
    return entries.some(({ type, effect, note }) => {
      return type === 'credit' && effect !== null && note === '';
    });
  }

  /** Compares the books with getBalance, the store's account, and each round in the store. */
  async close(store: AccountStore, byGetBalance: bigint | null): Promise<Statement> {
    const { start } = this;
    const entries = [...this.entries.values()];
    const effects = entries.map(({ effect }) => effect);
    const isAnswered = effects.every((effect) => effect !== null);
    const byAnswers = isAnswered ? start + total(effects) : null;
    const byAccount = await this.account(store);
    const faults: string[] = [];
    let byRounds = start;
    for (const gameRound of new Set(entries.map((entry) => entry.gameRound))) {
      const kept = await this.netOf(store, gameRound);
      const moved = total(
        entries.filter((entry) => entry.gameRound === gameRound).map(({ effect }) => effect),
      );
      if (kept !== moved)
        faults.push(`The store's records of round ${gameRound} differ from the answers.`);
      byRounds += kept;
    }
    if (!isAnswered) faults.push('A transaction never got an answer.');
    if (byGetBalance !== byAnswers)
      faults.push('getBalance shows another balance than the answers.');
    if (byAccount !== byAnswers) faults.push('The account has another balance than the answers.');
    if (byRounds !== byAnswers)
      faults.push('The rounds add up to another balance than the answers.');
    return { start, entries, byAnswers, byGetBalance, byAccount, byRounds, faults };
  }

  /**
   * The void of the first debit cancels the round; the void of another debit cancels that debit only
   * (operator-api 3).
   */
  private reverse(debit: BookEntry): void {
    for (const entry of this.entries.values()) {
      if (entry !== debit && !(debit.isFirst && entry.gameRound === debit.gameRound)) continue;
      entry.effect = 0n;
      entry.note = entry.type === 'debit' ? 'voided' : 'dropped';
    }
  }

  private async account(store: AccountStore): Promise<bigint | null> {
    const result = await store.rounds.accounts(this.player);
    if (result.kind === 'unknown') throw result.cause;
    const account = result.accounts?.find(({ currency }) => currency === this.player.currency);
    return account === undefined ? null : account.real + (account.bonus ?? 0n);
  }

  private async netOf(store: AccountStore, gameRound: string): Promise<bigint> {
    const { operatorId, playerId } = this.player;
    const report = await store.rounds.readRound({ operatorId, playerId, gameRound });
    return report === null ? 0n : sumOf(report.head.credits) - sumOf(report.head.debits);
  }
}

/** An unsettled transaction keeps its effect: it is not known yet. */
function noteFate(entry: BookEntry, { fate, error }: Settled<DemoTransaction>): void {
  if (fate !== 'processed' && fate !== 'declined' && fate !== 'dropped') return;
  const moved = entry.type === 'debit' ? -entry.amount : entry.amount;
  entry.effect = fate === 'processed' ? moved : 0n;
  const refused = error === null ? fate : `refused (${error.id ?? 'no id'})`;
  entry.note = fate === 'processed' ? '' : refused;
}

function sumOf({ real, bonus }: Purse): bigint {
  return real + bonus;
}

function total(effects: readonly (bigint | null)[]): bigint {
  return effects.reduce<bigint>((sum, effect) => sum + (effect ?? 0n), 0n);
}
