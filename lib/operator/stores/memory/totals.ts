import {
  mostFoundPlayers,
  type NotableKind,
  type NotablePlace,
  type NotableQuery,
  type Totals,
  type TotalsBatch,
  type TotalsChange,
  type TotalsGap,
  type TotalsName,
  type TotalsPage,
  type TotalsRow,
  type TotalsSums,
} from '../../wallet';
import { checkBounds, checkIdentifiers, checkQuarters } from '../check-input';
import { checkNotable, notableMember, notableTime, readNotable } from '../codec/notable';

type Sums = Partial<Record<TotalsName, bigint>>;

/** What rows of one time and currency add up to. */
interface KeptRow extends Omit<TotalsRow, 'sums'> {
  readonly sums: Sums;
}

/** The sums of a quarter. */
interface Quarter {
  /** By time, game and currency. */
  readonly games: Map<string, KeptRow>;
  /** Those of all games, by time and currency. */
  readonly whole: Map<string, KeptRow>;
}

/** An operator's totals. */
interface OperatorTotals {
  since: number | null;
  readonly quarters: Map<number, Quarter>;
  readonly gaps: Map<number, TotalsGap>;
  readonly rounds: Map<string, string>;
  /** Members by kind. */
  readonly notable: Map<NotableKind, Set<string>>;
  /** Players by the id of a round. */
  readonly players: Map<string, Set<string>>;
}

/** The totals of a memory store, and what they keep of rounds: as long as the process. */
export class KeptTotals {
  readonly #operators = new Map<string, OperatorTotals>();

  add(operatorId: string, { rows, rounds, gaps, since, ...more }: TotalsChange): void {
    const kept = this.of(operatorId);
    kept.since ??= since;
    for (const row of rows) addRow(kept, row);
    for (const { playerId, gameRound, text } of rounds) {
      kept.rounds.set(roundName(playerId, gameRound), text);
      if (more.isLookup === true) setOf(kept.players, gameRound).add(playerId);
    }
    for (const gap of gaps) if (!kept.gaps.has(gap.quarter)) kept.gaps.set(gap.quarter, gap);
    for (const one of more.notable ?? []) setOf(kept.notable, one.kind).add(notableMember(one));
  }

  /** Events may be missing from now on: the next change says from when on none is. */
  interrupt(operatorId: string): void {
    this.of(operatorId).since = null;
  }

  round(operatorId: string, playerId: string, gameRound: string): string | null {
    return this.of(operatorId).rounds.get(roundName(playerId, gameRound)) ?? null;
  }

  read(operatorId: string, from: number, to: number): TotalsPage {
    const { quarters, since } = this.of(operatorId);
    const rows: TotalsRow[] = [];
    for (let quarter = from; quarter < to; quarter++) {
      for (const row of quarters.get(quarter)?.games.values() ?? []) {
        rows.push({ ...row, sums: { ...row.sums } });
      }
    }
    return { rows, gaps: this.gaps(operatorId, from, to), since };
  }

  sum(operatorId: string, bounds: readonly number[]): TotalsSums {
    const { from, to } = checkBounds(bounds);
    const { quarters, since } = this.of(operatorId);
    const games = new Map<string, KeptRow>();
    const parts = bounds.slice(0, -1).flatMap((first, at) => {
      const part = new Map<string, KeptRow>();
      for (let quarter = first; quarter < (bounds[at + 1] ?? first); quarter++) {
        const kept = quarters.get(quarter);
        if (kept === undefined) continue;
        addRows(part, kept.whole, first);
        addRows(games, kept.games, from);
      }
      return [...part.values()];
    });
    return { parts, games: [...games.values()], gaps: this.gaps(operatorId, from, to), since };
  }

  notable(operatorId: string, query: NotableQuery): NotablePlace[] {
    const { kind, from, to, limit, after } = checkNotable(operatorId, query);
    const [first, end] = [notableTime(from), after ? notableMember(after) : notableTime(to)];
    const members = [...(this.of(operatorId).notable.get(kind) ?? [])].filter(
      (member) => first <= member && member < end && member < notableTime(to),
    );
    return members.toSorted().toReversed().slice(0, limit).map(readNotable);
  }

  players(operatorId: string, gameRound: string): string[] {
    return [...(this.of(operatorId).players.get(gameRound) ?? [])].slice(0, mostFoundPlayers);
  }

  private gaps(operatorId: string, from: number, to: number): TotalsGap[] {
    const { gaps } = this.of(operatorId);
    return [...gaps.values()].filter(({ quarter }) => from <= quarter && quarter < to);
  }

  private of(operatorId: string): OperatorTotals {
    const known = this.#operators.get(operatorId);
    if (known !== undefined) return known;
    const made: OperatorTotals = {
      since: null,
      quarters: new Map(),
      gaps: new Map(),
      rounds: new Map(),
      notable: new Map(),
      players: new Map(),
    };
    this.#operators.set(operatorId, made);
    return made;
  }
}

/** The totals of a memory store, with the events that they do not have. */
export function totalsOf(
  kept: KeptTotals,
  log: { uncounted(request: Parameters<Totals['batches']>[0]): AsyncIterable<TotalsBatch> },
): Totals {
  return {
    batches: (request) => log.uncounted(request),
    async rounds(operatorId, keys) {
      checkIdentifiers({ operatorId });
      return keys.map(({ playerId, gameRound }) => kept.round(operatorId, playerId, gameRound));
    },
    async read(operatorId, from, to) {
      checkIdentifiers({ operatorId });
      checkQuarters(from, to);
      return kept.read(operatorId, from, to);
    },
    async sum(operatorId, bounds) {
      checkIdentifiers({ operatorId });
      return kept.sum(operatorId, bounds);
    },
    notable: async (operatorId, query) => kept.notable(operatorId, query),
    async players(operatorId, gameRound) {
      checkIdentifiers({ operatorId, gameRound });
      return kept.players(operatorId, gameRound);
    },
  };
}

function setOf<K>(sets: Map<K, Set<string>>, key: K): Set<string> {
  const known = sets.get(key) ?? new Set<string>();
  sets.set(key, known);
  return known;
}

function addRow({ quarters }: OperatorTotals, row: TotalsRow): void {
  const kept = quarters.get(row.quarter) ?? { games: new Map(), whole: new Map() };
  quarters.set(row.quarter, kept);
  const { by, game, currency } = row;
  addSums(kept.games, JSON.stringify([by, game, currency]), row);
  addSums(kept.whole, `${by} ${currency}`, { ...row, game: '' });
}

/** Adds what does not count at the end of rounds. */
function addRows(to: Map<string, KeptRow>, rows: Quarter['games'], quarter: number): void {
  for (const [name, row] of rows) if (row.by !== 'end') addSums(to, name, row, quarter);
}

function addSums(
  to: Map<string, KeptRow>,
  name: string,
  row: TotalsRow,
  quarter = row.quarter,
): void {
  let kept = to.get(name);
  if (kept === undefined) to.set(name, (kept = { ...row, quarter, sums: {} }));
  for (const sum of Object.keys(row.sums) as TotalsName[]) {
    kept.sums[sum] = (kept.sums[sum] ?? 0n) + (row.sums[sum] ?? 0n);
  }
}

function roundName(playerId: string, gameRound: string): string {
  return JSON.stringify([playerId, gameRound]);
}
