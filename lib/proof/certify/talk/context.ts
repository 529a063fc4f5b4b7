import type { Clock } from '../../../platform';
import type { Random } from '../../../platform/random';
import { type Answer, type Amount, exactly, type Transaction } from './answer';
import type { Credentials, SigningOptions, WalletRequest } from '../client';
import { type Writable, writeJson } from '../../../protocol/json/write';

/** What differs from the usual round. */
interface RoundOptions {
  /** The first player unless set. */
  readonly playerId?: string;
  /** A new id unless set. */
  readonly gameRound?: string;
  /** Who signs; the operator itself unless set. */
  readonly by?: Credentials;
  /** Address of another instance of the wallet. */
  readonly url?: string;
}

/** What of a call differs from the usual. */
export interface PostOptions extends SigningOptions {
  /** Address of another instance of the wallet. */
  readonly url?: string;
}

/** How long the long cases are. */
export interface LongCases {
  /** Seed of the histories: the same one makes the same histories, with other ids. */
  readonly seed: number;
  /** Random histories to play. */
  readonly histories: number;
  /** Kills between and during calls. */
  readonly kills: number;
  /** Rounds a second, and for how many seconds; null for no load. */
  readonly load: { readonly rate: number; readonly seconds: number } | null;
}

/** A part of a load; each part has as many rounds. */
export interface LoadSlice {
  readonly calls: number;
  /** A quarter of its answers took at most this long, in milliseconds. */
  readonly ms: number;
  /** Of the wallet at its end; null if nobody can say. */
  readonly memoryBytes: number | null;
}

/** What one case sends when a run begins, for others at its end. */
export interface KeptForTheEnd {
  /** When it was sent, by the monotonic clock. */
  readonly atMs: number;
  /** Debits that have not come; their voids have. */
  readonly early: readonly { readonly round: Round; readonly debit: Transaction }[];
  /** Transactions that were answered 200 and together moved nothing. */
  readonly played: { readonly round: Round; readonly transactions: readonly Transaction[] };
}

/** What a case plays on: the wallet, seen by HTTP, and two players with money. */
export interface CaseContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly currency: string;
  readonly gameCode: string;
  /** The usual debit of a case, in units. */
  readonly stake: bigint;
  /** Id of the first player. */
  readonly playerId: string;
  /** Id of the second player. @throws NotTried if there is none. */
  otherPlayerId(): string;
  /** The operator itself. */
  readonly operator: Credentials;
  /** Its second secret. @throws NotTried if there is none. */
  otherSecret(): Credentials;
  /** A second operator of the same wallet. @throws NotTried if there is none. */
  secondOperator(): Credentials;
  /** Every address of the wallet, the first one first. */
  readonly urls: readonly string[];
  /** Ends the wallet and starts it again, in good order, and waits until it answers. @throws NotTried without a command. */
  restart(): Promise<void>;
  /** Kills the wallet and starts it again, and waits until it answers. @throws NotTried without the commands. */
  kill(): Promise<void>;
  /** Blocks the first player; lifted at the end of the case at the latest. @throws NotTried without the commands. */
  block(): Promise<void>;
  /** Lifts the block. */
  unblock(): Promise<void>;
  /** @throws NotTried unless the run may stake a balance down to the last cent. */
  useBalance(): void;
  /** A remark on how far a long case is; shown while it runs. */
  note(text: string): void;
  /** Milliseconds until the run's time is over. */
  timeLeftMs(): number;
  /** Half of the wallet's replies took at most this long, in milliseconds. */
  usualMs(): number;
  /** What the user chose for the long cases. */
  readonly settings: LongCases;
  keepForTheEnd(kept: KeptForTheEnd): void;
  /** What was kept for the end of the run; null if nothing was. */
  keptForTheEnd(): KeptForTheEnd | null;
  /** Notes what the latest load has shown, its slices in order. */
  keepLoad(slices: readonly LoadSlice[]): void;
  /** What the latest load has shown; empty if there was none. */
  loadSoFar(): readonly LoadSlice[];
  /** Whether the run can read the wallet's memory. */
  readonly knowsMemory: boolean;
  /** The wallet's memory. @throws NotTried without a command; Undecided if it fails. */
  memoryBytes(): Promise<number>;
  /** A hash that no run had before. */
  newHash(): string;
  /** A round with an id that no run had before. */
  round(options?: RoundOptions): Round;
  /** Signs a body of doTransactions as it is written, and sends it. */
  post(body: string, options?: PostOptions): Promise<Answer>;
  /** The same, signed and not yet sent. @throws TypeError if a signed field is missing. */
  sign(body: string, options?: SigningOptions): WalletRequest;
  /** Sends a request to the byte. */
  send(request: WalletRequest, url?: string): Promise<Answer>;
  /**
   * Sends requests at the same time, spread over the addresses of the wallet: no body is sent before each has a connection.
   * The answers are in the same order; `spreadMs` is the time from the first body to the last, endless if a connection
   * came too late.
   */
  sendAtOnce(
    requests: readonly WalletRequest[],
  ): Promise<{ readonly answers: readonly Answer[]; readonly spreadMs: number }>;
  /** GET /getBalance; `currency` and the first player's id unless set, an undefined parameter is left out. */
  getBalance(
    parameters?: Readonly<Record<string, string | undefined>>,
    options?: PostOptions,
  ): Promise<Answer>;
  /**
   * Total of a player's real and bonus balance, in units.
   * @throws Undecided if getBalance does not return it.
   */
  balance(playerId?: string): Promise<bigint>;
  /** @throws CaseFailure unless the first player, or the given one, has exactly this total. */
  balanceMustBe(units: bigint, when: string, playerId?: string): Promise<void>;
}

type Members = { readonly [member: string]: Writable };

/** A gameround of one player, which the case begins. */
export interface Round {
  readonly gameRound: string;
  readonly playerId: string;
  /** A debit with isFirstDebit true. */
  firstDebit(amount: Amount, more?: Members): Transaction;
  /** A debit with isFirstDebit false. */
  followUp(amount: Amount, more?: Members): Transaction;
  credit(amount: Amount, more?: Members): Transaction;
  end(more?: Members): Transaction;
  /** The body of a call with these transactions, in order; `more` replaces members, an undefined one is left out. */
  message(transactions: readonly Transaction[], more?: Partial<Members>): string;
  /** Sends the transactions in one call, signed now. */
  send(...transactions: readonly Transaction[]): Promise<Answer>;
}

/** What a round is made of. */
interface RoundParts {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly currency: string;
  newHash(): string;
  now(): number;
  /** Signs and sends a body of doTransactions. */
  post(body: string): Promise<Answer>;
}

/** A round; nothing is sent yet. */
export function createRound(parts: RoundParts): Round {
  const { playerId, gameCode, gameRound, currency } = parts;
  const common = (reason: string) => ({
    hash: parts.newHash(),
    timestamp: new Date(parts.now()).toISOString(),
    reason,
  });
  const debit = (isFirstDebit: boolean, amount: Amount, more: Members): Transaction => {
    const money = { currency, amount: exactly(amount) };
    return { type: 'debit', isFirstDebit, ...money, ...common('spin'), ...more };
  };
  const message: Round['message'] = (transactions, more = {}) => {
    const count = transactions.length;
    const all = { playerId, gameCode, gameRound, transactions, transactionCount: count, ...more };
    const present = Object.entries(all).filter(([, value]) => value !== undefined);
    return writeJson(Object.fromEntries(present));
  };
  return {
    gameRound,
    playerId,
    firstDebit: (amount, more = {}) => debit(true, amount, more),
    followUp: (amount, more = {}) => debit(false, amount, more),
    credit: (amount, more = {}) => {
      const money = { currency, amount: exactly(amount) };
      return { type: 'credit', ...money, ...common('win'), ...more };
    },
    end: (more = {}) => ({ type: 'end', ...common('end'), ...more }),
    message,
    send: (...transactions) => parts.post(message(transactions)),
  };
}
