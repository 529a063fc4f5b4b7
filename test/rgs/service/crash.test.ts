import { expect, test } from '@jest/globals';

import { movedTwice, netOf, roundsOf } from './books';
import { Killed, Process } from './mortal';
import { Rig } from './rig';

type Step = (rig: Rig, token: string) => Promise<unknown>;

/** A session with a debit of every outcome, a gamble, credits, and a void. */
const steps: readonly Step[] = [
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

/** Plays the session; a step whose process is killed is made again at the next process, as a game does. */
async function play(killAt: number, isKept: boolean): Promise<{ rig: Rig; appends: number }> {
  let process = new Process();
  const rig = await Rig.start();
  await rig.restartIn(process);
  const token = await rig.token();
  process.killAt(killAt, isKept);
  const before = process.appends;
  for (const step of steps) {
    const made = attempt(step(rig, token));
    const outcome = await rig.run(made).catch((error: unknown) => error);
    if (!(outcome instanceof Killed)) continue;
    process = process.next();
    await rig.restartIn(process);
    await rig.run(attempt(step(rig, token)));
  }
  const appends = process.appends - before;
  await rig.run(rig.service.idle());
  rig.purse.faults = [];
  await rig.run(rig.service.runJanitor());
  return { rig, appends };
}

/** A refusal is an outcome too. */
function attempt(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}

const dry = play(Number.POSITIVE_INFINITY, false);

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
      const { rig } = await play(at, isKept);
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
