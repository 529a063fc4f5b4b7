import type { PlayerMoney } from '../outcome/result';
import { described, totalOf, Undecided, unitsInOne } from '../talk';
import { amountText } from './money';
import type { RunWallet } from './wallet';

/** What each player has at the start of a run and now, by getBalance. */
export class PlayersMoney {
  /** Each player's total when it was last read. A case that reads one writes it. */
  readonly totals = new Map<string, bigint>();
  readonly #start = new Map<string, bigint>();
  #lost = 0n;

  constructor(
    private readonly wallet: RunWallet,
    private readonly playerIds: readonly string[],
  ) {}

  /** What players had less than at the start, when they were read last. */
  get lost(): bigint {
    return this.#lost;
  }

  /**
   * Reads what each player has at the start.
   * @returns Why the run cannot begin: the wallet does not answer, or a player has fewer stakes than needed. Null if it can.
   */
  async begin(minStakes: bigint, stake: bigint): Promise<string | null> {
    for (const playerId of this.playerIds) {
      const { currency, signer } = this.wallet;
      const answer = await this.wallet.send(signer.getBalance({ playerId, currency }));
      if (answer.status === 0) {
        return `The wallet at ${this.wallet.urls[0]} does not answer: ${described(answer)}.`;
      }
      const total = answer.meaning === 'success' ? totalOf(answer, currency) : null;
      if (total === null) continue;
      const least = minStakes * stake * unitsInOne;
      if (total < least) {
        const [has, needs] = [amountText(total), amountText(least)];
        return `Player ${playerId} has ${has} in ${currency}, and needs at least ${needs}: ${minStakes} stakes.`;
      }
      this.totals.set(playerId, total);
      this.#start.set(playerId, total);
    }
    return null;
  }

  /** Reads each player's total; where getBalance has none, the last one stays. */
  async read(): Promise<void> {
    for (const playerId of this.playerIds) {
      const total = await this.wallet.total(playerId);
      if (total !== null) this.totals.set(playerId, total);
    }
    this.#lost = 0n;
    for (const [playerId, had] of this.#start) {
      const total = this.totals.get(playerId) ?? had;
      // What one player has too much does not make up for another's loss.
      if (total < had) this.#lost += had - total;
    }
  }

  /** Each player's money at the start and now; null where it cannot be read any more. */
  async atEnd(): Promise<PlayerMoney[]> {
    await this.read().catch((error: unknown) => {
      if (!(error instanceof Undecided)) throw error;
      this.totals.clear();
    });
    return [...this.#start].map(([playerId, had]) => {
      return { playerId, start: had, end: this.totals.get(playerId) ?? null };
    });
  }
}
