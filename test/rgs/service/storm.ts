import { expect } from '@jest/globals';
import * as fc from 'fast-check';

import type { Round } from '../../../lib/rgs/rounds/round';
import { movedTwice, netOf, roundsOf } from './books';
import { Killed, Process } from './mortal';
import type { Fault } from './purse';
import { Rig } from './rig';

/** A call of a game, at one of two rounds at a time; keys repeat, so that calls do. */
const call = fc.record({
  kind: fc.constantFrom(
    'start',
    'startAndEnd',
    'startWithCredit',
    'startClosing',
    'bet',
    'bet',
    'win',
    'winAndCollect',
    'wager',
    'collect',
    'end',
    'void',
    'voidAdded',
    'info',
  ),
  round: fc.nat({ max: 3 }),
  amount: fc.integer({ min: 1, max: 60 }),
  key: fc.nat({ max: 3 }),
  /** Whether the next call waits for its answer. */
  isAwaited: fc.boolean(),
});

const event = fc.oneof(
  { weight: 12, arbitrary: call },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      at: fc.nat({ max: 3 }),
      isKept: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      hours: fc.integer({ min: 1, max: 30 }),
    }),
  },
);

const faults = fc.array(
  fc.option(fc.constantFrom<Fault>('lost', 'lostReply', 'slow', 'decline', 'pending', 'refuse'), {
    freq: 2,
  }),
  { maxLength: 40 },
);

type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;
type Call = typeof call extends fc.Arbitrary<infer C> ? C : never;

function make(rig: Rig, token: string, generation: number, made: Call): Promise<unknown> {
  const id = `R${generation}-${made.round}`;
  const { amount } = made;
  const key = `k${made.key}`;
  switch (made.kind) {
    case 'start':
      return rig.start(token, id, amount);
    case 'startAndEnd':
      return rig.start(token, id, amount, { endGame: true, credit: amount });
    case 'startWithCredit':
      return rig.start(token, id, amount, { credit: amount });
    case 'startClosing':
      return rig.start(token, `${id}x`, amount, { closeOpenGame: true });
    case 'bet':
      return rig.bet(token, id, key, amount);
    case 'win':
      return rig.win(token, id, amount, false, key);
    case 'winAndCollect':
      return rig.win(token, id, amount, true, key);
    case 'wager':
      return rig.wager(token, id, 1, amount, key);
    case 'collect':
      return rig.collect(token, id, 1, key);
    case 'end':
      return rig.end(token, id);
    case 'void':
      return rig.void(token, id);
    case 'voidAdded':
      return rig.void(token, id, key);
    case 'info':
      return rig.info(token, id);
  }
}

async function play(
  events: readonly Event[],
  bad: readonly (Fault | null)[],
  batching: 'combined' | 'mixed',
): Promise<Rig> {
  let process = new Process();
  const rig = await Rig.start({ batching });
  rig.purse.balance = 1_000_000n;
  await rig.restartIn(process);
  let token = await rig.token();
  rig.purse.faults = [...bad];
  const next = async (): Promise<void> => {
    process = process.next();
    await rig.restartIn(process);
  };
  for (const [at, one] of events.entries()) {
    if (process.isDead) await next();
    if (one.kind === 'kill') process.killAt(one.at, one.isKept);
    else if (one.kind === 'pass') {
      await rig.clock.pass(one.hours * 3_600_000);
      const left = rig.purse.faults;
      rig.purse.faults = [];
      for (;;) {
        if (process.isDead) await next();
        const opened = await rig.token().catch(unlessKilled);
        if (opened === null) continue;
        token = opened;
        break;
      }
      rig.purse.faults = left;
    } else {
      const made = make(rig, token, Math.floor(at / 12), one).catch((error: unknown) => error);
      if (one.isAwaited) await rig.run(made).catch(unlessKilled);
    }
  }
  if (process.isDead) await next();
  process.isImmortal = true;
  rig.purse.faults = [];
  await rig.run(rig.service.idle());
  await rig.run(rig.service.runJanitor());
  return rig;
}

/** After any calls, faults and kills the wallet and the service agree, and no hash counts twice. */
export async function agreeAfterStorms(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 5, maxLength: 40 }),
      faults,
      fc.constantFrom('combined' as const, 'mixed' as const),
      async (events, bad, batching) => {
        const rig = await play(events, bad, batching);
        const rounds = roundsOf(rig);
        const attention = new Set(rig.service.view().attention.map(({ gameRound }) => gameRound));
        const isForgotten = ({ queue, gameRound }: Round): boolean =>
          queue.length > 0 && !attention.has(gameRound);
        expect(rounds.filter(isForgotten)).toEqual([]);
        expect(rig.purse.balance).toBe(1_000_000n + netOf(rounds));
        expect(movedTwice(rig)).toEqual([]);
      },
    ),
    { numRuns },
  );
}

function unlessKilled(error: unknown): null {
  if (error instanceof Killed) return null;
  throw error;
}
