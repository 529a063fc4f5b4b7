import { expect, test } from '@jest/globals';

import { RoundSums } from '../../lib/cli/books/round-sums';
import type { RoundBooks } from '../../lib/operator/ledger';

/** A round of a player, of which the ledger posted this much more than it says. */
function books(playerId: string, more: bigint, standing: RoundBooks['standing']): RoundBooks {
  const none = { real: 0n, bonus: 0n };
  const round = { operatorId: 'op', playerId, gameRound: 'r', currency: 'EUR' };
  return { ...round, posted: { real: more, bonus: 0n }, round: none, repairs: none, standing };
}

test('the sums of a player are told once, also if the rounds of the next are not compared', () => {
  const sums = new RoundSums(2, true);
  const told: string[] = [];
  const rounds = [
    books('ann', 5n, 'compared'),
    books('bea', 7n, 'unsettled'),
    books('bea', 3n, 'compared'),
    books('cem', 9n, 'unsettled'),
    null,
  ];
  for (const next of rounds) {
    for (const { playerId, posted } of sums.ofPlayer(next, false)) {
      told.push(`${playerId} ${posted.real}`);
    }
    if (next !== null) sums.add(next);
  }
  expect(told).toEqual(['ann 5', 'bea 3']);
});
