import type { Clock } from '../../../../platform';
import { isIdentifier } from '../../../../protocol/identifiers';
import { mostFoundPlayers, type PlayerKey, type WalletStore } from '../../../wallet';
import { queryStore } from '../query-store';
import { listWaiting } from '../waiting/attention';

/** What a search found: a player, or a round of a player. */
export interface Hit extends PlayerKey {
  /** Null for a player. */
  readonly gameRound: string | null;
}

/** Where is searched. */
export type Searched =
  | 'players'
  | 'rounds of a player'
  | 'rounds by id, with serve --round-lookup'
  | 'rounds that wait';

/** Where the one field searches, in this order, until something is found. */
export function searchOrder({ totals }: Pick<WalletStore, 'totals'>): readonly Searched[] {
  const counted =
    totals === undefined ? [] : (['rounds by id, with serve --round-lookup'] as const);
  return ['players', 'rounds of a player', ...counted, 'rounds that wait'];
}

/** A search that has not begun. */
export interface SearchView {
  readonly operators: readonly string[];
  /** Where the one field searches, in this order, until something is found. */
  readonly order: readonly Searched[];
}

/** The answer to a search by one text. */
export interface HitsView {
  /** What was searched for, without spaces around it. */
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly searched: readonly Searched[];
  /** False if there may be more: the store took too long to list all rounds that wait, or many have the id. */
  readonly isWhole: boolean;
}

interface SearchPorts {
  readonly store: WalletStore;
  readonly clock: Clock;
  readonly operators: readonly string[];
}

/** Most hits of the list, and most spaces at which a text is taken apart: an id may have spaces. */
const [mostHits, mostSpaces] = [50, 4];

/**
 * What a text may mean: the id of a player; else a player and, after a space, a round or the hash of a transaction; else a
 * round by its id alone, as far as the totals keep it (`serve --round-lookup`); else a round that waits for a person.
 * @throws StoreUnavailableError
 */
export async function viewHits(ports: SearchPorts, text: string): Promise<HitsView> {
  const order = searchOrder(ports.store).filter(
    (one) => one !== 'rounds of a player' || text.includes(' '),
  );
  const until = (last: Searched) => order.slice(0, order.indexOf(last) + 1);
  const players = await playersOf(ports, text);
  if (players.length > 0) return { text, hits: players, searched: until('players'), isWhole: true };
  const rounds = await roundsOf(ports, text);
  if (rounds.length > 0) {
    return { text, hits: rounds, searched: until('rounds of a player'), isWhole: true };
  }
  const counted = await countedOf(ports, text);
  if (counted.hits.length > 0) {
    return { text, ...counted, searched: until('rounds by id, with serve --round-lookup') };
  }
  const { hits, isWhole } = await queryStore(ports.clock, waitingOf(ports, text));
  return { text, hits, searched: order, isWhole: isWhole && counted.isWhole };
}

async function playersOf(
  { store, clock, operators }: SearchPorts,
  playerId: string,
): Promise<Hit[]> {
  if (!isIdentifier(playerId)) return [];
  const hits: Hit[] = [];
  for (const operatorId of operators) {
    const player = { operatorId, playerId };
    const { accounts } = await queryStore(clock, store.rounds.accounts(player));
    if (accounts !== null) hits.push({ ...player, gameRound: null });
  }
  return hits;
}

async function roundsOf(ports: SearchPorts, text: string): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const space of [...text.matchAll(/ /g)].slice(0, mostSpaces)) {
    const [playerId, rest] = [text.slice(0, space.index), text.slice(space.index + 1).trim()];
    if (!isIdentifier(playerId) || !isIdentifier(rest)) continue;
    for (const operatorId of ports.operators) {
      const gameRound = await roundOf(ports, { operatorId, playerId }, rest);
      if (gameRound !== null) hits.push({ operatorId, playerId, gameRound });
    }
  }
  return hits;
}

/** The round with this id, or with the hash of a transaction. */
async function roundOf(
  { store, clock }: SearchPorts,
  player: PlayerKey,
  text: string,
): Promise<string | null> {
  const report = await queryStore(clock, store.rounds.readRound({ ...player, gameRound: text }));
  if (report !== null) return text;
  if (store.history === undefined) return null;
  const found = await queryStore(clock, store.history.findRound({ ...player, hash: text }));
  return found.kind === 'found' ? found.round.gameRound : null;
}

/** The rounds with this id that the totals found, and that are there still. */
async function countedOf(
  { store, clock, operators }: SearchPorts,
  gameRound: string,
): Promise<Pick<HitsView, 'hits' | 'isWhole'>> {
  const { totals } = store;
  if (totals === undefined || !isIdentifier(gameRound)) return { hits: [], isWhole: true };
  const hits: Hit[] = [];
  let isWhole = true;
  for (const operatorId of operators) {
    const players = await queryStore(clock, totals.players(operatorId, gameRound));
    if (players.length >= mostFoundPlayers) isWhole = false;
    const found = players.map(async (playerId) => {
      const key = { operatorId, playerId, gameRound };
      return (await store.rounds.readRound(key)) === null ? [] : [key];
    });
    hits.push(...(await queryStore(clock, Promise.all(found))).flat());
  }
  return { hits: hits.slice(0, mostHits), isWhole: isWhole && hits.length <= mostHits };
}

async function waitingOf(
  ports: SearchPorts,
  text: string,
): Promise<Pick<HitsView, 'hits' | 'isWhole'>> {
  const { entries, isWhole, isLate } = await listWaiting(ports);
  const hits = entries
    .filter(({ playerId, gameRound }) => gameRound === text || playerId === text)
    .map(({ operatorId, playerId, gameRound }) => ({ operatorId, playerId, gameRound }));
  return { hits: hits.slice(0, mostHits), isWhole: isWhole && !isLate && hits.length < mostHits };
}
