import assert from 'node:assert/strict';
import type { AccountStore } from '../../../operator/wallet';
import { freshRound, playerWith } from '../case';
import { wrongText, wrongUse } from '../faults';
import type { Case } from '../suite';

/** Who blocked a player, when and why: of a store that has `blocks`. */
export function blockRules(check: Case<AccountStore>): void {
  check(
    'who blocked a player, when and why is kept where the store has `blocks`',
    async (store) => {
      const player = await playerWith(store, 100n);
      if (store.blocks === undefined) return;
      const read = async () => {
        const found = await store.blocks?.(player);
        assert.ok(found?.kind === 'known', 'the player must be known');
        const times = found.blocks.map(({ at }) => at);
        assert.ok(
          times.every((at) => Number.isSafeInteger(at) && at > 1e12),
          'times are milliseconds',
        );
        return found.blocks.map(({ blocked, by, reason }) => ({ blocked, by, reason }));
      };
      assert.deepEqual(await read(), []);
      const maria = { id: 'maria', name: 'Maria M. % / é' };
      const why = 'chargeback 4711: "50 %"';
      await store.setBlocked(player, true, { by: maria, reason: why });
      const first = { blocked: true, by: maria, reason: why };
      assert.deepEqual(await read(), [first]);
      await store.setBlocked(player, true, { by: maria, reason: why });
      assert.deepEqual(await read(), [first], 'a repeat of the latest order adds no record');
      await store.setBlocked(player, false);
      const second = { blocked: false, by: null, reason: null };
      assert.deepEqual(await read(), [second, first]);
      await store.setBlocked(player, true, { by: { id: 'ines', name: null } });
      const third = { blocked: true, by: { id: 'ines', name: null }, reason: null };
      assert.deepEqual(await read(), [third, second, first]);
      const other = await playerWith(store, 1n);
      assert.deepEqual(await store.blocks(other), { kind: 'known', blocks: [] });
      assert.deepEqual(await store.blocks(freshRound()), { kind: 'noPlayer' });
    },
  );

  check(
    'who blocks and why are texts that a person can read, and anything else changes nothing',
    async (store) => {
      const player = await playerWith(store, 100n);
      if (store.blocks === undefined) return;
      const wrong = [
        [{ by: { id: '', name: null } }, wrongText],
        [{ by: 'maria' }, wrongUse],
        [{ reason: '' }, wrongText],
        [{ reason: 'x'.repeat(501) }, wrongText],
        [{ reason: 'a\u0007b' }, wrongText],
        [{ by: { id: 'a', name: 'b\nc' } }, wrongText],
        [null, wrongUse],
      ] as const;
      for (const [act, fault] of wrong) {
        await assert.rejects(store.setBlocked(player, true, act as never), fault);
      }
      const found = await store.readPlayer(player);
      assert.ok(found.kind === 'known' && !found.blocked, 'nobody must be blocked');
      assert.deepEqual(await store.blocks(player), { kind: 'known', blocks: [] });
    },
  );

  check('the latest 50 blocks are listed, the newest first', async (store) => {
    const player = await playerWith(store, 100n);
    if (store.blocks === undefined) return;
    const reasons = Array.from({ length: 53 }, (_, at) => `reason ${at}`);
    for (const reason of reasons) await store.setBlocked(player, true, { reason });
    const found = await store.blocks(player);
    assert.ok(found.kind === 'known', 'the player must be known');
    assert.deepEqual(
      found.blocks.map(({ reason }) => reason),
      reasons.slice(-50).toReversed(),
    );
  });
}
