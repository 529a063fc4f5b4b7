import { describe, expect, test } from '@jest/globals';

import {
  type Reconciliation,
  verdictOf,
} from '../../../lib/operator/reconciliation/counting/result';
import {
  eventLines,
  exportOf,
  type History,
  randomHistory,
  statisticsOf,
  type WalletEvent,
} from './histories';
import { compareDays, compareRounds } from './runs';

const hour = 3_600_000;
const span = [Date.parse('2026-10-22T00:00:00Z'), Date.parse('2026-10-25T00:00:00Z')] as const;
const frame = [span[0] - 72 * hour, span[1] + 96 * hour];
const noon = Date.parse('2026-10-23T12:00:00Z');
const utc = { zone: 'UTC', by: 'end' } as const;
const day: readonly [string, string] = ['2026-10-23', '2026-10-23'];

type Step = [at: number, state: string, transactions: Record<string, unknown>[]];

const voidOf = (hash: string) => ({
  type: 'void',
  hash,
  outcome: 'accepted',
  moved: { real: '0', bonus: '0' },
});
const debitOf = (hash: string, outcome: string, isFirstDebit: boolean) => {
  return { type: 'debit', hash, outcome, currency: 'EUR', amount: '1.00', isFirstDebit };
};
const refusedDebit = (hash: string, isFirst: boolean) => debitOf(hash, 'GAMEROUNDVOIDED', isFirst);
const end = { type: 'end', hash: 'e', outcome: 'accepted' };

/** A history in which both sides agree, and one more round that the RGS has not. */
function historyWith(steps: readonly Step[]): History {
  const history = randomHistory(3, 60, span);
  const events = steps.map(([at, state, transactions]): WalletEvent => {
    const names = { player: 'ann', round: 'lost', game: 'game-1' };
    return { at, ...names, state, transactions, movements: [] };
  });
  history.events.set('lost', events);
  return history;
}

function compare(history: History, until = frame, days = day): Promise<Reconciliation> {
  const source = statisticsOf(history, utc);
  const options = { zones: ['UTC'], by: 'end' } as const;
  return compareDays(eventLines(history, until), source, days, options);
}

function voidsOf({ noted }: Reconciliation): string[] {
  return noted.flatMap(({ kind, round, player, reason }) =>
    kind === 'void without debit' ? [`${round} ${player}: ${reason}`] : [],
  );
}

const first = 'void of lost at 2026-10-23T12:00:00.000Z, and no debit within 24 hours';

describe('a void of a hash that the wallet does not know (D10.4)', () => {
  test('alone, its day is complete and equal, and it is noted', async () => {
    const result = await compare(historyWith([[noon, 'voided', [voidOf('lost')]]]));
    expect([verdictOf(result), result.incomplete]).toEqual(['equal', []]);
    expect(voidsOf(result)).toEqual([`lost ann: ${first}`]);
  });

  test('with an export it is noted too', async () => {
    const history = historyWith([[noon, 'voided', [voidOf('lost')]]]);
    const rows = exportOf(history, utc, new Set(day));
    const result = await compareRounds(eventLines(history, frame), rows, day, { by: 'end' });
    expect([verdictOf(result), voidsOf(result)]).toEqual(['equal', [`lost ann: ${first}`]]);
  });

  test.each<[string, Step[], string[]]>([
    [
      'its debit comes within 24 hours',
      [
        [noon, 'voided', [voidOf('lost')]],
        [noon + 24 * hour, 'voided', [refusedDebit('lost', true)]],
      ],
      [],
    ],
    [
      'its debit comes later than that',
      [
        [noon, 'voided', [voidOf('lost')]],
        [noon + 24 * hour + 1, 'voided', [refusedDebit('lost', true)]],
      ],
      [`lost ann: ${first}`],
    ],
    ['it is of a follow-up debit', [[noon, 'none', [voidOf('d2')]]], ['d2']],
    [
      'that follow-up debit comes within 24 hours',
      [
        [noon, 'none', [voidOf('d2')]],
        [noon + hour, 'none', [refusedDebit('d2', false)]],
      ],
      [],
    ],
    [
      'its debit was declined before',
      [
        [noon - hour, 'open', [debitOf('lost', 'accepted', true)]],
        [noon - hour + 1, 'open', [debitOf('d2', 'BALANCETOOLOW', false)]],
        [noon, 'open', [voidOf('d2')]],
        [noon + 1, 'voided', [{ ...voidOf('lost'), moved: { real: '1.00', bonus: '0' } }]],
      ],
      [],
    ],
    [
      'its round was closed and forgotten',
      [
        [frame[0] ?? 0, 'closed', [debitOf('lost', 'accepted', true), end]],
        [noon, 'voided', [voidOf('lost')]],
      ],
      [`lost ann: ${first}`],
    ],
  ])('%s', async (_, steps, expected) => {
    const history = historyWith(steps);
    const isForgotten = steps[0]?.[1] === 'closed';
    const lines = eventLines(history, frame).map((line) =>
      isForgotten
        ? line.replace('"gameRound":"lost","version":2', '"gameRound":"lost","version":1')
        : line,
    );
    const options = { zones: ['UTC'], by: 'end' } as const;
    const result = await compareDays(lines, statisticsOf(history, utc), day, options);
    expect(verdictOf(result)).toBe('equal');
    expect(voidsOf(result)).toHaveLength(expected.length);
    for (const [at, text] of expected.entries()) expect(voidsOf(result)[at]).toContain(text);
  });

  test('less than 24 hours before the last event it is not noted yet, but with the next day it is', async () => {
    const history = historyWith([[noon, 'voided', [voidOf('lost')]]]);
    const early = [frame[0] ?? 0, Date.parse('2026-10-24T02:00:00Z')];
    const keep = new Map([...history.events].filter(([id]) => id === 'lost'));
    const only: History = { rounds: new Map(), events: keep };
    expect(voidsOf(await compare(only, early))).toEqual([]);
    const next = [frame[0] ?? 0, Date.parse('2026-10-25T02:00:00Z')];
    const result = await compare(only, next, ['2026-10-24', '2026-10-24']);
    expect(voidsOf(result)).toEqual([`lost ann: ${first}`]);
    const after = await compare(only, frame, ['2026-10-25', '2026-10-25']);
    expect(voidsOf(after)).toEqual([]);
  });

  test('it is not noted where the events begin in the middle of its round: the debit may be before', async () => {
    const history = historyWith([[noon, 'voided', [voidOf('lost')]]]);
    const lines = eventLines(history, frame).map((line) =>
      line.replace('"gameRound":"lost","version":1', '"gameRound":"lost","version":2'),
    );
    const options = { zones: ['UTC'], by: 'end' } as const;
    const result = await compareDays(lines, statisticsOf(history, utc), day, options);
    expect([voidsOf(result), verdictOf(result)]).toEqual([[], 'incomplete']);
  });
});
