import type { MoneyLeft, PlayerMoney } from '../talk/case';
import {
  type Answer,
  described,
  totalOf,
  Undecided,
  unitsInOne,
  type Transaction,
  voidOf,
} from '../talk';
import { looksAlike, noAccount, tooLittle, wrongSecret } from './obstacles';
import type { RunWallet } from './wallet';
import { Secret } from '../../../protocol/signature';
import { writeJson } from '../../../protocol/json/write';
import type { Credentials } from '../client';
import type { MoneyAtRisk, SentDebit, SentRound } from './risk';

/** What each player has at the start of a run and now, by getBalance. */
export class PlayersMoney {
  /** Each player's total when it was last read. A case that reads one writes it. */
  readonly totals = new Map<string, bigint>();
  readonly #start = new Map<string, bigint>();
  /** Each player's total after the last case. */
  #settled = new Map<string, bigint>();
  #lost = 0n;
  readonly #unread = new Set<string>();

  constructor(
    private readonly wallet: RunWallet,
    private readonly playerIds: readonly string[],
  ) {}

  /** Whether getBalance had the player's total when they were read last. */
  isRead(playerId: string): boolean {
    return !this.#unread.has(playerId);
  }

  /** What players had less than at the start, when they were read last. */
  get lost(): bigint {
    return this.#lost;
  }

  /**
   * Reads what each player has at the start.
   * @returns Why the run cannot begin, with what to do: the wallet does not answer, the secret is wrong, or a player is
   *   unknown or has fewer stakes than needed. Null if it can.
   */
  async begin(minStakes: bigint, stake: bigint): Promise<string | null> {
    const { currency, signer } = this.wallet;
    for (const playerId of this.playerIds) {
      const answer = await this.wallet.send(signer.getBalance({ playerId, currency }));
      if (answer.status === 0) {
        return `The wallet at ${this.wallet.urls[0]} does not answer: ${described(answer)}.`;
      }
      if (answer.meaning === 'refusal') return this.#whyRefused(playerId, answer);
      const total = answer.meaning === 'success' ? totalOf(answer, currency) : null;
      if (total === null) continue;
      if (total < minStakes * stake * unitsInOne) {
        return tooLittle({ playerId, total, currency, minStakes, stake });
      }
      this.totals.set(playerId, total);
      this.#start.set(playerId, total);
    }
    this.settle();
    // Where the wallet answers for nobody, the cases of the basics say what is wrong.
    const unknown = this.playerIds.find((playerId) => !this.#start.has(playerId));
    return unknown === undefined || this.#start.size === 0 ? null : noAccount(unknown, currency);
  }

  /** What a refused getBalance means: the secret is wrong if a secret that nobody has is refused in the same way. */
  async #whyRefused(playerId: string, answer: Answer): Promise<string> {
    const { currency, signer, operator } = this.wallet;
    if (this.#start.size > 0) return noAccount(playerId, currency, answer);
    const by = { ...operator, secret: new Secret('a secret that no operator has') };
    const other = await this.wallet.send(signer.getBalance({ playerId, currency }, { by }));
    return looksAlike(answer, other)
      ? wrongSecret(operator.operatorId, answer)
      : noAccount(playerId, currency, answer);
  }

  /** Reads each player's total; where getBalance has none, the last one stays. */
  async read(): Promise<void> {
    for (const playerId of this.playerIds) {
      const total = await this.wallet.total(playerId);
      if (total === null) this.#unread.add(playerId);
      else {
        this.#unread.delete(playerId);
        this.totals.set(playerId, total);
      }
    }
    this.#lost = 0n;
    for (const [playerId, had] of this.#start) {
      const total = this.totals.get(playerId) ?? had;
      // What one player has too much does not make up for another's loss.
      if (total < had) this.#lost += had - total;
    }
  }

  /** What each player has more or less than after the last case, by what was read last; nobody who has the same. */
  sinceLastCase(): readonly MoneyLeft[] {
    return [...this.#settled].flatMap(([playerId, had]) => {
      const units = (this.totals.get(playerId) ?? had) - had;
      return units === 0n ? [] : [{ playerId, units }];
    });
  }

  /** A case is over: what follows is compared with what was read last. */
  settle(): void {
    this.#settled = new Map(this.totals);
  }

  /** Each player's money at the start and now; null where it cannot be read any more. */
  async atEnd(): Promise<PlayerMoney[]> {
    await this.read().catch((error: unknown) => {
      if (!(error instanceof Undecided)) throw error;
      this.totals.clear();
    });
    return [...this.#start].map(([playerId, had]) => {
      const end = this.isRead(playerId) ? this.totals.get(playerId) : undefined;
      return { playerId, start: had, end: end ?? null };
    });
  }
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
      const answer = await wallet.send(wallet.signer.anyTransactions(body, { by }));
      risk.settle({ operatorId, signature: '', body }, answer);
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
