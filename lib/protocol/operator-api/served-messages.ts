import type { JsonObject } from '../json/parse';
import { ExactNumber, writeJson } from '../json/write';

/** getGameURL, read (E24.2). */
export interface LaunchRequest {
  /** Null for DEMO without a player. */
  readonly playerId: string | null;
  readonly currency: string;
  readonly gameCode: string;
  readonly language: string;
  readonly mode: 'REAL' | 'DEMO' | 'HISTORY';
  readonly profile: string | null;
  /** Launch options: GameSettings that win over the profile's (E21.1). */
  readonly options: Readonly<JsonObject>;
  readonly externalSessionId: string | null;
  readonly device: string | null;
}

/** assignPlayerFreerounds, read (operator-api 4.3). */
export interface FreePlayRequest {
  readonly playerId: string;
  readonly gameCode: string;
  readonly serial: string;
  readonly currency: string;
  /** Units, at least 1. */
  readonly stake: bigint;
  /** 1 to 10,000 (E18.4). */
  readonly count: number;
  /** Milliseconds since 1970; null for a package that never expires. */
  readonly expires: number | null;
}

/** The reply to assignPlayerFreerounds (operator-api 2.5). */
export interface AssignedFreePlays {
  readonly serial: string;
  readonly internalid: string;
  readonly count: number;
  readonly used: number;
  /** Milliseconds since 1970; null for a package that never expires. */
  readonly expires: number | null;
}

/** What statistics can be grouped by (E24.3). */
export type StatisticsGroup = 'DAY' | 'currency' | 'game' | 'player';

/** backoffice/getStats, read (operator-api 4.4, E24.3). */
export interface StatisticsQuery {
  /** Each at most once; empty if absent. */
  readonly groupBy: readonly StatisticsGroup[];
  /** `YYYY-MM-DD`, a real day; not after `dateToIncluding`. */
  readonly dateFrom: string | null;
  readonly dateToIncluding: string | null;
  readonly currency: string | null;
  readonly gameCode: string | null;
  readonly playerId: string | null;
  readonly showTotals: boolean;
}

/** A record of getStats; amounts are texts in units on the wire (E24.3). */
export interface StatisticsRow {
  readonly DAY: string | null;
  readonly currency: string;
  readonly game: string | null;
  readonly playerId: string | null;
  readonly bet: bigint;
  readonly win: bigint;
  readonly betInEuro: bigint | null;
  readonly winInEuro: bigint | null;
  readonly games: number;
  readonly player: number;
  /** Two decimals. */
  readonly RTP: string;
}

/** What registerPlayer or sendRealityCheckResponse says of a player, as it came (E24.4). */
export interface OperatorNotice {
  readonly playerId: string;
  /** JSON text of the whole body. */
  readonly body: string;
}

/** A game of getGameList. */
export interface ServedGame {
  readonly gameCode: string;
  readonly name: string;
  readonly studio: string;
}

/** The query of the operator's getGameConfiguration. */
export interface ConfigurationQuery {
  readonly gameCode: string;
  readonly currency: string;
}

/** The body of the reply to getGameURL (E24.2). */
export function writeLaunchReply({ url }: { readonly url: string }): string {
  return writeJson({ url });
}

/** The body of the reply to assignPlayerFreerounds (operator-api 2.5). */
export function writeFreePlays({ expires, ...granted }: AssignedFreePlays): string {
  const time = expires === null ? undefined : new Date(expires).toISOString();
  return writeJson({ ...granted, expires: time });
}

/** The body of the reply to getStats (operator-api 2.4): amounts are texts in units (E24.3). */
export function writeStatistics(rows: readonly StatisticsRow[]): string {
  const records = rows.map((row) => ({
    DAY: row.DAY ?? undefined,
    currency: row.currency,
    game: row.game ?? undefined,
    playerId: row.playerId ?? undefined,
    games: row.games,
    player: row.player,
    bet: String(row.bet),
    win: String(row.win),
    betInEuro: row.betInEuro === null ? undefined : String(row.betInEuro),
    winInEuro: row.winInEuro === null ? undefined : String(row.winInEuro),
    RTP: new ExactNumber(row.RTP),
  }));
  return writeJson({ records });
}

/** The body of the reply to getGameList, with both lists of the public documentation. */
export function writeGameList(games: readonly ServedGame[]): string {
  return writeJson({
    gameList: Object.fromEntries(games.map(({ gameCode, name }) => [gameCode, name])),
    extendedGameList: Object.fromEntries(
      games.map(({ gameCode, name, studio }) => [gameCode, { name, studio }]),
    ),
  });
}
