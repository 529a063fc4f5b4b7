import assert from 'node:assert/strict';
import { maxUnits } from '../../../protocol/money';
import type { AccountStore } from '../../../operator/wallet';
import { anotherRound, assertCommitted, playerWith, purseOf } from '../case';
import { give, openingOf, real, reverse } from '../changes';
import type { Case } from '../suite';

/** Balances are exact down to -(2^53-1) units and up to 2^53-1, and end there. */
export function rangeRules(check: Case<AccountStore>): void {
  check('a reversal may go down to -(2^53-1) units, and no further', async (store) => {
    const round = await playerWith(store, 0n);
    const down = openingOf([reverse('v', real(-maxUnits))]);
    assertCommitted(await store.commit(round, down));
    assert.equal((await purseOf(store, round)).real, -maxUnits);
    const further = await store.commit(anotherRound(round), openingOf([reverse('w', real(-1n))]));
    assert.deepEqual(further, { kind: 'refused', hash: 'w', reason: 'outOfRange' });
    assert.equal((await purseOf(store, round)).real, -maxUnits);
  });

  check('a balance above 2^53-1 units is refused as out of range', async (store) => {
    const round = await playerWith(store, maxUnits, maxUnits);
    for (const purse of [real(1n), { real: 0n, bonus: 1n }, real(maxUnits)]) {
      const refused = await store.commit(round, openingOf([give('c', purse)]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'c', reason: 'outOfRange' });
    }
    assert.deepEqual(await purseOf(store, round), { real: maxUnits, bonus: maxUnits });
  });
}
