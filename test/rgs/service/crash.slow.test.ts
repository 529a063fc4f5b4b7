import { expect, test } from '@jest/globals';

import type { RgsServiceOptions } from '../../../lib/rgs/service/core/options';
import { movedTwice, roundsOf } from './books';
import { type Kill, playKilled, type Session } from './killed-session';
import { noon, type Rig } from './rig';

/** Discounts, free plays, credits at once, a round that ends another one, and faults of the wallet among them. */
const steps: Session['steps'] = [
  (rig, token) => rig.start(token, 'A', 100, { credit: 30 }),
  (rig, token) => rig.bet(token, 'A', 'a2', 100),
  (rig, token) => {
    rig.purse.faults = ['lostReply', 'lost'];
    return rig.bet(token, 'A', 'a3', 50);
  },
  (rig, token) => rig.win(token, 'A', 40, false, 'w'),
  (rig, token) => {
    rig.purse.faults = ['pending', 'lostReply'];
    return rig.start(token, 'B', 20, { closeOpenGame: true, useTicket: true, credit: 7 });
  },
  (rig, token) => {
    rig.purse.faults = ['lost', 'lost'];
    const more = { closeOpenGame: true, useTicket: true, credit: 7, endGame: true };
    return rig.start(token, 'C', 20, more);
  },
  (rig, token) => {
    rig.purse.faults = ['lostReply', 'lost'];
    return rig.start(token, 'D', 20, { useTicket: true, credit: 7, endGame: true });
  },
  (rig, token) => {
    rig.purse.faults = ['decline'];
    return rig.start(token, 'E', 20, { useTicket: true, endGame: true });
  },
  (rig, token) => rig.start(token, 'F', 20, { useTicket: true }),
  (rig, token) => rig.void(token, 'F'),
  (rig, token) => {
    rig.purse.faults = [null, 'refuse'];
    return rig.start(token, 'G', 100, { credit: 5, endGame: true });
  },
  (rig, token) => rig.bet(token, 'H', 'h1', 100),
  (rig, token) => rig.win(token, 'H', 11, false, 'hw'),
  (rig, token) => {
    rig.purse.faults = ['lostReply'];
    return rig.bet(token, 'H', 'h2', 10);
  },
  (rig, token) => rig.end(token, 'H'),
];

const discountInfo = JSON.stringify({
  currency: 'EUR',
  campaignId: 'spring',
  discounts: [{ stake: 100, absoluteDiscountAmount: 30, spinsRemaining: 50 }],
  validFrom: new Date(noon - 1000).toISOString(),
});

const freePlays = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 'S1',
  currency: 'EUR',
  stake: 20n,
  count: 9,
  expires: null,
};

/** The player has discounts and free plays. */
async function prepare(rig: Rig): Promise<void> {
  rig.purse.offers = { discountInfo };
  await rig.service.assignPlayerFreerounds('casino', freePlays);
}

/** What the rounds moved, and the free plays that they took, as the service's own book has them. */
function bookOf(rig: Rig): { readonly net: bigint; readonly plays: number } {
  let [net, plays] = [0n, 0];
  for (const { state, debits, credits } of roundsOf(rig)) {
    if (state === 'voided') continue;
    for (const { due, state: taken } of debits) {
      if (taken !== 'accepted') continue;
      net -= due.amount - (due.discount?.amount ?? 0n);
      if (due.serial !== null) plays += 1;
    }
    for (const { due, state: paid } of credits) if (paid === 'paid') net += due.amount;
  }
  return { net, plays };
}

function expectBooksAgree(rig: Rig, killed: Kill | null): void {
  const { net, plays } = bookOf(rig);
  const due = roundsOf(rig).flatMap(({ queue }) => queue);
  const [assigned] = rig.service.view().freePlays;
  expect({
    killed,
    due,
    twice: movedTwice(rig),
    balance: rig.purse.balance,
    used: assigned?.used,
  }).toEqual({ killed, due: [], twice: [], balance: 1_000n + net, used: plays });
}

test.each<[string, Partial<RgsServiceOptions>]>([
  ['batching combined', {}],
  ['batching separate', { batching: 'separate' }],
  ['collectBeforeAddedBet and zeroCredits', { collectBeforeAddedBet: true, zeroCredits: true }],
])(
  'B4, E17.3, E18.2, W7: with %s a kill at any append and at any call to the wallet leaves the purse, the free plays and the book of the service equal',
  async (_, options) => {
    const session = { steps, options, prepare };
    const dry = await playKilled(session, null);
    expectBooksAgree(dry.rig, null);
    expect(dry.appends).toBeGreaterThan(30);
    expect(dry.calls).toBeGreaterThan(20);
    const kills = [
      ...Array.from({ length: dry.appends }, (_item, at) =>
        [false, true].map((isKept): Kill => ({ of: 'append', at, isKept })),
      ),
      ...Array.from({ length: dry.calls }, (_item, at) =>
        [false, true].map((isWorked): Kill => ({ of: 'call', at, isWorked })),
      ),
    ].flat();
    for (const kill of kills) {
      const { rig } = await playKilled(session, kill);
      expectBooksAgree(rig, kill);
    }
  },
);
