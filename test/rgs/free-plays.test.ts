import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { EngineRefusedError } from '../../lib/protocol/engine-api/errors';
import type { FreePlayRequest } from '../../lib/protocol/operator-api/served-messages';
import { FreePlayRegistry } from '../../lib/rgs/free-plays';
import { changesOf } from './rounds/changes';
import { ann } from './rounds/desk';
import { playSteps } from './rounds/notation';

const request: FreePlayRequest = {
  playerId: ann.playerId,
  gameCode: ann.gameCode,
  serial: 'p',
  currency: 'EUR',
  stake: 100n,
  count: 2,
  expires: null,
};

function assign(
  registry: FreePlayRegistry,
  over: Partial<FreePlayRequest>,
  at = 0,
  operatorId = ann.operatorId,
): ReturnType<FreePlayRegistry['assign']> {
  const facts = { operatorId, internalid: `id-${over.serial ?? 'p'}`, at, ladder: [100n] };
  const assignment = registry.assign({ ...request, ...over }, facts);
  for (const event of assignment.events) registry.apply(event);
  return assignment;
}

/** A registry that lived through what a desk played. */
function after(steps: string, ...packages: Partial<FreePlayRequest>[]): FreePlayRegistry {
  const registry = new FreePlayRegistry();
  for (const one of packages) assign(registry, one);
  const { desk } = playSteps(steps.split(';').filter((step) => step.trim() !== ''));
  for (const [before, round] of changesOf(desk)) registry.follow(before, round);
  return registry;
}

function restored(registry: FreePlayRegistry): FreePlayRegistry {
  const copy = new FreePlayRegistry();
  for (const event of registry.snapshot()) copy.apply(event);
  return copy;
}

describe('assigning (E18.1, E18.4)', () => {
  test('a package is kept with what the operator named', () => {
    const registry = new FreePlayRegistry();
    const { assigned } = assign(registry, {});
    const { operatorId } = ann;
    expect(assigned).toEqual({ ...request, operatorId, internalid: 'id-p', used: 0, won: 0n });
    expect(registry.list()).toEqual([assigned]);
  });

  test('a repeated serial gives the first package unchanged, with any other content (E18.1)', () => {
    const registry = new FreePlayRegistry();
    const first = assign(registry, {});
    const over = { count: 9, stake: 50n, playerId: 'bob', expires: -1 };
    const again = assign(registry, over, 5);
    expect(again).toEqual({ ...first, events: [] });
    expect(registry.list()).toEqual([first.assigned]);
  });

  test('another operator may use the same serial (E18.1)', () => {
    const registry = new FreePlayRegistry();
    assign(registry, {});
    assign(registry, { count: 5 }, 0, 'other');
    expect(registry.list().map(({ count }) => count)).toEqual([2, 5]);
  });

  test.each([
    ['a count of 0', { count: 0 }],
    ['a count above 10,000', { count: 10_001 }],
    ['half a play', { count: 1.5 }],
    ['an expiry that is over', { expires: 7 }],
  ])('%s is refused with 19 (E18.4)', (_, over) => {
    const registry = new FreePlayRegistry();
    expect(() => assign(registry, over, 7)).toThrow(EngineRefusedError);
    expect(registry.list()).toEqual([]);
  });

  test('a stake that the game does not offer is a finding, if its stakes are known (E18.4)', () => {
    const registry = new FreePlayRegistry();
    expect(assign(registry, {}).isStakeOffered).toBe(true);
    expect(assign(registry, { serial: 'q', stake: 99n }).isStakeOffered).toBe(false);
    const facts = { operatorId: 'casino', internalid: 'x', at: 0, ladder: null };
    const unknown = registry.assign({ ...request, serial: 'r', stake: 99n }, facts);
    expect(unknown.isStakeOffered).toBe(true);
  });
});

describe('which package pays (E17.4, E18.2)', () => {
  const late = { serial: 'late', expires: 200 };
  const soon = { serial: 'soon', expires: 100 };
  const ever = { serial: 'ever' };
  const ever2 = { serial: 'ever2' };

  test.each([
    ['the one that expires first', [late, soon, ever], 50, 'soon'],
    ['not one that has expired', [late, soon, ever], 100, 'late'],
    ['one without an expiry last', [ever, late], 50, 'late'],
    ['of equal expiry the one that was assigned first', [ever, ever2], 50, 'ever'],
    ['one that still has plays', [ever, ever2], 500, 'ever'],
    ['none if all have expired', [late, soon], 200, null],
    ['none of another stake', [{ stake: 50n }], 50, null],
    ['none of another currency', [{ currency: 'SEK' }], 50, null],
    ['none of another player', [{ playerId: 'bob' }], 50, null],
    ['none of another game', [{ gameCode: 'other' }], 50, null],
  ])('%s', (_, packages, at, serial) => {
    const registry = new FreePlayRegistry();
    for (const one of packages) assign(registry, one);
    expect(registry.pick(ann, 100n, at)).toBe(serial);
    expect(restored(registry).pick(ann, 100n, at)).toBe(serial);
  });

  test('none in DEMO (E18.1)', () => {
    const registry = new FreePlayRegistry();
    assign(registry, {});
    const demo = { ...ann, mode: 'DEMO' as const };
    expect(registry.pick(demo, 100n, 1)).toBeNull();
    expect(registry.view(demo, null, 1)).toEqual({ freePlayInfo: null, freePlaysAvailable: [] });
  });
});

describe('what rounds do to a package (E18.2, E18.3, E13.4)', () => {
  test.each([
    ['E18.2 a play is taken with the intent', 'start r 100 ticket > stop', 1, 0n],
    ['E18.2 it stays taken once accepted', 'start r 100 ticket', 1, 0n],
    ['E18.2 a declined debit returns it', 'start r 100 ticket > 400 d!7', 0, 0n],
    ['E18.2 so does a silent one', 'start r 100 ticket > 503', 0, 0n],
    ['E18.2 so does a restart before its answer', 'start r 100 ticket > stop ; restart r', 0, 0n],
    ['E13.4 so does a void of the round', 'start r 100 ticket ; void r', 0, 0n],
    ['E18.3 what is open is not won', 'start r 100 ticket ; win r 30', 1, 0n],
    ['E18.3 what is collected is won', 'start r 100 ticket ; win r 30 collect', 1, 30n],
    ['E18.3 paid or not', 'start r 100 ticket ; win r 30 collect > 503', 1, 30n],
    ['E18.3 also with the start', 'start r 100 ticket credit=40 end', 1, 40n],
    ['E18.3 in two pieces', 'start r 100 ticket ; win r 30 ; collect r 10 ; end r', 1, 30n],
    [
      'E18.3 over two rounds',
      'start r 100 ticket end ; start s 100 ticket ; win s 5 collect',
      2,
      5n,
    ],
    ['E18.2 a round that is paid takes none', 'set serial=p ; start r 100', 0, 0n],
    ['E8.4 an added bet takes none', 'bet r 100 ticket tx=a ; bet r 50 tx=b', 1, 0n],
    ['E17.4 a ticket of the operator is not ours', 'set serial=x ; start r 100 ticket', 0, 0n],
  ])('%s', (_, steps, used, won) => {
    const registry = after(`set serial=p ; ${steps}`, {});
    expect(registry.list()).toMatchObject([{ used, won }]);
    expect(restored(registry).list()).toEqual(registry.list());
  });

  test('a used-up package pays no more; a play that returns makes it pay again (E18.2)', () => {
    const one = { count: 1 };
    expect(after('set serial=p ; start r 100 ticket', one).pick(ann, 100n, 1)).toBeNull();
    const registry = after('set serial=p ; start r 100 ticket ; void r', one, { serial: 'q' });
    expect(registry.pick(ann, 100n, 1)).toBe('p');
  });

  test('a play of an expired package returns, and is not offered', () => {
    const registry = after('set serial=p ; start r 100 ticket > 400 d!7', { expires: 50 });
    expect(registry.list()).toMatchObject([{ used: 0 }]);
    expect(registry.pick(ann, 100n, 60)).toBeNull();
  });
});

describe('what replies say (E18.3)', () => {
  test('the package of the round, and what is left by currency and stake', () => {
    const packages = [{}, { serial: 'q', count: 5 }, { serial: 'r', stake: 50n, count: 7 }];
    const registry = after('set serial=p ; start r 100 ticket ; win r 30 collect', ...packages);
    expect(registry.view(ann, 'p', 1)).toEqual({
      freePlayInfo: { used: 1, granted: 2, won: 30n, isLast: false, serial: 'p' },
      freePlaysAvailable: [
        { currency: 'EUR', stake: 100n, count: 6, feature: null, serial: 'p' },
        { currency: 'EUR', stake: 50n, count: 7, feature: null, serial: 'r' },
      ],
    });
  });

  test('isLast once all are used; then none are available', () => {
    const registry = after('set serial=p ; start r 100 ticket', { count: 1 });
    expect(registry.view(ann, 'p', 1)).toEqual({
      freePlayInfo: { used: 1, granted: 1, won: 0n, isLast: true, serial: 'p' },
      freePlaysAvailable: [],
    });
  });

  test('without a round the package that is used next in the currency of the token', () => {
    const registry = after('', { currency: 'SEK' }, { serial: 'q', count: 5 });
    expect(registry.view(ann, null, 1).freePlayInfo).toEqual({
      used: 0,
      granted: 5,
      won: 0n,
      isLast: false,
      serial: 'q',
    });
    expect(new FreePlayRegistry().view(ann, null, 1).freePlayInfo).toBeNull();
  });
});

describe('against a model', () => {
  const start = 'set serial=p ; start';
  const fates = ['', ' > 400 d!7', ' > 503', ' end', ' credit=3 end'];
  const plays = fc.array(fc.constantFrom(...fates), { maxLength: 12 });

  test('used is the number of debits that stand, without those declined or withdrawn (E18.2)', () => {
    fc.assert(
      fc.property(plays, fc.integer({ min: 1, max: 12 }), (history, count) => {
        const steps = history.map((fate, nth) => {
          const closing = fate === '' ? ` ; end r${nth}` : '';
          return `${start} r${nth} 100 ticket${fate}${closing}`;
        });
        const registry = after(steps.join(' ; '), { count: 12 }, { serial: 'q', count });
        const used = history.filter((fate) => !fate.includes('>')).length;
        const won = 3n * BigInt(history.filter((fate) => fate.includes('credit')).length);
        expect(registry.list()[0]).toMatchObject({ used, won });
        const [available] = registry.view(ann, null, 1).freePlaysAvailable;
        expect(available?.count).toBe(12 - used + count);
        expect(restored(registry).view(ann, 'p', 1)).toEqual(registry.view(ann, 'p', 1));
      }),
      { numRuns: 50 },
    );
  });
});
