import type { Balance } from '../protocol/engine-api/replies';
import type { Due, Owner } from './rounds/round';
import type { Answer } from './settlement/answer';

/** The number of the call that another one is made for, as the trace of the calls counts them; null for none. */
export type Cause = number | null;

/** What a line sends may be made for a call that came in. */
interface Caused {
  readonly cause?: Cause;
}

/** One call to the operator's wallet about a round. */
export interface WalletCall extends Caused {
  readonly owner: Owner;
  readonly gameRound: string;
  readonly transactions: readonly Due[];
}

/** The answer to doTransactions, and the balance that came with it; null if there is none. */
export interface WalletAnswer {
  readonly answer: Answer;
  readonly balance: Balance | null;
}

/** A question for a balance (W11). */
export interface BalanceQuestion extends Caused {
  readonly owner: Owner;
  readonly externalSessionId: string | null;
}

/** The answer to getBalance: refused is a 4xx, with the operator's error (E5.2). */
export type BalanceAnswer =
  | { readonly kind: 'known'; readonly balance: Balance }
  | {
      readonly kind: 'refused';
      readonly error: { readonly id: number | null; readonly clientmsg: string | null };
    }
  | { readonly kind: 'silent' };

/** The line to the operators' wallets. Each method makes one attempt, in at most walletTimeoutMs (W1); none rejects. */
export interface WalletLine {
  doTransactions(call: WalletCall): Promise<WalletAnswer>;
  getBalance(question: BalanceQuestion): Promise<BalanceAnswer>;
}

/** The configuration of a game, as its provider gives it (game-engine-api 2.13). */
export interface ProviderConfiguration {
  /** Units of the player's currency, multiplied already. */
  readonly stakes: readonly bigint[];
  readonly currency: string;
  /** A decimal text. */
  readonly currencyMultiplier: string;
  /** The whole reply as JSON text, for the operator's own call. */
  readonly text: string;
}

/** A game of a provider. */
export interface ProviderGame {
  readonly gameProviderId: string;
  readonly gameCode: string;
}

/** What a provider answered: refused is a 4xx, silent all that says nothing (E23.1). */
export type ProviderAnswer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'silent' };

/** The line to the game providers (E23). Reads are repeated by the line itself; none rejects. */
export interface ProviderLine {
  getGameConfiguration(
    game: ProviderGame &
      Caused & { readonly currency: string; readonly currencyMultiplier: string },
  ): Promise<ProviderAnswer<ProviderConfiguration>>;
  /** Asks once: the janitor asks again (E23.1). */
  doAutoClose(round: ProviderGame & { readonly gameRound: string }): Promise<ProviderAnswer<null>>;
  /** The result as JSON text. */
  getGameResult(
    round: ProviderGame & { readonly gameRound: string; readonly language: string },
  ): Promise<ProviderAnswer<string>>;
  health(gameProviderId: string): Promise<ProviderAnswer<null>>;
  /** The files as JSON text. */
  certifiedFiles(gameProviderId: string): Promise<ProviderAnswer<string>>;
}

/** What a person decides about a round that needs one (E16.2). */
export type Resolution = 'close' | 'resend' | 'giveUp';
