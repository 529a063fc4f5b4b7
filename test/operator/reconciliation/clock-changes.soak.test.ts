import { expect, test } from '@jest/globals';

import { eventLines, exportOf, randomHistory, statisticsOf } from './histories';
import { compareDays, compareRounds } from './runs';
import { verdictOf } from '../../../lib/operator/reconciliation/counting/result';

const hour = 3_600_000;
/** Rounds of a week, of which each change of each zone has ten. */
const roundsOfRun = 12_500;

/** Each zone's changes of 2026: the night in the middle of a week. */
const changes: readonly (readonly [zone: string, nights: readonly [string, string]])[] = [
  ['Europe/Malta', ['2026-03-29', '2026-10-25']],
  ['America/New_York', ['2026-03-08', '2026-11-01']],
  ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
  ['America/Santiago', ['2026-04-05', '2026-09-06']],
];

test.each(changes.flatMap(([zone, nights]) => nights.map((night) => [zone, night] as const)))(
  'clean rounds of %s over the change of its clocks on %s have no difference (a million in all)',
  async (zone, night) => {
    const middle = Date.parse(`${night}T12:00:00Z`);
    const span = [middle - 84 * hour, middle + 84 * hour] as const;
    const days = Array.from({ length: 5 }, (_, at) =>
      new Date(middle + (at - 2) * 24 * hour).toISOString().slice(0, 10),
    );
    const period = [days[0] ?? '', days.at(-1) ?? ''] as const;
    for (let seed = 1; seed <= 10; seed++) {
      const history = randomHistory(seed, roundsOfRun, span);
      const lines = eventLines(history, [span[0] - 48 * hour, span[1] + 96 * hour]);
      const by = seed % 2 === 0 ? 'start' : 'end';
      const zones = changes.map(([name]) => name);
      const stated = await compareDays(lines, statisticsOf(history, { zone, by }), period, {
        zones,
      });
      const exported = exportOf(history, { zone, by }, new Set(days));
      const listed = await compareRounds(lines, exported, period, { zones });
      for (const { fit, days: compared, differences, ...rest } of [stated, listed]) {
        const result = { ...rest, fit, days: compared, differences };
        expect([verdictOf(result), differences, compared]).toEqual(['equal', [], days]);
        expect(fit.counting).toMatchObject({ zone, by });
      }
    }
  },
  600_000,
);
