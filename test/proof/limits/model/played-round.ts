import type { RoundKey } from '../../../../lib/operator/wallet';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import type { Money } from './entries';

/** An accepted debit of a round that is played. */
export interface PlayedDebit {
  readonly hash: string;
  readonly money: Money;
  /** What came after it in its call, and goes back with it (D5.3). */
  readonly followers: Money[];
  isEndBehind: boolean;
}

/** A call as it was sent, and its answer. */
export interface PlayedCall {
  readonly transactions: readonly Transaction[];
  readonly words: readonly string[];
}

/** A round as far as a play needs it: what was accepted of it and not taken back. */
export class PlayedRound {
  state: 'open' | 'closed' | 'stranded' | 'voided' = 'open';
  /** The accepted debits; the first one is that of the round. */
  readonly debits: PlayedDebit[] = [];
  /** All money that stays until the round is voided. */
  readonly money = new Set<Money>();
  /** The hash of the latest debit that the wallet declined (D4.5). */
  declined: string | null = null;
  /** The credit that stranded the round. */
  unpaid: { readonly hash: string; readonly amount: bigint } | null = null;
  /** Until a void, whatever was sent may be resent. */
  calls: PlayedCall[] = [];

  constructor(
    readonly key: RoundKey,
    readonly currency: string,
  ) {}

  /** The void of the whole round; returns what goes back. */
  voidAll(): Money[] {
    const back = [...this.money];
    this.money.clear();
    this.debits.length = 0;
    this.state = 'voided';
    this.calls = [];
    return back;
  }

  /** The void of a later debit (D5.3); returns what goes back. */
  voidOne(debit: PlayedDebit): Money[] {
    const back = [debit.money, ...debit.followers].filter((one) => this.money.delete(one));
    this.debits.splice(this.debits.indexOf(debit), 1);
    if (debit.isEndBehind && this.state === 'closed') this.state = 'open';
    this.calls = [];
    return back;
  }
}
