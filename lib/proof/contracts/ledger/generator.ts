import type { Purse } from '../../../protocol/money/purse';
import { Dice } from '../../subject/dice';
import type { LedgerAction } from './model';

/** Concurrent actions. */
export type Batch = readonly LedgerAction[];

/** A random sequence: a player, and the actions on that player. */
interface Sequence {
  readonly start: Purse;
  readonly batches: readonly Batch[];
}

/** Generates a sequence; the same seed gives the same one. */
export function generateBatches(seed: number, hasBonus: boolean): Sequence {
  return new Generator(seed, hasBonus).sequence();
}

const starts = [0n, 20n, 100n, 1000n];
const amounts = [0n, 1n, 10n, 30n, 60n];

class Generator extends Dice {
  /** What was posted under each key, to repeat it. */
  private readonly posted: LedgerAction[] = [];

  constructor(
    seed: number,
    private readonly hasBonus: boolean,
  ) {
    super(seed);
  }

  sequence(): Sequence {
    const start = { real: this.pick(starts), bonus: this.hasBonus ? this.pick(starts) : 0n };
    const batches = Array.from({ length: 8 }, () => {
      const size = this.chance(40) ? 1 : 2 + this.below(4);
      const batch = Array.from({ length: size }, () => this.action());
      // One order is enough: a second could undo the first one's repeat.
      const order = batch.find(isOrder);
      return batch.filter((action) => action === order || !isOrder(action));
    });
    return { start, batches };
  }

  private action(): LedgerAction {
    const kind = this.below(100);
    if (kind < 25) return this.kept(this.newPosting(this.posted.length));
    if (kind < 45) return this.posted.length > 0 ? this.pick(this.posted) : this.action();
    if (kind < 55) return this.newPosting(this.below(this.posted.length + 2));
    if (kind < 85) return { kind: 'reverse', key: this.below(this.posted.length + 2) };
    if (kind < 95) {
      const move = this.chance(50) ? 'deposit' : 'withdraw';
      return { kind: move, amount: this.pick([1n, 7n, 20n]) };
    }
    return { kind: this.chance(40) ? 'block' : 'unblock' };
  }

  private kept(action: LedgerAction): LedgerAction {
    this.posted.push(action);
    return action;
  }

  private newPosting(key: number): LedgerAction {
    if (this.chance(60)) {
      const bonusFirst = this.hasBonus && this.chance(50);
      return { kind: 'debit', key, amount: this.pick(amounts), bonusFirst };
    }
    const bonus = this.hasBonus && this.chance(40) ? this.pick(amounts) : 0n;
    return { kind: 'credit', key, purse: { real: 1n + this.pick(amounts), bonus } };
  }
}

/** Whether it blocks or unblocks the player. */
function isOrder({ kind }: LedgerAction): boolean {
  return kind === 'block' || kind === 'unblock';
}
