import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../protocol/json/parse';
import { readSignedParts } from '../../../protocol/signature';
import { type Amount, type Answer, exactly, type Transaction, unitsOf, verdictOf } from '../talk';

/** A debit that was sent. */
export interface SentDebit {
  readonly transaction: Transaction;
  readonly units: bigint;
  readonly isFirst: boolean;
  isVoided: boolean;
  /** Whether the wallet said that it did not take it. */
  isRefused: boolean;
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

/** What limits the money at risk. */
export interface RiskLimits {
  /** Each player's total when it was last read, in units. */
  readonly totals: ReadonlyMap<string, bigint>;
  readonly limit: bigint | null;
}

/** What the players may have lost at most by the debits that are not voided. */
export class MoneyAtRisk {
  readonly #rounds = new Map<string, SentRound>();
  #now = 0n;
  /** Most that was at risk at one time, in units. */
  most = 0n;

  /** Units at risk now. */
  get now(): bigint {
    return this.#now;
  }

  /**
   * Notes the debits of a body that is about to be sent; one above the player's total cannot be taken.
   * @param limit Most units that may be at risk; null for any.
   * @returns Whether it may be sent: not where it would go above the limit, and then nothing is noted.
   */
  add(operatorId: string, body: string, { totals, limit }: RiskLimits): boolean {
    const call = readCall(body);
    if (call === null || call.debits.length === 0) return limit === null || this.now <= limit;
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
    const units = fresh.reduce((sum, debit) => sum + debit.units, 0n);
    if (limit !== null && this.now + units > limit) return false;
    this.#rounds.set(key, round);
    this.#change(round, () => {
      for (const debit of fresh) round.debits.push({ ...debit, isVoided: false, isRefused: false });
    });
    if (this.now > this.most) this.most = this.now;
    return true;
  }

  /** Notes what a call changed by the wallet's own word: voids, credits and debits that were not taken. */
  settle(operatorId: string, body: string, answer: Answer): void {
    const call = answer.meaning === 'silent' ? null : readCall(body);
    if (call === null) return;
    const round = this.#rounds.get(JSON.stringify([operatorId, call.playerId, call.gameRound]));
    if (round === undefined) return;
    this.#change(round, () => {
      const isSuccess = answer.meaning === 'success';
      for (const debit of round.debits) {
        const { hash } = debit.transaction;
        const said = verdictOf(answer, hash);
        const isSent = call.debits.some(({ transaction }) => transaction.hash === hash);
        if (isSent) debit.isRefused = !isSuccess && said !== 'processed';
        if (!isSuccess || !call.voids.includes(hash) || said === 'refused') continue;
        debit.isVoided = true;
        // The void of the first debit gives the whole round back.
        if (debit.isFirst) for (const other of round.debits) other.isVoided = true;
      }
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

  /** Every round since the last time. */
  all(): SentRound[] {
    return [...this.#rounds.values()];
  }

  /** Forgets all rounds. */
  clear(): void {
    this.#rounds.clear();
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

type ReadDebit = Omit<SentDebit, 'isVoided' | 'isRefused'>;

interface ReadCall {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly currency: string;
  readonly debits: readonly ReadDebit[];
  readonly credits: readonly { readonly hash: string; readonly units: bigint }[];
  readonly voids: readonly string[];
}

/** The money of a body; null if it is not one of doTransactions. */
function readCall(body: string): ReadCall | null {
  const document = documentOf(body);
  const value = document?.value;
  if (document === null || !isJsonObject(value)) return null;
  const { playerId, gameCode, gameRound, transactions } = value;
  if (typeof playerId !== 'string' || typeof gameRound !== 'string') return null;
  // A void of such a call could not be signed either.
  if (readSignedParts('doTransactions', document).parts === null) return null;
  const list = (Array.isArray(transactions) ? transactions : []).filter(isJsonObject);
  const debits = list.flatMap((item) => debitOf(document, item));
  const ofType = (type: string) =>
    list.filter((item) => textOf(item['type']).toLowerCase() === type);
  return {
    playerId,
    gameRound,
    gameCode: typeof gameCode === 'string' ? gameCode : '',
    currency: textOf(ofType('debit')[0]?.['currency']),
    debits,
    credits: ofType('credit').map((item) => {
      return { hash: textOf(item['hash']), units: unitsOf(document.lexeme(item, 'amount')) ?? 0n };
    }),
    voids: ofType('void').map(({ hash }) => textOf(hash)),
  };
}

function debitOf(document: JsonDocument, item: JsonObject): ReadDebit[] {
  const { type, hash, currency, isFirstDebit } = item;
  if (textOf(type).toLowerCase() !== 'debit' || typeof hash !== 'string') return [];
  const text = document.lexeme(item, 'amount');
  const units = unitsOf(text) ?? 0n;
  const amount: Amount = text ?? 0n;
  const money = { amount: exactly(amount), currency: typeof currency === 'string' ? currency : '' };
  const isFirst = textOf(isFirstDebit) !== 'false';
  return [
    { transaction: { type: 'debit', hash, ...money }, units: units > 0n ? units : 0n, isFirst },
  ];
}

/** A text or a boolean as text; nothing of any other value. */
function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

function documentOf(body: string): JsonDocument | null {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}
