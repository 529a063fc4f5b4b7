import { describe, expect, test } from '@jest/globals';

import { createSeededRandom } from '../../../lib/platform/random';
import {
  createProviderBook,
  nameOf,
  readReels,
  type Reels,
} from '../../../lib/proof/demo/game-bells';
import {
  drawReels,
  expectedRtp,
  maxPayoutOdds,
  oddsOf,
} from '../../../lib/proof/demo/game-bells/reels';
import type { RoundReply } from '../../../lib/provider';

const all: Reels[] = [0, 1, 2, 3, 4, 5].flatMap((a) =>
  [0, 1, 2, 3, 4, 5].flatMap((b) => [0, 1, 2, 3, 4, 5].map((c): Reels => [a, b, c])),
);

describe('the reels of game-bells (S4)', () => {
  test('the 216 results pay back the RTP that the configuration states, exactly', () => {
    const paid = all.reduce((sum, reels) => sum + oddsOf(reels), 0n);
    expect((Number(paid) / 216) * 100).toBeCloseTo(Number(expectedRtp), 2);
  });

  test('the highest win comes as seldom as the configuration states', () => {
    const highest = all.filter((reels) => oddsOf(reels) === 18n).length;
    expect(216 / highest).toBe(maxPayoutOdds);
  });

  test('a seed draws the same reels again', () => {
    const [one, other] = [createSeededRandom(7), createSeededRandom(7)];
    const drawn = all.map(() => drawReels(one));
    expect(all.map(() => drawReels(other))).toEqual(drawn);
    expect(new Set(drawn.map(nameOf)).size).toBeGreaterThan(80);
  });

  test.each([
    [
      ['bell', 'bell', 'star'],
      [0, 0, 2],
    ],
    [
      [0, 5, 'cherry'],
      [0, 5, 5],
    ],
    [['bell', 'bell'], null],
    [['bell', 'bell', 'bell', 'bell'], null],
    [['bell', 'Bell', 'bell'], null],
    [['', '', ''], null],
    [[0, 0, 6], null],
    [[0, 0, -1], null],
    [[], null],
  ])('%j are the reels %j', (wanted, reels) => {
    expect(readReels(wanted)).toEqual(reels);
  });
});

describe("the provider's own book (B3)", () => {
  const reply = {
    tokenData: { operatorId: 'casino', playerId: 'ann', currency: 'EUR' },
    gameRoundInfo: { hash: 'r1', stake: 999n },
    amountCredited: 999n,
  } as unknown as RoundReply;

  test('counts what it asked for and granted, and copies no figure of the RGS', () => {
    const book = createProviderBook();
    book.requested('r1', 'EUR');
    expect(book.find('r1')).toMatchObject({ state: 'requested', playerId: null, stake: 0n });
    book.taken(reply, 100n);
    book.debitAdded('r1', 50n);
    book.won('r1', 30n);
    book.gambled('r1', 60n);
    expect(book.find('r1')).toMatchObject({ state: 'taken', stake: 150n, open: 60n, win: 0n });
    book.collected('r1', 20n);
    book.ended('r1');
    expect(book.rounds()).toEqual([
      {
        gameRound: 'r1',
        operatorId: 'casino',
        playerId: 'ann',
        currency: 'EUR',
        state: 'ended',
        stake: 150n,
        win: 60n,
        open: 0n,
      },
    ]);
  });

  test('a round that was undone or not taken has moved nothing', () => {
    const book = createProviderBook();
    for (const round of ['r1', 'r2']) book.requested(round, 'EUR');
    book.taken(reply, 100n);
    book.won('r1', 30n);
    book.undone('r1');
    book.notTaken('r2');
    const nothing = { stake: 0n, win: 0n, open: 0n };
    expect(book.find('r1')).toMatchObject({ state: 'undone', ...nothing });
    expect(book.find('r2')).toMatchObject({ state: 'notTaken', ...nothing });
  });
});
