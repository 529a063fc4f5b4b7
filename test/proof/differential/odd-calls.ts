import type { MoneyPolicy } from '../../../lib/operator/gameround';
import { Dice } from '../../../lib/proof/subject/dice';
import { formatAmount, maxUnits } from '../../../lib/protocol/money/amount';
import { ExactNumber, type Writable } from '../../../lib/protocol/json/write';

/** Decimals of the stores that odd calls are played to. */
export const decimals = 4;

/** What happens to the wallet. */
export type OddAct =
  | { readonly kind: 'call'; readonly body: { readonly [key: string]: Writable } }
  /** The body of an earlier call, signed anew. */
  | { readonly kind: 'again'; readonly call: number }
  | { readonly kind: 'block'; readonly playerId: string; readonly blocked: boolean }
  | {
      readonly kind: 'deposit' | 'withdraw';
      readonly playerId: string;
      readonly units: bigint;
      readonly reference: string;
    };

/** Units of a player in EUR, and as much in USD. */
export interface OddPlayer {
  readonly playerId: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** Calls that a remote game server would hardly make, of few hashes, with everything mixed. */
export interface OddHistory {
  readonly policy: MoneyPolicy;
  readonly players: readonly OddPlayer[];
  readonly acts: readonly OddAct[];
}

/** Rounds of each player. */
export const gameRounds = ['r0', 'r1'] as const;

/** The same seed gives the same history. */
export function generateOddHistory(seed: number): OddHistory {
  return new OddGenerator(seed).history();
}

const huge = [maxUnits, maxUnits - 5n, maxUnits / 2n, maxUnits / 2n + 1n, maxUnits - 1000n];
const small = [0n, 1n, 5n, 10n, 20n, 60n, 100n];

class OddGenerator extends Dice {
  history(): OddHistory {
    const policy = {
      useBonusFirst: this.chance(50),
      creditTo: this.pick(['real', 'stakeShares'] as const),
    };
    // Huge amounts are of a player without bonus money who is never blocked: see where a ledger differs (docs/ledger.md).
    const players = [
      { playerId: 'rich', real: this.pick([0n, 1000n, ...huge]), bonus: null },
      { playerId: 'both', real: this.pick([0n, 100n]), bonus: this.pick([0n, 50n]) },
    ];
    const acts = Array.from({ length: 4 + this.below(16) }, (_, at) => this.act(at));
    return { policy, players, acts };
  }

  private act(at: number): OddAct {
    const playerId = this.pick(['rich', 'rich', 'both', 'both', 'stranger']);
    const kind = this.below(100);
    if (kind < 80) return { kind: 'call', body: this.body(playerId) };
    if (kind < 90) return { kind: 'again', call: this.below(at + 1) };
    if (kind < 94) return { kind: 'block', playerId: 'both', blocked: this.chance(40) };
    const move = this.pick(['deposit', 'withdraw'] as const);
    return { kind: move, playerId, units: this.pick([5n, 50n]), reference: `reference-${at}` };
  }

  private body(playerId: string): Extract<OddAct, { kind: 'call' }>['body'] {
    const gameRound = this.pick(gameRounds);
    const length = 1 + this.below(this.chance(20) ? 12 : 5);
    const transactions = Array.from({ length }, () => this.transaction(playerId, gameRound));
    const ids = { playerId, gameCode: 'bells', gameRound };
    return { ...ids, transactions, transactionCount: length };
  }

  private transaction(playerId: string, round: string): { readonly [key: string]: Writable } {
    const kind = this.below(100);
    const hashOf = (...usual: string[]): string =>
      this.pick(this.chance(92) ? usual : ['d0', 'd1', 'd2', 'c0', 'c1', 'e0', round]);
    const isRich = playerId === 'rich';
    if (kind < 42) return this.debit(hashOf('d0', 'd1', 'd2', 'd3', round), isRich);
    if (kind < 66) {
      const amount = this.amount(isRich);
      return { type: 'credit', hash: hashOf('c0', 'c1', 'c2'), currency: this.currency(), amount };
    }
    if (kind < 76) return { type: 'end', hash: hashOf('e0', 'e1') };
    const named = this.chance(50) ? { amount: this.amount(true), currency: 'EUR' } : {};
    return { type: 'void', hash: hashOf('d0', 'd1', 'd2', 'd3', round), ...named };
  }

  private debit(hash: string, mayBeHuge: boolean): { readonly [key: string]: Writable } {
    const isFree = this.chance(8);
    const isFirstDebit = this.pick([undefined, undefined, true, false]);
    const discount = !isFree && this.chance(8) ? this.pick([1n, 5n, 9n]) : null;
    return {
      type: 'debit',
      hash,
      currency: this.currency(),
      amount: isFree ? numberOf(0n) : discount === null ? this.amount(mayBeHuge) : numberOf(20n),
      isFirstDebit,
      serial: isFree ? 'package' : undefined,
      discountAmount: discount === null ? undefined : numberOf(discount),
    };
  }

  private amount(mayBeHuge: boolean): Writable {
    return numberOf(this.pick(mayBeHuge && this.chance(30) ? huge : small));
  }

  private currency(): string {
    return this.pick(['EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'USD', 'XTS']);
  }
}

function numberOf(units: bigint): ExactNumber {
  return new ExactNumber(formatAmount(units, decimals));
}
