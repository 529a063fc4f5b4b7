import {
  mostFoundPlayers,
  notableKeptMs,
  type Totals,
  type TotalsBatch,
  type TotalsChange,
  type TotalsGap,
  type TotalsName,
  totalsNames,
  type TotalsPage,
  type TotalsRow,
} from '../../wallet';
import { checkBounds, checkIdentifiers, checkQuarters } from '../check-input';
import { checkNotable } from '../codec/notable';
import type { Executor, Line } from './connections/executor';
import { functions } from './schema/functions';

/** The totals of a PostgreSQL store. */
export function totalsOf(
  executor: Executor,
  events: { uncounted(request: Parameters<Totals['batches']>[0]): AsyncIterable<TotalsBatch> },
): Totals {
  return {
    batches: (request) => events.uncounted(request),
    async rounds(operatorId, keys) {
      checkIdentifiers({ operatorId });
      const lines = await executor.run(functions.readTotalsRounds, {
        of_operator: operatorId,
        players: keys.map(({ playerId }) => playerId),
        rounds: keys.map(({ gameRound }) => gameRound),
      });
      const kept = new Map(lines.map(([player, round, text]) => [nameOf(player, round), text]));
      return keys.map(({ playerId, gameRound }) => kept.get(nameOf(playerId, gameRound)) ?? null);
    },
    async read(operatorId, from, to) {
      checkIdentifiers({ operatorId });
      checkQuarters(from, to);
      const asked = { of_operator: operatorId, from_quarter: from, to_quarter: to };
      const lines = await executor.run(functions.readTotals, asked);
      return { rows: rowsOf(lines, 'row'), ...marksOf(lines) };
    },
    async sum(operatorId, bounds) {
      checkIdentifiers({ operatorId });
      checkBounds(bounds);
      const asked = { of_operator: operatorId, bounds: [...bounds] };
      const lines = await executor.run(functions.sumTotals, asked);
      return { parts: rowsOf(lines, 'part'), games: rowsOf(lines, 'game'), ...marksOf(lines) };
    },
    async notable(operatorId, query) {
      const { kind, from, to, limit, after } = checkNotable(operatorId, query);
      const lines = await executor.run(functions.listNotable, {
        of_operator: operatorId,
        of_kind: kind,
        from_ms: from,
        to_ms: to,
        before_at: after?.at ?? null,
        before_player: after?.playerId ?? null,
        before_round: after?.gameRound ?? null,
        at_most: limit,
      });
      return lines.map(([at, playerId, gameRound]) => {
        return { at: Number(at), playerId: playerId ?? '', gameRound: gameRound ?? '' };
      });
    },
    async players(operatorId, gameRound) {
      checkIdentifiers({ operatorId, gameRound });
      const lines = await executor.run(functions.findPlayers, {
        of_operator: operatorId,
        of_round: gameRound,
        at_most: mostFoundPlayers,
      });
      return lines.map(([playerId]) => playerId ?? '');
    },
  };
}

function rowsOf(lines: readonly Line[], kind: 'row' | 'part' | 'game'): TotalsRow[] {
  return lines.flatMap((line) => (line[0] === kind ? [rowOf(line)] : []));
}

function marksOf(lines: readonly Line[]): Omit<TotalsPage, 'rows'> {
  const since = lines.find(([kind]) => kind === 'since')?.[1];
  return {
    gaps: lines.flatMap((line) => (line[0] === 'gap' ? [gapOf(line)] : [])),
    since: typeof since === 'string' ? Number(since) : null,
  };
}

/** The parameters of add_totals for a change. */
export function totalsValues(
  { notable = [], isLookup = false, ...change }: TotalsChange,
  now: number,
) {
  const { rows, rounds, gaps, since } = change;
  const sums = rows.map((row) => {
    const units = totalsNames.map((name) => String(row.sums[name] ?? 0n));
    return [row.quarter, row.by, row.game, row.currency, ...units];
  });
  const kept = rounds.map((one) => [one.playerId, one.gameRound, one.text, one.expiresAt]);
  const missing = gaps.map((gap) => [gap.quarter, gap.kind, gap.playerId, gap.gameRound]);
  return {
    since,
    sums: JSON.stringify(sums),
    rounds: JSON.stringify(kept),
    gaps: JSON.stringify(missing),
    now_ms: now,
    notable: JSON.stringify(notable.map((one) => [one.kind, one.at, one.playerId, one.gameRound])),
    keep_from: now - notableKeptMs,
    is_lookup: isLookup,
  };
}

function rowOf([, quarter, by, game, currency, ...units]: Line): TotalsRow {
  const sums: Partial<Record<TotalsName, bigint>> = {};
  for (const [at, name] of totalsNames.entries()) {
    const text = units[at] ?? '0';
    if (text !== '0') sums[name] = BigInt(text);
  }
  return {
    quarter: Number(quarter),
    by: by as TotalsRow['by'],
    game: game ?? '',
    currency: currency ?? '',
    sums,
  };
}

function gapOf([, quarter, kind, playerId, gameRound]: Line): TotalsGap {
  return {
    quarter: Number(quarter),
    kind: kind as TotalsGap['kind'],
    playerId: playerId ?? '',
    gameRound: gameRound ?? '',
  };
}

function nameOf(...ids: readonly unknown[]): string {
  return JSON.stringify(ids);
}
