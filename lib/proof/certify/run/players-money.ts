import type { PlayerMoney } from '../talk/case';
import {
  described,
  totalOf,
  Undecided,
  unitsInOne,
  decimals,
  type Transaction,
  voidOf,
} from '../talk';
import type { RunWallet } from './wallet';
import { formatAmount } from '../../../protocol/money/amount';
import { writeJson } from '../../../protocol/json/write';
import type { Credentials } from '../client';
import type { MoneyAtRisk, SentDebit, SentRound } from './risk';

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
   * @returns Why the run cannot begin, with what to do: the wallet does not answer, a player has fewer stakes than needed, or one
   *   of the players has no account. Null if it can.
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
      if (total < minStakes * stake * unitsInOne) {
        return tooLittle({ playerId, total, currency, minStakes, stake });
      }
      this.totals.set(playerId, total);
      this.#start.set(playerId, total);
    }
    // Where the wallet answers for nobody, the cases of the basics say what is wrong.
    const unknown = this.playerIds.find((playerId) => !this.#start.has(playerId));
    if (unknown === undefined || this.#start.size === 0) return null;
    return `The wallet has no balance of player ${unknown} in ${this.wallet.currency}: open an account with money for this player, or name another.`;
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

/** Why a run cannot begin with what a player has, and the ways to begin it. */
function tooLittle(facts: {
  readonly playerId: string;
  readonly total: bigint;
  readonly currency: string;
  readonly minStakes: bigint;
  readonly stake: bigint;
}): string {
  const { playerId, total, currency, minStakes, stake } = facts;
  const least = minStakes * stake * unitsInOne;
  const [has, needs, lacks] = [total, least, least - total].map(amountText);
  const affordable = total / (minStakes * unitsInOne);
  const smaller = affordable >= minStake ? `, or use a smaller stake (--stake ${affordable})` : '';
  return `Player ${playerId} has ${has} in ${currency} and needs at least ${needs}, ${minStakes} stakes of ${stake}: deposit ${lacks} or more${smaller}.`;
}

/** The smallest stake that a run takes: half of it must be a whole unit. */
const minStake = 2n;

/** Units as the wire's number: `100`, `-0.5`. */
export function amountText(units: bigint): string {
  return formatAmount(units, decimals);
}

/** Who may have signed a round: the operators of the run, by their IDs. */
export type Signers = ReadonlyMap<string, Credentials>;

/**
 * Voids what the last case staked: the first debit of each round, which gives the whole round back.
 * @param withAll Voids every debit of these rounds, also those that seem voided.
 */
export async function giveBack(
  wallet: RunWallet,
  signers: Signers,
  risk: MoneyAtRisk,
  withAll: boolean,
): Promise<void> {
  for (const round of withAll ? risk.all() : risk.open()) {
    const { operatorId } = round;
    const by = signers.get(operatorId);
    if (by === undefined) continue;
    for (const debit of withAll ? round.debits : mainDebits(round)) {
      const body = writeJson(callOf(round, voidOf(debit.transaction)));
      const answer = await wallet.send(wallet.signer.doTransactions(body, { by }));
      risk.settle(operatorId, body, answer);
    }
  }
}

function mainDebits({ debits }: SentRound): readonly SentDebit[] {
  const open = debits.filter(({ isVoided }) => !isVoided);
  const first = open.find(({ isFirst }) => isFirst);
  return first === undefined ? open : [first];
}

function callOf({ playerId, gameCode, gameRound }: SentRound, transaction: Transaction) {
  return { playerId, gameCode, gameRound, transactions: [transaction], transactionCount: 1 };
}
