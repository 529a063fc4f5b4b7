import { EngineRefusedError } from '../protocol/engine-api/errors';
import type { NewPlayerData, PlayerDataFilter } from '../protocol/engine-api/requests';
import type { PlayerDataEntry } from '../protocol/engine-api/replies';
import type { Owner } from './rounds/round';
import { timeOrNull, timeText } from '../platform/time/iso';

/** The owner of data: the first part of an entry's key (E20.1). */
type DataOwner = Pick<Owner, 'operatorId' | 'playerId' | 'gameCode' | 'mode'>;

/**
 * An entry as it is set, which is all that changes player data; a journal keeps these (B4). Its key is the owner, the
 * currency and the stake (E20.1).
 */
export interface PlayerDataEvent extends DataOwner, NewPlayerData {
  readonly type: 'playerDataSet';
  /** Milliseconds of the service's clock, as `expires` is. */
  readonly updated: number;
}

/** Player, game, operator and mode as one text. */
export function shelfOf({ operatorId, playerId, gameCode, mode }: DataOwner): string {
  return JSON.stringify([operatorId, playerId, gameCode, mode]);
}

/** Currency and stake as one text. */
function placeOf({ currency, stake }: PlayerDataFilter): string {
  return `${currency} ${stake}`;
}

/** Whether an entry is over: its `expires` has come (E20.3). */
function isExpired({ expires }: PlayerDataEvent, at: number): boolean {
  return expires !== null && expires <= at;
}

/** Whether the filter lets an entry through; currency '' and stake 0 filter nothing (E20.2). */
function matchesFilter(entry: PlayerDataEvent, { currency, stake }: PlayerDataFilter): boolean {
  return (
    (currency === '' || entry.currency === currency) && (stake === 0n || entry.stake === stake)
  );
}

/** An entry as replies have it (game-engine-api 2.11). */
function shownOf(entry: PlayerDataEvent): PlayerDataEntry {
  const { playerId, gameCode: gameId, currency, stake, data, updated, expires } = entry;
  const times = { updated: timeText(updated), expires: timeOrNull(expires) };
  return { playerId, gameId, currency, stake, data, ...times };
}

/** Limits of player data (E20). */
export interface PlayerDataLimits {
  /** MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: how long an entry of DEMO lives at most (E20.3). */
  readonly maxLifetimeInDemoSeconds: number;
  /** Bytes of a payload, as JSON text (E20.1). */
  readonly maxBytes: number;
  /** Entries of a player and game in a mode (E20.1). */
  readonly maxEntries: number;
}

/** The values of E20. */
const defaultPlayerDataLimits: PlayerDataLimits = Object.freeze({
  maxLifetimeInDemoSeconds: 86_400,
  maxBytes: 65_536,
  maxEntries: 1_000,
});

/** Between two sweeps for entries that have expired. */
const hourMs = 3_600_000;

/**
 * What games store for their players (E20). Times are milliseconds of the service's clock. `set` changes
 * nothing: apply its events at once, then wait until the journal has them, then read back with `get`.
 */
export class PlayerData {
  readonly #limits: PlayerDataLimits;
  readonly #shelves = new Map<string, Map<string, PlayerDataEvent>>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(limits: Partial<PlayerDataLimits> = {}) {
    this.#limits = { ...defaultPlayerDataLimits, ...limits };
  }

  /** The entries that the filter lets through and that have not expired, in the order of their first set (E20.2). */
  get(owner: DataOwner, filter: PlayerDataFilter, at: number): readonly PlayerDataEntry[] {
    const entries = [...(this.#shelves.get(shelfOf(owner))?.values() ?? [])];
    return entries.filter((one) => !isExpired(one, at) && matchesFilter(one, filter)).map(shownOf);
  }

  /**
   * Replaces the entry with the key of the request, or makes it (E20.2).
   * @throws EngineRefusedError 19 for a payload above the limit, or one entry too many (E20.1)
   */
  set(owner: DataOwner, request: NewPlayerData, at: number): readonly PlayerDataEvent[] {
    checkSize(request, this.#limits);
    const shelf = this.#shelves.get(shelfOf(owner));
    if (shelf !== undefined && !shelf.has(placeOf(request))) checkRoom(shelf, at, this.#limits);
    const { operatorId, playerId, gameCode, mode } = owner;
    const { currency, stake, data } = request;
    const expires = mode === 'DEMO' ? capped(request.expires, at, this.#limits) : request.expires;
    const name = { operatorId, playerId, gameCode, mode, currency, stake };
    return [{ type: 'playerDataSet', ...name, data, updated: at, expires }];
  }

  apply(event: PlayerDataEvent): void {
    this.#sweep(event.updated);
    const key = shelfOf(event);
    const shelf = this.#shelves.get(key) ?? new Map<string, PlayerDataEvent>();
    this.#shelves.set(key, shelf);
    shelf.set(placeOf(event), event);
  }

  /** Events that give this state to an empty registry. */
  snapshot(): readonly PlayerDataEvent[] {
    return [...this.#shelves.values()].flatMap((shelf) => [...shelf.values()]);
  }

  #sweep(at: number): void {
    if (at - this.#sweptAt < hourMs) return;
    this.#sweptAt = at;
    for (const [key, shelf] of this.#shelves) {
      for (const [place, entry] of shelf) if (isExpired(entry, at)) shelf.delete(place);
      if (shelf.size === 0) this.#shelves.delete(key);
    }
  }
}

function checkSize({ data }: NewPlayerData, { maxBytes }: PlayerDataLimits): void {
  if (Buffer.byteLength(data) > maxBytes) throw new EngineRefusedError('INVALIDPARAMETER', 'E20.1');
}

/** Entries that have expired take no room (E20.1). */
function checkRoom(
  shelf: ReadonlyMap<string, PlayerDataEvent>,
  at: number,
  { maxEntries }: PlayerDataLimits,
): void {
  if (shelf.size < maxEntries) return;
  const live = [...shelf.values()].filter((entry) => !isExpired(entry, at));
  if (live.length >= maxEntries) throw new EngineRefusedError('INVALIDPARAMETER', 'E20.1');
}

/** E20.3: an entry of DEMO ends after the cap, if not before. */
function capped(
  expires: number | null,
  at: number,
  { maxLifetimeInDemoSeconds }: PlayerDataLimits,
): number {
  const cap = at + maxLifetimeInDemoSeconds * 1_000;
  return expires === null ? cap : Math.min(expires, cap);
}
