import type {
  Totals,
  TotalsBatch,
  TotalsChange,
  TotalsGap,
  TotalsName,
  TotalsPage,
  TotalsRow,
} from '../../wallet';
import { checkBounds, checkIdentifiers, checkQuarters } from '../check-input';

/** An operator's totals. */
interface OperatorTotals {
  since: number | null;
  /** By quarter; in it by time, game and currency. */
  readonly quarters: Map<number, Map<string, Record<string, bigint>>>;
  readonly gaps: Map<number, TotalsGap>;
  readonly rounds: Map<string, string>;
}

/** The totals of a memory store, and what they keep of rounds: as long as the process. */
export class KeptTotals {
  readonly #operators = new Map<string, OperatorTotals>();

  add(operatorId: string, { rows, rounds, gaps, since }: TotalsChange): void {
    const kept = this.of(operatorId);
    kept.since ??= since;
    for (const row of rows) addRow(kept, row);
    for (const { playerId, gameRound, text } of rounds) {
      kept.rounds.set(roundName(playerId, gameRound), text);
    }
    for (const gap of gaps) if (!kept.gaps.has(gap.quarter)) kept.gaps.set(gap.quarter, gap);
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
    const asked = [...quarters].filter(([quarter]) => from <= quarter && quarter < to);
    const rows = asked.flatMap(([quarter, named]) =>
      [...named].map(([name, units]) => rowOf(quarter, name, { ...units })),
    );
    return { rows, gaps: this.gaps(operatorId, from, to), since };
  }

  sum(operatorId: string, bounds: readonly number[]): TotalsPage {
    const { from, to } = checkBounds(bounds);
    const { quarters, since } = this.of(operatorId);
    const rows = bounds.slice(0, -1).flatMap((first, at) => {
      const sums = new Map<string, Record<string, bigint>>();
      for (let quarter = first; quarter < (bounds[at + 1] ?? first); quarter++) {
        for (const [name, units] of quarters.get(quarter) ?? []) {
          if (!name.startsWith('["end"')) addSums(sums, name, units);
        }
      }
      return [...sums].map(([name, units]) => rowOf(first, name, units));
    });
    return {
      rows,
      gaps: this.gaps(operatorId, from, to),
      since,
    };
  }

  private gaps(operatorId: string, from: number, to: number): TotalsGap[] {
    const { gaps } = this.of(operatorId);
    return [...gaps.values()].filter(({ quarter }) => from <= quarter && quarter < to);
  }

  private of(operatorId: string): OperatorTotals {
    const known = this.#operators.get(operatorId);
    if (known !== undefined) return known;
    const made = { since: null, quarters: new Map(), gaps: new Map(), rounds: new Map() };
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
  };
}

function addRow({ quarters }: OperatorTotals, { quarter, by, game, currency, sums }: TotalsRow) {
  const named = quarters.get(quarter) ?? new Map<string, Record<string, bigint>>();
  quarters.set(quarter, named);
  addSums(named, JSON.stringify([by, game, currency]), sums);
}

function addSums(
  to: Map<string, Record<string, bigint>>,
  name: string,
  sums: TotalsRow['sums'],
): void {
  const before = to.get(name) ?? {};
  to.set(name, before);
  for (const [sum, units] of Object.entries(sums) as [TotalsName, bigint][]) {
    before[sum] = (before[sum] ?? 0n) + units;
  }
}

function rowOf(quarter: number, name: string, sums: TotalsRow['sums']): TotalsRow {
  const [by, game, currency] = JSON.parse(name) as [TotalsRow['by'], string, string];
  return { quarter, by, game, currency, sums };
}

function roundName(playerId: string, gameRound: string): string {
  return JSON.stringify([playerId, gameRound]);
}
