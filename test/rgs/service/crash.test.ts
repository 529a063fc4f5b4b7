import { expect, test } from '@jest/globals';

import { movedTwice, netOf, roundsOf } from './books';
import { playKilled, type Session } from './killed-session';

/** A session with a debit of every outcome, a gamble, credits, and a void. */
const steps: Session['steps'] = [
  (rig, token) => rig.bet(token, 'R', 'b1', 100),
  (rig, token) => {
    rig.purse.faults = ['lostReply', 'lost'];
    return rig.bet(token, 'R', 'b2', 50);
  },
  (rig, token) => rig.bet(token, 'R', 'b3', 25),
  (rig, token) => rig.win(token, 'R', 60, false, 'w1'),
  (rig, token) => rig.wager(token, 'R', 60, 120, 'g1'),
  (rig, token) => {
    rig.purse.faults = ['lostReply'];
    return rig.collect(token, 'R', 20, 'c1');
  },
  (rig, token) => {
    rig.purse.faults = ['lost', 'pending'];
    return rig.win(token, 'R', 5, true, 'w2');
  },
  (rig, token) => {
    rig.purse.faults = ['lostReply'];
    return rig.start(token, 'S', 10);
  },
  (rig, token) => rig.start(token, 'T', 10),
  (rig, token) => rig.void(token, 'T'),
  (rig, token) => {
    rig.purse.faults = ['decline'];
    return rig.start(token, 'U', 10);
  },
  (rig, token) => rig.start(token, 'V', 30, { credit: 40, endGame: true }),
];

const dry = playKilled({ steps }, null);

test('without a crash every step has its outcome', async () => {
  const { rig } = await dry;
  const states = roundsOf(rig).map(({ gameRound, state }) => `${gameRound} ${state}`);
  expect(states).toEqual(['R closed', 'S cancelled', 'T voided', 'U declined', 'V closed']);
  expect(rig.purse.balance).toBe(1_000n + netOf(roundsOf(rig)));
  expect(rig.purse.balance).toBe(1_000n - 125n + 125n - 30n + 40n);
});

test.each([
  ['before it is durable', false],
  ['after it is durable, before anything is done with it', true],
])(
  'B4: a kill at any append, %s, loses no decision, no void, no credit and no key',
  async (_, isKept) => {
    const { appends } = await dry;
    expect(appends).toBeGreaterThan(25);
    for (let at = 0; at < appends; at += 1) {
      const { rig } = await playKilled({ steps }, { of: 'append', at, isKept });
      const rounds = roundsOf(rig);
      const label = `killed at append ${at}`;
      expect({ label, balance: rig.purse.balance }).toEqual({
        label,
        balance: 1_000n + netOf(rounds),
      });
      expect({ label, twice: movedTwice(rig) }).toEqual({ label, twice: [] });
      expect({ label, due: rounds.flatMap(({ queue }) => queue) }).toEqual({ label, due: [] });
      for (const { gameRound, entries, debits, state } of rounds) {
        const keys = entries.flatMap(({ key }) => key ?? []);
        expect({ label, gameRound, keys: new Set(keys).size }).toEqual({
          label,
          gameRound,
          keys: keys.length,
        });
        expect({ label, state }).not.toEqual({ label, state: 'starting' });
        const undecided = debits.filter((debit) => debit.state === 'due');
        expect({ label, undecided }).toEqual({ label, undecided: [] });
      }
    }
  },
);
