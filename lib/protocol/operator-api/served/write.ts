import { ExactNumber, writeJson } from '../../json';
import type { AssignedFreePlays, ServedGame, StatisticsRow } from './messages';

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
