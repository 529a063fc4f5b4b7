import { describe, expect, test } from '@jest/globals';

import { decideToken } from '../../../lib/rgs/rounds/query';
import { defaultAges, isPastMaxAge, janitorWork } from '../../../lib/rgs/rounds/delivery';
import type { Due, Round, RoundState } from '../../../lib/rgs/rounds/round';
import { ann, idOf } from './desk';

const hour = 3_600_000;

function due(type: Due['type']): Due {
  const common = { hash: 'h', at: 0, reason: type, amount: 1n, currency: 'EUR' };
  if (type === 'debit')
    return { ...common, type, isFirstDebit: true, discount: null, serial: null };
  return type === 'end' ? { hash: 'h', at: 0, reason: 'end', type } : { ...common, type };
}

function roundOf(gameRound: string, state: RoundState, queue: readonly Due['type'][] = []): Round {
  return {
    owner: ann,
    gameRound,
    isNamed: true,
    state,
    endsAtOnce: false,
    startedAt: 0,
    lastCallAt: 0,
    voids: [],
    debits: [],
    credits: [],
    entries: [],
    awaiting: [],
    counters: [],
    queue: queue.map(due),
    undelivered: [],
    needsPerson: false,
  };
}

const states = `
E16.1 | an open round that nobody called for 24 hours is closed by its provider | open     | -           | 24  | autoClose
E16.1 | before that it is left alone                                          | open     | -           | 23  | -
E16.1 | a closed one is left alone                                            | closed   | -           | 99  | -
E16.2 | at seven days an open one is left to a person                         | open     | -           | 168 | attention
B2    | a pending credit is sent                                              | closed   | credit end  | 1   | deliver
B2    | so is the void of a cancelled round                                   | cancelled | void       | 1   | deliver
B2    | an open round may have both to be done                                | open     | void        | 24  | deliver autoClose
W2    | a debit is never sent by the janitor                                  | starting | debit       | 1   | -
E16.2 | at seven days what is pending is left to a person, and not sent       | closed   | credit      | 168 | attention
E16.2 | so is a void that was never acknowledged                              | voided   | void        | 168 | attention
E16.2 | a round without anything due is no matter for a person                | closed   | -           | 168 | -
`;

describe('a run of the janitor', () => {
  const rows = states.split('\n').filter((line) => line.trim() !== '');
  test.each(rows.map((line) => line.split('|').map((cell) => cell.trim())))(
    '%s: %s',
    (_rule, _sentence, state, queue = '', hours, expected) => {
      const types = queue === '-' ? [] : (queue.split(' ') as Due['type'][]);
      const round = roundOf('r', state as RoundState, types);
      const work = janitorWork([{ round }], Number(hours) * hour, defaultAges);
      const parts = (['deliver', 'autoClose', 'attention'] as const).filter(
        (part) => work[part].length > 0,
      );
      expect(parts.join(' ') || '-').toBe(expected);
    },
  );

  test('B2: voids go first, then credits, then ends', () => {
    const rounds = (['end', 'credit', 'void', 'credit'] as const).map((type, at) =>
      roundOf(`${type} ${at}`, 'closed', [type]),
    );
    const work = janitorWork(
      rounds.map((round) => ({ round })),
      hour,
      defaultAges,
    );
    expect(work.deliver.map(({ gameRound }) => gameRound)).toEqual([
      'void 2',
      'credit 1',
      'credit 3',
      'end 0',
    ]);
  });

  test('E16.1: doAutoClose is sent again each hour, and a later call puts it off', () => {
    const round = roundOf('r', 'open');
    const countAutoCloses = (autoCloseRequestedAt: number, now: number): number =>
      janitorWork([{ round, autoCloseRequestedAt }], now, defaultAges).autoClose.length;
    expect(countAutoCloses(24 * hour, 25 * hour - 1)).toBe(0);
    expect(countAutoCloses(24 * hour, 25 * hour)).toBe(1);
    const called = [{ round, lastCallAt: 20 * hour }];
    expect(janitorWork(called, 30 * hour, defaultAges).autoClose).toEqual([]);
  });

  test('E1.3: a DEMO round is not closed by its provider', () => {
    const round: Round = { ...roundOf('r', 'open'), owner: { ...ann, mode: 'DEMO' } };
    expect(janitorWork([{ round }], 30 * hour, defaultAges).autoClose).toEqual([]);
  });

  test('E16.2: a round that needs a person is listed at any age', () => {
    const round = { ...roundOf('r', 'stranded'), needsPerson: true };
    expect(janitorWork([{ round }], 0, defaultAges).attention).toEqual([round]);
    expect(isPastMaxAge(round, 0, defaultAges)).toBe(false);
  });
});

describe("a janitor's token (E5.6)", () => {
  test('E5.6: it is given for an open round of the provider alone', () => {
    const open = roundOf('r', 'open');
    expect(decideToken('studio', open)).toEqual({ kind: 'answered', round: open });
    const refusals = [
      decideToken('studio', null),
      decideToken('other', open),
      decideToken('studio', roundOf('r', 'closed')),
    ];
    expect(refusals.map((one) => one.kind === 'refused' && idOf(one))).toEqual([14, 14, 13]);
  });
});
