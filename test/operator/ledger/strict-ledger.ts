import {
  addPurses,
  emptyPurse,
  type Purse,
  splitDebit,
  subtractPurses,
} from '../../../lib/protocol/money/purse';
import type { MovementRefusal } from '../../../lib/operator/gameround';
import type {
  Account,
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
  PlayerKey,
} from '../../../lib/operator/wallet';

/** A posting that moved money, with its state. */
export interface BookedPosting {
  readonly hash: string;
  readonly kind: 'debit' | 'credit';
  /** What it did to the balances; below zero for a debit. */
  readonly moved: Purse;
  isReversed: boolean;
}

type Known =
  | { readonly content: string; readonly answer: LedgerDone; readonly posting: BookedPosting }
  | { readonly content: string; readonly answer: LedgerRefused };

/** The ledger of one player in EUR. It keeps to the port's contract, and to the letter. */
export class StrictLedger implements Ledger {
  /** All that ever moved money. */
  readonly postings: BookedPosting[] = [];
  /** What it was asked that it must never be asked. */
  readonly violations: string[] = [];
  /** Reasons to refuse, by hash. */
  readonly refusals = new Map<string, MovementRefusal>();
  private readonly known = new Map<string, Known>();
  private readonly reversed = new Set<string>();

  constructor(
    private purse: Purse,
    private readonly playerId: string,
  ) {}

  get balance(): Purse {
    return this.purse;
  }

  async debit(posting: LedgerDebit): Promise<LedgerDone | LedgerRefused> {
    const { hash, currency, amount, bonusFirst } = posting;
    return this.post(posting, [hash, 'debit', currency, amount, bonusFirst].join(' '), () => {
      const paid = splitDebit(amount, this.purse, bonusFirst);
      if (paid === null) return { kind: 'refused', reason: 'tooLow' };
      this.book({
        hash,
        kind: 'debit',
        moved: subtractPurses(emptyPurse, paid),
        isReversed: false,
      });
      return { kind: 'done', paid };
    });
  }

  async credit(posting: LedgerCredit): Promise<LedgerDone | LedgerRefused> {
    const { hash, currency, purse } = posting;
    const content = [hash, 'credit', currency, purse.real, purse.bonus].join(' ');
    return this.post(posting, content, () => {
      if (purse.real + purse.bonus === 0n) this.violations.push(`a credit of 0: ${hash}`);
      this.book({ hash, kind: 'credit', moved: purse, isReversed: false });
      return { kind: 'done' };
    });
  }

  async reverse({ key }: LedgerReversal): Promise<LedgerDone | LedgerRefused> {
    const known = this.known.get(key);
    if (known !== undefined && 'posting' in known && !known.posting.isReversed) {
      known.posting.isReversed = true;
      this.purse = subtractPurses(this.purse, known.posting.moved);
    }
    this.reversed.add(key);
    return { kind: 'done' };
  }

  async balances({ playerId }: PlayerKey): Promise<readonly Account[] | null> {
    return playerId === this.playerId ? this.accounts() : null;
  }

  private post(
    { key, hash, playerId }: LedgerPosting,
    content: string,
    move: () => LedgerDone | LedgerRefused,
  ): LedgerDone | LedgerRefused {
    const known = this.known.get(key);
    if (known !== undefined && known.content !== content) {
      this.violations.push(`${hash}: '${content}' under the key of '${known.content}'`);
      return { kind: 'refused', reason: 'refused' };
    }
    if (this.reversed.has(key)) return { kind: 'refused', reason: 'refused' };
    if (known !== undefined) return this.withAccounts(known.answer);
    const reason = playerId === this.playerId ? this.refusals.get(hash) : 'noPlayer';
    const answer = reason === undefined ? move() : { kind: 'refused' as const, reason };
    const posting = this.postings.at(-1);
    this.known.set(
      key,
      answer.kind === 'done' && posting !== undefined
        ? { content, answer, posting }
        : { content, answer: answer as LedgerRefused },
    );
    return this.withAccounts(answer);
  }

  private book(posting: BookedPosting): void {
    this.postings.push(posting);
    this.purse = addPurses(this.purse, posting.moved);
  }

  private withAccounts(answer: LedgerDone | LedgerRefused): LedgerDone | LedgerRefused {
    return answer.kind === 'done' ? { ...answer, accounts: this.accounts() } : answer;
  }

  private accounts(): Account[] {
    return [{ currency: 'EUR', ...this.purse }];
  }
}
