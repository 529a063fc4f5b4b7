import { expect, test } from '@jest/globals';

import { FaultyRound } from './faulty-round';
import { answers } from './rig';

const batches = Array.from({ length: 8 }, (_, batch) => [batch * 50, batch * 50 + 49] as const);

/** What a round came to, as far as the rules say what it must be. */
async function played(seed: number) {
  const round = await FaultyRound.play(seed);
  const report = await round.rig.store.rounds.readRound({
    operatorId: 'casino',
    playerId: 'ann',
    gameRound: 'r',
  });
  const state = report?.head.state ?? 'none';
  const changed: string[] = [];
  for (const { call, told } of round.settled) {
    if (told === null || state === 'voided') continue;
    const again = answers(await round.rig.call(call)).map((answer) => answer.replace(' again', ''));
    const expected = call.map(({ hash }, index) => `${hash} ${told[index]}`);
    if (again.join() !== expected.join()) changed.push(`${expected.join()} -> ${again.join()}`);
  }
  return {
    round,
    found: {
      seed,
      units: await round.rig.balance(),
      failedVoids: round.failedVoids,
      changed,
      waits: state === 'cancelled' || report?.head.unanswered !== 0,
    },
  };
}

test.each(batches)(
  'whatever a store does wrong, the money is what the RGS was told, resends are answered alike, and nothing stays unresolved (O1 to O5, O8, O9): seeds %i to %i',
  async (from, to) => {
    for (let seed = from; seed <= to; seed++) {
      const { round, found } = await played(seed);
      expect(found).toEqual({
        seed,
        units: round.expectedUnits,
        failedVoids: [],
        changed: [],
        waits: false,
      });
    }
  },
);

test('the rounds with faults come to all that a call can come to', async () => {
  const kinds = new Set<string>();
  for (let seed = 0; seed < 100; seed++) {
    const { settled } = await FaultyRound.play(seed);
    for (const { told } of settled) {
      if (told === null) kinds.add('voided');
      else for (const answer of told) kinds.add(answer);
    }
  }
  expect([...kinds].toSorted()).toEqual([
    'BALANCETOOLOW',
    'DEBITFAILEDBEFORE',
    'GAMEROUNDNOTACTIVE',
    'processed',
    'voided',
  ]);
});
