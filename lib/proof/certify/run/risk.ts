import { type Answer, type Transaction, verdictOf } from '../talk';
import type { MoneyLeft } from '../talk/case';
import { type ReadCall, readCalls } from './sent-calls';

/** A debit that was sent. */
export interface SentDebit {
  readonly transaction: Transaction;
  readonly units: bigint;
  readonly isFirst: boolean;
  isVoided: boolean;
  /** Whether the wallet ever said that it took it. */
  wasTaken: boolean;
  /** Whether the wallet said that it did not take it, or never had a connection for it. */
  isRefused: boolean;
  /** Whether a call with it had a connection. */
  wasSent: boolean;
}

/** A round in which debits were sent. */
export interface SentRound {
  /** Who signed. */
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly currency: string;
  readonly debits: SentDebit[];
  /** Credits that the wallet said it paid: units by hash. */
  readonly paid: Map<string, bigint>;
}

/** A body of doTransactions under its headers; an empty one moves nothing. */
interface SentBody {
  /** X-H-AUTH-ID. */
  readonly operatorId: string;
  /** X-H-AUTH-SIG. */
  readonly signature: string;
  readonly body: string;
}

/** What limits the money at risk. */
interface RiskLimits {
  /** Each player's total when it was last read, in units. */
  readonly totals: ReadonlyMap<string, bigint>;
  readonly limit: bigint | null;
}

/** What the players may have lost at most by the debits that are not voided. */
export class MoneyAtRisk {
  readonly #rounds = new Map<string, SentRound>();
  readonly #signed = new Map<string, string>();
  #isTouched = false;
  #now = 0n;
  /** Most that was at risk at one time, in units. */
  most = 0n;

  /** Units at risk now. */
  get now(): bigint {
    return this.#now;
  }

  /** Whether anything was sent that may move money. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Notes what was signed: another body may be sent under its signature, and a wallet may take the one for the other. */
  noteSigned(signature: string, body: string): void {
    this.#signed.set(signature, body);
  }

  /**
   * Notes the debits of a body that is about to be sent; one above the player's total cannot be taken.
   * @param limit Most units that may be at risk; null for any.
   * @returns Whether it may be sent: not where it would go above the limit, and then nothing is noted.
   */
  add({ operatorId, signature, body }: SentBody, { totals, limit }: RiskLimits): boolean {
    if (body !== '') this.#isTouched = true;
    const parts = readCalls(body, this.#signed.get(signature)).flatMap((call) => {
      return this.#freshOf(operatorId, call, totals);
    });
    // Of two readings of one body a wallet takes one: the larger one counts.
    const units = parts.reduce((most, { sum }) => (sum > most ? sum : most), 0n);
    if (limit !== null && this.now + units > limit) return false;
    for (const { key, round, fresh } of parts) {
      this.#rounds.set(key, round);
      this.#change(round, () => {
        for (const debit of fresh)
          round.debits.push({
            ...debit,
            isVoided: false,
            wasTaken: false,
            isRefused: false,
            wasSent: false,
          });
      });
    }
    if (this.now > this.most) this.most = this.now;
    return true;
  }

  /** The debits of a call that were not noted yet, and their round. */
  #freshOf(operatorId: string, call: ReadCall, totals: RiskLimits['totals']) {
    if (call.debits.length === 0) return [];
    const { playerId, gameCode, gameRound, currency } = call;
    const key = JSON.stringify([operatorId, playerId, gameRound]);
    const ids = { operatorId, playerId, gameCode, gameRound, currency };
    const round: SentRound = this.#rounds.get(key) ?? { ...ids, debits: [], paid: new Map() };
    const total = totals.get(playerId);
    const known = new Set(round.debits.map(({ transaction }) => transaction.hash));
    const fresh = call.debits
      .filter(({ transaction: { hash } }) => !known.has(hash) && known.add(hash))
      .map((debit) =>
        total !== undefined && debit.units > total ? { ...debit, units: 0n } : debit,
      );
    return [{ key, round, fresh, sum: sumOf(fresh.map(({ units }) => units)) }];
  }

  /** Notes what a call changed by the wallet's own word: voids, credits and debits that were not taken. */
  settle({ operatorId, signature, body }: SentBody, answer: Answer): void {
    for (const call of readCalls(body, this.#signed.get(signature))) {
      const round = this.#rounds.get(JSON.stringify([operatorId, call.playerId, call.gameRound]));
      if (round !== undefined) this.#settleRound(round, call, answer);
    }
  }

  #settleRound(round: SentRound, call: ReadCall, answer: Answer): void {
    this.#change(round, () => {
      const isSuccess = answer.meaning === 'success';
      for (const debit of round.debits) {
        const { hash } = debit.transaction;
        const said = verdictOf(answer, hash);
        const isSent = call.debits.some(({ transaction }) => transaction.hash === hash);
        if (isSent && !debit.wasSent) {
          debit.wasSent = !answer.exchange.isUnconnected;
          debit.isRefused = !debit.wasSent;
        }
        if (answer.meaning === 'silent') continue;
        if (isSent && (said === 'processed' || (isSuccess && said !== 'refused'))) {
          debit.wasTaken = true;
        }
        // The repeat of one that was taken may be refused.
        if (isSent) debit.isRefused = !debit.wasTaken && !isSuccess;
        if (!isSuccess || !call.voids.includes(hash) || said === 'refused') continue;
        debit.isVoided = true;
        // The void of the first debit gives the whole round back.
        if (debit.isFirst) for (const other of round.debits) other.isVoided = true;
      }
      if (answer.meaning === 'silent') return;
      for (const { hash, units } of call.credits) {
        if (verdictOf(answer, hash) === 'processed') round.paid.set(hash, units);
      }
    });
  }

  /** Rounds with a debit that is not voided, unless the wallet gave back exactly what it took. */
  open(): SentRound[] {
    return this.all().filter((round) => {
      const { taken, paid } = sumsOf(round);
      const isHeld = round.debits.some((one) => !one.isVoided && !one.isRefused);
      return isHeld && (taken === 0n || taken !== paid);
    });
  }

  /** What each player may have less by the rounds that are open; for a player whose balance cannot be read. */
  left(): MoneyLeft[] {
    const units = new Map<string, bigint>();
    for (const round of this.open()) {
      const { playerId } = round;
      units.set(playerId, (units.get(playerId) ?? 0n) - riskOf(round));
    }
    return [...units]
      .filter(([, sum]) => sum !== 0n)
      .map(([playerId, sum]) => ({ playerId, units: sum, isUnread: true }));
  }

  /** Every round since the last time. */
  all(): SentRound[] {
    return [...this.#rounds.values()];
  }

  /** Forgets all rounds. */
  clear(): void {
    this.#rounds.clear();
    this.#signed.clear();
    this.#isTouched = false;
    this.#now = 0n;
  }

  /** Changes a round, and the sum with it. */
  #change(round: SentRound, change: () => void): void {
    const before = riskOf(round);
    change();
    this.#now += riskOf(round) - before;
  }
}

function riskOf(round: SentRound): bigint {
  const { taken, paid } = sumsOf(round);
  return taken > paid ? taken - paid : 0n;
}

function sumsOf({ debits, paid }: SentRound): { readonly taken: bigint; readonly paid: bigint } {
  const held = debits.filter(({ isVoided, isRefused }) => !isVoided && !isRefused);
  return { taken: sumOf(held.map(({ units }) => units)), paid: sumOf(paid.values()) };
}

function sumOf(units: Iterable<bigint>): bigint {
  return [...units].reduce((sum, one) => sum + one, 0n);
}
