import type { DecimalText, ExactJsonObject } from '../../protocol/json';

/** A package of free plays as stored by the service (operator-api 2.5). */
export interface FreePlayPackage {
  /** The serial of the request. */
  readonly serial: string;
  /** The service's own id of the package; null if there is none. */
  readonly internalid: string | null;
  /** Plays granted by the first request of this serial. */
  readonly count: number;
  readonly used: number;
  /** As received, ISO 8601; null if there is none. */
  readonly expires: string | null;
  readonly further: ExactJsonObject;
}

/** One record of the statistics (operator-api 2.4); a missing value is null. */
export type StatisticsRecord = {
  /** The day, if records are grouped by it. */
  readonly DAY: string | null;
  readonly currency: string | null;
  readonly games: number | null;
  readonly player: number | null;
  /** Return to player, in percent. */
  readonly RTP: DecimalText | null;
  readonly further: ExactJsonObject;
} & {
  /** The text as received, in the local currency and in euro of that day; see `readExactAmount`. */
  readonly [amount in 'bet' | 'win' | 'betInEuro' | 'winInEuro']: string | null;
};

/** The reply of getStats. */
export interface Statistics {
  readonly records: readonly StatisticsRecord[];
  readonly further: ExactJsonObject;
}

/** Optional numbers of a configuration. */
export type ConfigurationNumber =
  | 'currencyMultiplier'
  | 'expectedRtp'
  | 'oneHundredXOdds'
  | 'maxWinOdds'
  | 'maxPayout'
  | 'maxPayoutOdds'
  | 'maxExposure'
  | 'calculatedMaxExposure'
  | 'winlineCount';

/** The configuration of a game for a currency (operator-api 2.6). */
export type GameConfiguration = {
  readonly gameCode: string;
  /** In the unit of the protocol's amounts. */
  readonly stakes: readonly DecimalText[];
  readonly currency: string;
  readonly operator: string | null;
  readonly further: ExactJsonObject;
} & { readonly [name in ConfigurationNumber]: DecimalText | null };

/** A game of the list. */
export interface ListedGame {
  readonly name: string;
  readonly studio: string | null;
  readonly further: ExactJsonObject;
}

/**
 * The reply of getGameList, by gameCode. The reply may have one of the two lists only; the other is then
 * empty.
 */
export interface GameList {
  /** Names only; deprecated by the service. */
  readonly gameList: Readonly<Record<string, string>>;
  readonly extendedGameList: Readonly<Record<string, ListedGame>>;
  readonly further: ExactJsonObject;
}
