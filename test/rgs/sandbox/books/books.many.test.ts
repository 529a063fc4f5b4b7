import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareBooks, type ProviderRound } from '../../../../lib/rgs/sandbox/books/compare';
import { rig } from './rig';
import type { Luck } from './wrong-purse';
import { runs } from '../../../support/runs';

type Rig = ReturnType<typeof rig>;

/** Two rounds that are right, then one with the mistake, then one more that is right. */
function play(wrong: (rig: Rig) => void): Rig {
  const all = rig();
  const fine = (id: string) => {
    all.start(id, 100);
    all.win(id, 100);
  };
  fine('r1');
  fine('r2');
  wrong(all);
  all.purse.luck = 'answered';
  all.purse.mistake = 'none';
  fine('r4');
  all.ask();
  return all;
}

/** One round that was won. */
function played(): Rig {
  const all = rig();
  all.start('r1', 100);
  all.win('r1', 250);
  return all;
}

describe('the books of service and wallet agree (B3)', () => {
  test('after rounds that were won, lost, declined and voided', () => {
    const { start, win, voidRound, compare } = rig();
    start('r1', 100);
    win('r1', 250);
    start('r2', 100);
    win('r2', 0);
    start('r3', 5000);
    start('r4', 100);
    voidRound('r4');
    expect(compare()).toMatchObject({ agree: true, differences: [], doubts: [] });
    expect(compare().players).toMatchObject([
      { start: '1000', service: { least: '1050', most: '1050' }, wallet: '1050', verdict: 'agree' },
    ]);
  });

  test('while a credit is in doubt, either balance is right, and the doubt is listed', () => {
    const { purse, start, win, compare } = rig();
    for (const luck of ['replyLost', 'requestLost'] as const) {
      const id = `r ${luck}`;
      purse.luck = 'answered';
      start(id, 100);
      purse.luck = luck;
      win(id, 250);
    }
    const books = compare();
    expect(books.agree).toBe(true);
    expect(books.doubts).toHaveLength(2);
    expect(books.players).toMatchObject([
      { service: { least: '800', most: '1300' }, verdict: 'doubt' },
    ]);
  });

  test('a round after a credit in doubt has its own change at the wallet, and so has the one in doubt', () => {
    const { purse, start, win, compare } = rig();
    const changes = () => compare().rounds.map((one) => [one.gameRound, one.wallet?.change]);
    start('r1', 100);
    purse.luck = 'replyLost';
    win('r1', 250);
    purse.luck = 'answered';
    start('r2', 100);
    expect(changes()).toEqual([
      ['r1', '150'],
      ['r2', '-100'],
    ]);
    purse.luck = 'requestLost';
    win('r2', 70);
    purse.luck = 'answered';
    start('r3', 10);
    expect(changes()).toEqual([
      ['r1', '150'],
      ['r2', '-100'],
      ['r3', '-10'],
    ]);
  });

  test('a debit that was voided because nobody answered counts nothing, once the void is acknowledged', () => {
    const { purse, desk, start, compare } = rig();
    purse.luck = 'replyLost';
    start('r1', 100);
    expect(compare()).toMatchObject({ agree: true, rounds: [{ verdict: 'doubt' }] });
    purse.luck = 'answered';
    desk.deliver('r1');
    expect(compare()).toMatchObject({ agree: true, doubts: [], rounds: [{ verdict: 'agree' }] });
    expect(compare().players[0]?.service).toEqual({ least: '1000', most: '1000' });
  });
});

describe('a wallet that is wrong is named with the first round that differs (B3)', () => {
  test('no dedup: a credit that is sent again is paid again', () => {
    const { firstDiffering, compare } = play(({ purse, desk, start, win }) => {
      purse.mistake = 'noDedup';
      start('r3', 100);
      purse.luck = 'replyLost';
      win('r3', 250);
      purse.luck = 'answered';
      desk.deliver('r3');
    });
    expect(firstDiffering()).toBe('r3');
    expect(compare().differences).toMatchObject([
      { round: 'r3', service: '1150', wallet: '1400' },
      { round: 'r3', what: 'balance', service: '1150', wallet: '1400' },
    ]);
  });

  test('a void that is acknowledged and forgotten', () => {
    const { firstDiffering } = play(({ purse, start, voidRound }) => {
      purse.mistake = 'voidForgotten';
      start('r3', 100);
      voidRound('r3');
    });
    expect(firstDiffering()).toBe('r3');
  });

  test('a void that is forgotten, of a debit that nobody answered', () => {
    const { firstDiffering } = play(({ purse, desk, start }) => {
      purse.mistake = 'voidForgotten';
      purse.luck = 'replyLost';
      start('r3', 100);
      purse.luck = 'answered';
      desk.deliver('r3');
    });
    expect(firstDiffering()).toBe('r3');
  });

  test('a credit that is refused under a 5xx and paid', () => {
    const { firstDiffering, compare } = play(({ purse, start, win }) => {
      start('r3', 100);
      purse.mistake = 'paidUnder5xx';
      win('r3', 250);
    });
    expect(firstDiffering()).toBe('r3');
    expect(compare().notes).toMatchObject([{ round: 'r3' }]);
  });

  test('a 200 on a debit that was declined', () => {
    const { firstDiffering } = play(({ purse, start, win }) => {
      purse.mistake = 'acceptedAndNotBooked';
      start('r3', 5000);
      win('r3', 0);
    });
    expect(firstDiffering()).toBe('r3');
  });

  test('money that moved although no call moved it has no round', () => {
    const { purse, ask, compare } = rig();
    purse.balance += 7;
    ask();
    expect(compare().differences).toMatchObject([
      { round: null, service: '1000', wallet: '1007' },
      { round: null, what: 'balance' },
    ]);
  });
});

describe('the provider against the service, by round (B3)', () => {
  const taken: ProviderRound = {
    gameRound: 'r1',
    state: 'taken',
    stake: 100n,
    win: 250n,
    isOver: true,
  };

  test.each<[string, readonly ProviderRound[], readonly object[]]>([
    ['the same', [taken], []],
    [
      'another stake',
      [{ ...taken, stake: 50n }],
      [{ what: 'stake', service: '100', provider: '50' }],
    ],
    ['another win', [{ ...taken, win: 500n }], [{ what: 'win', service: '250', provider: '500' }]],
    [
      'still open',
      [{ ...taken, isOver: false }],
      [{ what: 'over', service: 'yes', provider: 'no' }],
    ],
    ['not taken', [{ ...taken, state: 'notTaken' }], [{ what: 'taken', service: 'taken' }]],
    ['undone', [{ ...taken, state: 'undone' }], [{ what: 'taken', provider: 'undone' }]],
    ['unknown', [], [{ what: 'taken', service: 'taken', provider: null }]],
    ['left to a person', [{ ...taken, state: 'unclear' }], []],
    [
      'a round that the service never heard of',
      [taken, { ...taken, gameRound: 'r9' }],
      [{ round: 'r9', service: null, provider: 'taken' }],
    ],
  ])('%s', (_, provider, differences) => {
    const { compare } = played();
    expect(compare(provider).differences).toMatchObject(differences);
    expect(compare(provider).agree).toBe(differences.length === 0);
  });

  test('a round that moved no money may be undone to the one and not taken to the other: a note', () => {
    const { start, voidRound, compare } = rig();
    start('r1', 100);
    voidRound('r1');
    const books = compare([{ ...taken, state: 'notTaken' }]);
    expect(books.agree).toBe(true);
    expect(books.notes).toEqual([
      { round: 'r1', text: 'the service has it voided, the provider has it notTaken' },
    ]);
  });
});

describe('what the provider cannot know', () => {
  const taken: ProviderRound = {
    gameRound: 'r1',
    state: 'taken',
    stake: 100n,
    win: 0n,
    isOver: true,
  };

  test('a round of DEMO that its book holds is no difference, since no wallet knows it (B3, E19)', () => {
    const { desk, start, win } = rig();
    start('r1', 100);
    win('r1', 0);
    const rounds = [...desk.rounds.values()].map((round) => {
      return { ...round, owner: { ...round.owner, mode: 'DEMO' as const } };
    });
    const books = compareBooks({ rounds, wallets: [], provider: [taken] });
    expect(books).toMatchObject({ agree: true, differences: [], rounds: [] });
  });

  test('a round that the service has forgotten for its age is no difference (B3, B4)', () => {
    const old = { rounds: [], wallets: [], provider: [taken] };
    expect(compareBooks(old).differences).toMatchObject([{ round: 'r1', what: 'taken' }]);
    expect(compareBooks({ ...old, forgotten: new Set(['r1']) })).toMatchObject({ agree: true });
  });

  test('a player differs if one round differs from the provider’s book (B3)', () => {
    const { compare } = played();
    const provider = [{ ...taken, win: 500n }];
    expect(compare(provider).players).toMatchObject([
      { wallet: '1150', provider: '1400', owed: '0', verdict: 'differ' },
    ]);
  });

  test('a win that the wallet refused for good is owed to the player, and no difference (B3, W12)', () => {
    const { desk, start, win } = rig();
    start('r1', 100);
    win('r1', 250);
    const rounds = [...desk.rounds.values()].map((round) => {
      const credits = round.credits.map((credit) => ({ ...credit, state: 'refused' as const }));
      return { ...round, credits, state: 'stranded' as const };
    });
    const [{ owner } = { owner: null }] = rounds;
    const { operatorId = '', playerId = '', currency = '' } = owner ?? {};
    const account = { operatorId, playerId, currency, start: 1000n, balance: 900n };
    const books = compareBooks({ rounds, wallets: [account], provider: [{ ...taken, win: 250n }] });
    expect(books).toMatchObject({
      agree: true,
      players: [{ service: { least: '900' }, provider: '1150', owed: '250', verdict: 'agree' }],
    });
  });

  test('the operator pays the stake of a free play: the player’s purse is as before (B3, E18.2)', () => {
    const { desk, start, win } = rig();
    start('r1', 100);
    win('r1', 0);
    const rounds = [...desk.rounds.values()].map((round) => {
      const debits = round.debits.map((debit) => ({ ...debit, due: { ...debit.due, amount: 0n } }));
      return { ...round, debits };
    });
    const [{ owner } = { owner: null }] = rounds;
    const { operatorId = '', playerId = '', currency = '' } = owner ?? {};
    const account = { operatorId, playerId, currency, start: 1000n, balance: 1000n };
    const books = compareBooks({ rounds, wallets: [account], provider: [taken] });
    expect(books.players).toMatchObject([
      { service: { least: '1000' }, wallet: '1000', provider: '1000', verdict: 'agree' },
    ]);
  });
});

describe('no matter what the line loses', () => {
  const luck = fc.constantFrom<Luck>('answered', 'replyLost', 'requestLost');
  const oneRound = fc.record({
    stake: fc.integer({ min: 1, max: 1200 }),
    added: fc.option(fc.integer({ min: 1, max: 300 })),
    win: fc.option(fc.integer({ min: 0, max: 500 })),
    luck: fc.tuple(luck, luck, luck),
    isRetriedFirst: fc.boolean(),
  });

  test('a right wallet never differs; and once all is delivered, nothing is in doubt', () => {
    fc.assert(
      fc.property(fc.array(oneRound, { maxLength: 8 }), (plays) => {
        const all = rig();
        const { purse, desk, start, bet, win, voidRound, compare } = all;
        plays.forEach(
          ({ stake, added, win: won, luck: [first, second, third], isRetriedFirst }, n) => {
            const id = `r${n}`;
            purse.luck = first;
            start(id, stake);
            purse.luck = second;
            if (added !== null) bet(id, `k${n}`, added);
            if (isRetriedFirst) desk.deliver(id);
            purse.luck = third;
            if (won === null) voidRound(id);
            else win(id, won);
            expect(compare().differences).toEqual([]);
          },
        );
        purse.luck = 'answered';
        for (const id of desk.rounds.keys()) desk.deliver(id);
        all.ask();
        expect(compare()).toMatchObject({ agree: true, differences: [], doubts: [] });
      }),
      { numRuns: runs(200) },
    );
  });
});
