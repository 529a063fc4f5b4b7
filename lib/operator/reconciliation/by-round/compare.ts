import { countedAt } from '../counting/cells';
import { Coverage, periodDays } from '../counting/days';
import { namedVoid } from '../counting/difference';
import { bestOf, choicesOf, type Fit, type FitChoices } from '../counting/fit';
import { type Reconciliation, tieNotes } from '../counting/result';
import type { SpooledLog } from '../rounds/log';
import { neverBegan, type PlayedRound } from '../rounds/round';
import { UnmatchedVoids } from '../rounds/unmatched-voids';
import { quarterOf } from '../../../platform/time/zone-days';
import type { SpooledExport } from './export-rows';
import { GameNames } from './game-names';
import { Naming, type NamingRequest } from './naming';
import { eachPair, type Pair, SameRounds } from './pairs';

/** What comparing by rounds needs besides. */
type ByRounds = NamingRequest & FitChoices;

/** Most pairs that are kept until it is known how the other side counts. With more, all are made a second time. */
const mostKept = 100_000;

/** Compares round by round with an export of the RGS. */
export function reconcileExport(
  log: SpooledLog,
  rows: SpooledExport,
  request: ByRounds,
): Reconciliation {
  const coverage = new Coverage(log, periodDays(request.from, request.to));
  const edges = new Edges();
  const games = new GameNames();
  const voids = new UnmatchedVoids(log.lastAt);
  const same = new SameRounds(boundsOf(request));
  const kept: Pair[] = [];
  for (const pair of eachPair(log, rows, voids)) {
    const { ours, theirs } = pair;
    if (ours !== null) {
      if (!neverBegan(ours)) coverage.note(ours);
      edges.add(ours, theirs !== null);
      games.note(ours, theirs);
    }
    if (!same.takes(pair) && kept.length <= mostKept) kept.push(pair);
  }
  const period = new Set(coverage.days);
  const fit = edges.bestFit(period, request);
  const complete = coverage.complete([fit.zone]);
  const unmatched = voids.of(fit.zone, coverage.days);
  const covered = { period, complete, lastAt: log.lastAt ?? 0 };
  const naming = new Naming(fit, covered, games, request);
  const isAll = kept.length <= mostKept && same.areOf(period, fit.counting.by, fit.zone);
  if (isAll) naming.addSame(same);
  for (const pair of isAll ? kept : eachPair(log, rows)) naming.add(pair);
  const { faults, faulty } = rows;
  const result = naming.result(request.tolerate);
  return {
    ...result,
    noted: [...result.noted, ...unmatched.map(namedVoid)],
    unmatched,
    incomplete: coverage.incomplete(fit.zone),
    fit,
    isFitted: request.zones.length > 1 || choicesOf(request).length > 1,
    faults,
    faulty,
    notes: tieNotes({ ...fit, ties: fit.ties.filter((one) => one.freePlays === 'counted') }),
  };
}

/** When the first day begins and the last one ends, in any of the zones. */
function boundsOf({ from, to, zones }: ByRounds): { readonly from: number; readonly to: number } {
  return {
    from: Math.min(...zones.map((zone) => zone.boundsOf(from).from)),
    to: Math.max(...zones.map((zone) => zone.boundsOf(to).to)),
  };
}

/**
 * Which rounds of ours the export has, by quarter of an hour: which zone and which time the export follows shows at the edges
 * of the period.
 */
class Edges {
  readonly #counts = {
    start: new Map<number, [number, number]>(),
    end: new Map<number, [number, number]>(),
  };

  add(round: PlayedRound, isThere: boolean): void {
    // A voided round may be left out of the export.
    if (round.games === 0) return;
    for (const by of ['start', 'end'] as const) {
      const at = countedAt(round, by);
      if (at === null) continue;
      const counts = this.#counts[by].get(quarterOf(at)) ?? [0, 0];
      counts[isThere ? 1 : 0] += 1;
      this.#counts[by].set(quarterOf(at), counts);
    }
  }

  /** The zone and time by which the fewest rounds are on the wrong side of an edge. */
  bestFit(period: ReadonlySet<string>, choices: FitChoices): Fit {
    const tried = choices.zones.flatMap((zone) =>
      choicesOf(choices).map((one) => {
        let differing = 0;
        for (const [quarter, [missing, there]] of this.#counts[one.by]) {
          differing += period.has(zone.dayOfQuarter(quarter)) ? missing : there;
        }
        return { counting: { zone: zone.zone, ...one }, zone, differing };
      }),
    );
    return bestOf(tried);
  }
}
