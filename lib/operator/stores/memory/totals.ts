import type {
  Totals,
  TotalsBatch,
  TotalsChange,
  TotalsGap,
  TotalsName,
  TotalsPage,
  TotalsRow,
} from '../../wallet';
import { checkIdentifiers, checkQuarters } from '../check-input';

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
    const { quarters, gaps, since } = this.of(operatorId);
    const isAsked = (quarter: number): boolean => from <= quarter && quarter < to;
    const asked = [...quarters].filter(([quarter]) => isAsked(quarter));
    const rows = asked.flatMap(([quarter, named]) =>
      [...named].map(([name, sums]) => {
        const [by, game, currency] = JSON.parse(name) as [TotalsRow['by'], string, string];
        return { quarter, by, game, currency, sums: { ...sums } };
      }),
    );
    return { rows, gaps: [...gaps.values()].filter(({ quarter }) => isAsked(quarter)), since };
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
  };
}

function addRow({ quarters }: OperatorTotals, { quarter, by, game, currency, sums }: TotalsRow) {
  const named = quarters.get(quarter) ?? new Map<string, Record<string, bigint>>();
  quarters.set(quarter, named);
  const name = JSON.stringify([by, game, currency]);
  const before = named.get(name) ?? {};
  named.set(name, before);
  for (const [sum, units] of Object.entries(sums) as [TotalsName, bigint][]) {
    before[sum] = (before[sum] ?? 0n) + units;
  }
}

function roundName(playerId: string, gameRound: string): string {
  return JSON.stringify([playerId, gameRound]);
}
