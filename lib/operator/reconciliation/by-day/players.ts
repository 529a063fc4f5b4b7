import { Candidates, named } from './candidates';
import { type CellSums, partsOfKey } from '../counting/cells';
import type { NamedRound } from '../counting/difference';
import type { CellDifference } from '../counting/fit';
import type { SpooledLog } from '../rounds/log';
import type { PlayedRound } from '../rounds/round';
import { eachRound } from '../rounds/parts';

/** The cells that differ, as far as their players matter. */
interface OpenCells {
  open(): readonly CellDifference[];
  playersIn(key: string): ReadonlyMap<string, CellSums>;
  candidatesOf(key: string): { readonly rounds: readonly NamedRound[] };
  keysOf(round: PlayedRound): readonly { readonly key: string }[];
}

/** Which players are asked for. */
export interface PlayerQuestion {
  readonly log: SpooledLog;
  readonly source: {
    cellsOf(
      day: string,
      player: string | null,
    ): Promise<
      readonly ({ readonly currency: string; readonly game: string } & Readonly<CellSums>)[]
    >;
  };
  /** Most calls in all. */
  readonly atMost: number;
  readonly explained: OpenCells;
}

/**
 * Asks the RGS for the players of cells that differ, the likeliest first, until the difference is found. The rounds of each
 * player who differs, by cell.
 */
export async function playersOf({
  log,
  source,
  atMost,
  explained,
}: PlayerQuestion): Promise<ReadonlyMap<string, NamedRound[]>> {
  const differing = new Map<string, Map<string, CellDifference>>();
  let calls = 0;
  for (const cell of explained.open()) {
    const found = new Map<string, CellDifference>();
    const { day, game, currency } = partsOfKey(cell.key);
    const sums = explained.playersIn(cell.key);
    const rest = { games: cell.games, bet: cell.bet, win: cell.win };
    for (const player of likeliestFirst(cell.key, explained)) {
      if (calls === atMost || isNothing(rest)) break;
      calls += 1;
      const ours = sums.get(player) ?? { games: 0, bet: 0n, win: 0n };
      const left = { key: cell.key, games: ours.games, bet: ours.bet, win: ours.win };
      for (const one of await source.cellsOf(day, player)) {
        if (one.currency === currency && one.game === game) subtract(left, one);
      }
      if (isNothing(left)) continue;
      found.set(player, left);
      subtract(rest, left);
    }
    if (found.size > 0) differing.set(cell.key, found);
  }
  return differing.size === 0 ? new Map() : roundsOfPlayers(log, explained, differing);
}

function likeliestFirst(key: string, explained: OpenCells): Set<string> {
  const first = explained.candidatesOf(key).rounds.flatMap(({ player }) => player ?? []);
  return new Set([...first, ...explained.playersIn(key).keys()]);
}

function roundsOfPlayers(
  log: SpooledLog,
  explained: OpenCells,
  differing: ReadonlyMap<string, ReadonlyMap<string, CellDifference>>,
): Map<string, NamedRound[]> {
  const candidates = new Map<string, Map<string, Candidates>>();
  for (const [key, players] of differing) {
    const ofPlayers = [...players].map(([player, cell]) => [player, new Candidates(cell)] as const);
    candidates.set(key, new Map(ofPlayers));
  }
  const every = new Map<string, PlayedRound[]>();
  for (const round of eachRound(log.spool)) {
    for (const { key } of explained.keysOf(round).slice(0, 1)) {
      const ofPlayer = candidates.get(key)?.get(round.player);
      if (ofPlayer === undefined) continue;
      ofPlayer.add(round);
      const name = `${key} ${round.player}`;
      every.set(name, [...(every.get(name) ?? []).slice(0, 9), round]);
    }
  }
  return new Map(
    [...candidates].map(([key, players]) => {
      const rounds = [...players].flatMap(([player, one]) => {
        const { rounds: fitting } = one.result();
        if (fitting.length > 0) return fitting;
        return (every.get(`${key} ${player}`) ?? []).map((round) => named(round, 'of this player'));
      });
      return [key, rounds];
    }),
  );
}

type Sums = { games: number; bet: bigint; win: bigint };

function subtract(from: Sums, { games, bet, win }: Readonly<Sums>): void {
  from.games -= games;
  from.bet -= bet;
  from.win -= win;
}

function isNothing({ games, bet, win }: Readonly<Sums>): boolean {
  return games === 0 && bet === 0n && win === 0n;
}
