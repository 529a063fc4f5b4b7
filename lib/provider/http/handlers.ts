import type { DecimalText } from '../../protocol/json/exact';

/** A number of a configuration: a bigint or a decimal text is written digit by digit. */
export type ConfigurationValue = number | bigint | DecimalText;

/** Optional numbers of a configuration (game-engine-api 2.13). */
type OptionalNumbers = {
  readonly [name in
    | 'oneHundredXOdds'
    | 'maxWinOdds'
    | 'maxPayout'
    | 'maxExposure'
    | 'calculatedMaxExposure'
    | 'winlineCount']?: ConfigurationValue;
};

/**
 * The configuration of a game for a currency (game-engine-api 2.13). Stakes are whole minor units of that
 * currency, multiplied already: see scaleStakes. Further members are texts.
 */
export interface GameConfigurationAnswer extends OptionalNumbers {
  readonly stakes: readonly (number | bigint)[];
  /** As in the request. */
  readonly currency: string;
  /** As in the request. */
  readonly currencyMultiplier: ConfigurationValue;
  /** In percent. */
  readonly expectedRtp: ConfigurationValue;
  readonly maxPayoutOdds: ConfigurationValue;
  readonly operator?: string;
  readonly [further: string]: ConfigurationValue | readonly (number | bigint)[] | undefined;
}

/** What getGameConfiguration asks (game-engine-api 4.16). Only the currency is signed. */
export interface ConfigurationQuestion {
  readonly gameProviderId: string;
  readonly gameCode: string;
  readonly currency: string;
  /** As it was sent, such as `6` or `0.5`. */
  readonly currencyMultiplier: DecimalText;
}

/** A round that the RGS asks to be closed (E23.2). It is no proof: ask the RGS for the round (E23.4). */
export interface AbandonedRound {
  readonly gameProviderId: string;
  readonly gameRound: string;
  readonly gameCode: string | null;
}

/** A round whose result the RGS asks for (E23.2). */
export interface ResultQuestion extends AbandonedRound {
  readonly language: string | null;
}

/** A file that a laboratory certified. */
export interface CertifiedFile {
  readonly file: string;
  readonly hash: string;
}

/** What your games answer. A call without a handler is answered 404, or left to the app by the router. */
export interface ProviderHandlers {
  /** Null for a game that you do not have: 400 with error 9106. */
  readonly getGameConfiguration?: (
    question: ConfigurationQuestion,
  ) => GameConfigurationAnswer | null | Promise<GameConfigurationAnswer | null>;
  /**
   * Awaited for deadlineMs. If it throws, the answer is 500, and the RGS asks again in an hour (E16.1). Calls
   * for one round do not overlap.
   */
  readonly doAutoClose?: (round: AbandonedRound) => unknown;
  /** Any JSON; null for a round that you do not know: 400 with error 14. */
  readonly getGameResult?: (question: ResultQuestion) => unknown;
  /** Any JSON object. */
  readonly health?: () => object | Promise<object>;
  readonly certifiedFiles?: () => readonly CertifiedFile[] | Promise<readonly CertifiedFile[]>;
}

/** The calls of the RGS to a provider, by their paths. */
export type ProviderOperation =
  | 'getGameConfiguration'
  | 'getGameResult'
  | 'doAutoClose'
  | 'health'
  | 'certifiedfiles';

/** How a call of the RGS was answered. */
export interface ProviderCallEvent {
  readonly operation: ProviderOperation;
  /** Null if the caller could not be verified, or need not be. */
  readonly gameProviderId: string | null;
  readonly gameRound: string | null;
  readonly gameCode: string | null;
  readonly status: number;
  /** The reply's x-h-error-id; null for a 2xx. */
  readonly errorReference: string | null;
  readonly durationMs: number;
}
