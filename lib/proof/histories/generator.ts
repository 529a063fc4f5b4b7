import type { Credit, Debit, Transaction } from '../../protocol/operator-api/transaction';
import type { MoneyPolicy } from '../../operator/gameround';
import type { History, HistoryAction, HistoryPlayer } from './action';
import { Dice } from '../subject/dice';
import { fates, type StatusHistory, type StatusCall } from './by-status';
import { voidOf } from '../subject/voided-call';
import type { VoidedCallOfPlayer } from './void-orders';

/** Generates a history; the same seed gives the same one. One of four has plain rounds of many calls. */
export function generateHistory(seed: number): History {
  return new Generator(seed).history();
}

/** Generates a history of {@link generateHistory} that has plain rounds alone; the same seed gives the same one. */
export function generatePlainHistory(seed: number): History {
  return new Generator(seed).plainHistory();
}

/** Generates a call whose debits are all voided; the same seed gives the same one. */
export function generateVoidedCall(seed: number): VoidedCallOfPlayer {
  return new Generator(seed).voidedCall();
}

/** Generates the rounds of an RGS that decides debits by the status; the same seed gives the same ones. */
export function generateStatusHistory(seed: number): StatusHistory {
  return new Generator(seed).statusHistory();
}

const debitAmounts = [10n, 5n, 30n, 60n];
const creditAmounts = [7n, 0n, 25n];
const oddAmounts = [0n, 1n, 5n, 10n, 40n, 150n];

class Generator extends Dice {
  history(): History {
    return this.chance(25) ? this.plainHistory() : this.mixedHistory();
  }

  /**
   * Rounds as most are: a first debit, then many calls that only add to it, each transaction once, and an end.
   * Calls of one round mostly come one after the other; some are resent, or cannot be paid.
   */
  plainHistory(): History {
    const players = this.times(1, 2, () => this.knownPlayer());
    const rounds = players.flatMap((_, player) => [0, 1].map((round) => ({ player, round })));
    const opening = rounds.map((of) => this.callIn(of, [this.plainDebit(0, true)]));
    const calls = this.times(4, 14, () => 0).map((_, at) => {
      const played = rounds.filter(() => this.chance(75));
      const adding = played.map((of) => this.callIn(of, this.addition(at + 1)));
      return this.chance(20) ? [...adding, this.cashOrResend(players.length)] : adding;
    });
    const ends = rounds.map((of) => {
      const last: Transaction[] = this.chance(50) ? [this.plainCredit('c0')] : [];
      return this.callIn(of, [...last, { type: 'end', hash: 'e0' }]);
    });
    const policy = { ...this.policy(), ...(this.chance(80) ? { creditTo: 'real' as const } : {}) };
    return { policy, players, batches: [opening, ...calls, ends] };
  }

  private callIn(
    of: { readonly player: number; readonly round: number },
    transactions: readonly Transaction[],
  ): HistoryAction {
    return { kind: 'call', ...of, transactions };
  }

  private addition(at: number): Transaction[] {
    const credit = this.plainCredit(`c${at}`);
    const kind = this.below(100);
    if (kind < 30) return [this.plainDebit(at)];
    if (kind < 60) return [credit];
    if (kind < 85) return [this.plainDebit(at), credit];
    return [credit, this.plainCredit(`c${at}-more`)];
  }

  private plainDebit(number: number, isFirstDebit = false): Debit {
    const amount = this.chance(97) ? BigInt(1 + this.below(9)) : 5000n;
    const usual = { currency: 'EUR', discount: 0n, serial: null };
    return { type: 'debit', hash: `d${number}`, amount, isFirstDebit, ...usual };
  }

  private plainCredit(hash: string): Credit {
    const amount = BigInt(this.below(20));
    return { type: 'credit', hash, currency: 'EUR', amount, serial: null };
  }

  private cashOrResend(players: number): HistoryAction {
    if (this.chance(60)) return { kind: 'resend', call: this.below(50), from: 0, count: 100 };
    const cash = { units: 5n, balance: 'real', reference: `reference-${this.below(4)}` } as const;
    return { kind: 'deposit', player: this.below(players), ...cash };
  }

  private mixedHistory(): History {
    const players = this.times(1, 2, () => this.player());
    const batches = this.times(2, 9, () => this.times(1, 5, () => this.action(players.length)));
    return { policy: this.policy(), players, batches };
  }

  voidedCall(): VoidedCallOfPlayer {
    const [round, player] = [this.below(2), this.knownPlayer()];
    const first = { ...this.debit(0, true), hash: 'd0', amount: 10n, discount: 0n, serial: null };
    const opening: Transaction[][] = this.chance(60) ? [[first]] : [];
    const earlier = [...opening, ...this.times(0, 2, () => this.transactions())];
    const others = this.times(0, 3, () => this.transaction());
    const after = [this.anyDebit(), ...others].filter(({ type }) => type !== 'void');
    // What comes before its first debit stays (D5.3), whatever the void of an earlier debit changes.
    const known = new Set(earlier.flat().map(({ hash }) => hash));
    const isNew = !after.some(({ type, hash }) => type === 'debit' && known.has(hash));
    const before = this.times(0, isNew ? 1 : 0, () => this.credit());
    // A void of what was not seen ends a decline (D4.5), and would let it be paid only if it came first (P9).
    if (before.length > 0) earlier.push([voidOf('not seen')]);
    return { round, policy: this.policy(), player, earlier, call: [...before, ...after] };
  }

  /** Each call is sent once, each transaction has its own hash; many take more than there is. */
  statusHistory(): StatusHistory {
    const rounds = this.times(1, 3, () => this.times(1, 6, (at) => this.statusCall(at)));
    return { policy: this.policy(), player: this.knownPlayer(), rounds };
  }

  private statusCall(call: number): StatusCall {
    const first = call === 0 ? [this.statusDebit(0, 'd0', 'EUR')] : [];
    const holdsDebit = call === 0 || this.chance(70);
    const others = this.times(call === 0 ? 0 : 1, 3, (at): Transaction => {
      const name = `${call}-${at}`;
      if (holdsDebit && this.chance(65))
        return this.statusDebit(1 + at, `d${name}`, this.currency());
      // One that is refused makes a call with its debit a 4xx, too: then the debit stays (D4.7).
      return { ...this.plainCredit(`c${name}`), currency: holdsDebit ? 'EUR' : this.currency() };
    });
    const last: Transaction[] = this.chance(10) ? [{ type: 'end', hash: `e${call}` }] : [];
    const fate = this.chance(70) ? 'answered' : this.pick(fates);
    return { transactions: [...first, ...others, ...last], fate, resendsCredits: this.chance(30) };
  }

  private statusDebit(number: number, hash: string, currency: string): Debit {
    return { ...this.debit(number, number === 0), hash, currency, discount: 0n };
  }

  private policy(): MoneyPolicy {
    return {
      useBonusFirst: this.chance(50),
      creditTo: this.pick<'real' | 'stakeShares'>(['real', 'stakeShares']),
    };
  }

  private player(): HistoryPlayer | null {
    return this.chance(5) ? null : this.knownPlayer();
  }

  private knownPlayer(): HistoryPlayer {
    const real = this.pick([0n, 20n, 100n, 1000n]);
    const bonus = this.pick([null, 0n, 15n, 200n]);
    return { real, bonus, dollars: this.chance(30) };
  }

  private action(players: number): HistoryAction {
    const player = this.below(players);
    const round = this.below(3);
    const kind = this.below(100);
    if (kind < 60) {
      return { kind: 'call', player, round, transactions: this.transactions() };
    }
    if (kind < 66) {
      const debits = this.times(1, 2, () => this.lostDebit());
      return { kind: 'lostCall', player, round, debits, arrives: this.chance(80) };
    }
    if (kind < 82) {
      const [call, from] = [this.below(100), this.chance(60) ? 0 : this.below(4)];
      return { kind: 'resend', call, from, count: this.chance(60) ? 100 : 1 };
    }
    if (kind < 92) {
      const reference = `reference-${this.below(4)}`;
      const [units, balance] = [
        this.pick([5n, 50n]),
        this.pick<'real' | 'bonus'>(['real', 'bonus']),
      ];
      const move = this.pick<'deposit' | 'withdraw'>(['deposit', 'withdraw']);
      return { kind: move, player, units, balance, reference };
    }
    if (kind < 94) return { kind: 'block', player, blocked: this.chance(40) };
    return { kind: 'read', player };
  }

  private transactions(): Transaction[] {
    const opening = this.chance(35) ? [this.debit(0, true)] : [];
    const others = this.times(opening.length === 0 ? 1 : 0, 3, () => this.transaction());
    return [...opening, ...others];
  }

  private transaction(): Transaction {
    const kind = this.below(100);
    if (kind < 40) return this.anyDebit();
    if (kind < 66) return this.credit();
    if (kind < 74) return { type: 'end', hash: this.chance(95) ? `e${this.below(2)}` : 'd0' };
    const hash = this.pick(['d0', 'd0', 'd1', 'd1', 'd2', 'd3', 'l0', 'l1', 'c0', 'e0', 'u0']);
    return { type: 'void', hash, amount: this.pick([null, 10n]), currency: null };
  }

  private anyDebit(): Debit {
    const number = this.pick([0, 0, 1, 1, 2, 3]);
    const usual = this.chance(80) ? number === 0 : this.chance(40);
    return this.debit(number, this.chance(15) ? null : usual);
  }

  private debit(number: number, isFirstDebit: boolean | null): Debit {
    const isFree = this.chance(8);
    const usual = this.chance(90) ? debitAmounts[number] : this.pick(oddAmounts);
    const amount = isFree ? 0n : (usual ?? 0n);
    const discount = this.chance(8) ? this.pick([1n, 5n, 9n]) : 0n;
    return {
      type: 'debit',
      hash: this.chance(97) ? `d${number}` : 'c0',
      currency: this.currency(),
      amount,
      discount: discount > amount ? 0n : discount,
      isFirstDebit,
      serial: isFree ? `serial-${number}` : null,
    };
  }

  private credit(): Transaction {
    const number = this.below(3);
    const amount = this.chance(90) ? creditAmounts[number] : this.pick(oddAmounts);
    return {
      type: 'credit',
      hash: this.chance(97) ? `c${number}` : 'd1',
      currency: this.currency(),
      amount: amount ?? 0n,
      serial: null,
    };
  }

  /** Such a debit is sent once, and moves money if accepted. */
  private lostDebit(): Debit {
    return {
      type: 'debit',
      hash: `l${this.below(2)}`,
      currency: this.currency(),
      amount: this.pick([1n, 10n, 100n]),
      discount: 0n,
      isFirstDebit: this.chance(50),
      serial: null,
    };
  }

  private currency(): string {
    return this.chance(93) ? 'EUR' : 'USD';
  }
}
