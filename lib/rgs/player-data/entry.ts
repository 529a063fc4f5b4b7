import type { NewPlayerData, PlayerDataEntry, PlayerDataFilter } from '../../protocol/engine-api';
import type { Owner } from '../rounds';

/** Whose data it is: the first part of an entry's key (E20.1). */
export type DataOwner = Pick<Owner, 'operatorId' | 'playerId' | 'gameCode' | 'mode'>;

/** An entry as it is kept. Its key is the owner, the currency and the stake (E20.1). */
export interface PlayerDataSet extends DataOwner, NewPlayerData {
  readonly type: 'playerDataSet';
  /** Milliseconds of the service's clock, as `expires` is. */
  readonly updated: number;
}

/** What changes player data; a journal keeps these (B4). */
export type PlayerDataEvent = PlayerDataSet;

/** Player, game, operator and mode as one text. */
export function shelfOf({ operatorId, playerId, gameCode, mode }: DataOwner): string {
  return JSON.stringify([operatorId, playerId, gameCode, mode]);
}

/** Currency and stake as one text. */
export function placeOf({ currency, stake }: PlayerDataFilter): string {
  return `${currency} ${stake}`;
}

/** Whether an entry is over: its `expires` has come (E20.3). */
export function isExpired({ expires }: PlayerDataSet, at: number): boolean {
  return expires !== null && expires <= at;
}

/** Whether the filter lets an entry through; currency '' and stake 0 filter nothing (E20.2). */
export function matchesFilter(
  entry: PlayerDataSet,
  { currency, stake }: PlayerDataFilter,
): boolean {
  return (
    (currency === '' || entry.currency === currency) && (stake === 0n || entry.stake === stake)
  );
}

/** An entry as replies have it (game-engine-api 2.11). */
export function shownOf(entry: PlayerDataSet): PlayerDataEntry {
  const { playerId, gameCode: gameId, currency, stake, data, updated, expires } = entry;
  const times = { updated: isoOf(updated), expires: expires === null ? null : isoOf(expires) };
  return { playerId, gameId, currency, stake, data, ...times };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
