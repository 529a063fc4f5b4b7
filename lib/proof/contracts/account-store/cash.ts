import assert from 'node:assert/strict';
import { maxUnits } from '../../../protocol/money/amount';
import type { AccountStore, CashResult } from '../../../operator/wallet';
import { accountsOf, countKinds, freshRound, open, orderOf, playerWith, purseOf } from '../case';
import { freshId } from '../../subject/runner';
import { type Case, wrongText, wrongUse } from '../suite';

/** Cash: deposits and withdrawals, once per reference. */
export function cashRules(it: Case<AccountStore>): void {
  it('a deposit and a withdrawal move money once per reference', async (store) => {
    const player = await playerWith(store.players, 100n);
    const deposit = orderOf(player, 30n);
    const withdrawal = orderOf(player, 50n);
    assert.deepEqual(await store.players.deposit(deposit), done(130n, false));
    assert.deepEqual(await store.players.withdraw(withdrawal), done(80n, false));
    assert.deepEqual(await store.players.deposit(deposit), done(80n, true));
    assert.deepEqual(await store.players.withdraw(withdrawal), done(80n, true));
    assert.equal((await purseOf(store, player)).real, 80n);
  });

  it('many concurrent copies of an order move money once', async (store) => {
    const player = await playerWith(store.players, 100n);
    const order = orderOf(player, 60n);
    const results = await Promise.all(
      Array.from({ length: 8 }, () => store.players.withdraw(order)),
    );
    const replays = results.filter((result) => result.kind === 'done' && result.replay);
    assert.deepEqual([countKinds(results), replays.length], [{ done: 8 }, 7]);
    assert.equal((await purseOf(store, player)).real, 40n);
  });

  it('a reference with other content is refused, and nothing moves', async (store) => {
    const player = await playerWith(store.players, 100n, 100n);
    await open(store.players, player, 'USD', 100n);
    const order = orderOf(player, 30n);
    await store.players.deposit(order);
    const refused = { kind: 'refused', reason: 'referenceReused' };
    assert.deepEqual(await store.players.deposit({ ...order, amount: { units: 31n } }), refused);
    assert.deepEqual(await store.players.deposit({ ...order, currency: 'USD' }), refused);
    assert.deepEqual(await store.players.deposit({ ...order, balance: 'bonus' }), refused);
    assert.deepEqual(await store.players.withdraw(order), refused);
    assert.deepEqual(await accountsOf(store, player), [
      { currency: 'EUR', real: 130n, bonus: 100n },
      { currency: 'USD', real: 100n, bonus: null },
    ]);
  });

  it('references of different players are independent', async (store) => {
    const [one, other] = [await playerWith(store.players, 0n), await playerWith(store.players, 0n)];
    const order = orderOf(one, 5n);
    await store.players.deposit(order);
    const theirs = { ...order, operatorId: other.operatorId, playerId: other.playerId };
    assert.deepEqual(await store.players.deposit(theirs), done(5n, false));
    const sibling = { ...theirs, operatorId: order.operatorId };
    await open(store.players, sibling, 'EUR', 0n);
    assert.deepEqual(await store.players.deposit(sibling), done(5n, false));
  });

  it('a withdrawal never takes more than the balance, and its refusal is not recorded', async (store) => {
    const player = await playerWith(store.players, 100n, 50n);
    const order = orderOf(player, 101n);
    assert.deepEqual(await store.players.withdraw(order), { kind: 'refused', reason: 'tooLow' });
    await store.players.deposit(orderOf(player, 1n));
    assert.deepEqual(await store.players.withdraw(order), {
      kind: 'done',
      account: { currency: 'EUR', real: 0n, bonus: 50n },
      replay: false,
    });
  });

  it('many concurrent withdrawals overdraw nothing', async (store) => {
    const player = await playerWith(store.players, 95n);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => store.players.withdraw(orderOf(player, 10n))),
    );
    assert.deepEqual(countKinds(results), { done: 9, refused: 11 });
    assert.equal((await purseOf(store, player)).real, 5n);
  });

  it('bonus money is apart from real money, and a deposit may begin it', async (store) => {
    const player = await playerWith(store.players, 100n);
    const order = orderOf(player, 40n, { balance: 'bonus' });
    assert.deepEqual(await store.players.withdraw(order), { kind: 'refused', reason: 'tooLow' });
    await store.players.deposit(order);
    await store.players.withdraw({
      ...order,
      reference: freshId('reference'),
      amount: { units: 15n },
    });
    assert.deepEqual(await purseOf(store, player), { real: 100n, bonus: 25n });
  });

  it('a balance ends at 2^53-1 units exactly', async (store) => {
    const player = await playerWith(store.players, 0n);
    assert.deepEqual(await store.players.deposit(orderOf(player, maxUnits)), done(maxUnits, false));
    const beyondRange = await store.players.deposit(orderOf(player, 1n));
    assert.deepEqual(beyondRange, { kind: 'refused', reason: 'outOfRange' });
    assert.deepEqual(await store.players.withdraw(orderOf(player, 1n)), done(maxUnits - 1n, false));
    assert.deepEqual(await store.players.deposit(orderOf(player, 1n)), done(maxUnits, false));
    assert.deepEqual(await store.players.withdraw(orderOf(player, maxUnits)), done(0n, false));
  });

  it('cash needs a known player and an account in the currency', async (store) => {
    const unknownPlayer = freshRound();
    const player = await playerWith(store.players, 100n);
    for (const move of ['deposit', 'withdraw'] as const) {
      const refused = await store.players[move](orderOf(unknownPlayer, 1n));
      assert.deepEqual(refused, { kind: 'refused', reason: 'noPlayer' });
      const abroad = await store.players[move](orderOf(player, 1n, { currency: 'USD' }));
      assert.deepEqual(abroad, { kind: 'refused', reason: 'noCurrency' });
    }
    assert.deepEqual(await store.rounds.accounts(unknownPlayer), { kind: 'known', accounts: null });
    assert.equal((await accountsOf(store, player)).length, 1);
  });
}

function done(units: bigint, replay: boolean): CashResult {
  return { kind: 'done', account: { currency: 'EUR', real: units, bonus: null }, replay };
}

/** Who blocked a player, when and why: of a store that has `blocks`. */
export function blockRules(it: Case<AccountStore>): void {
  it('who blocked a player, when and why is kept where the store has `blocks`', async (store) => {
    const player = await playerWith(store.players, 100n);
    if (store.players.blocks === undefined) return;
    const read = async () => {
      const found = await store.players.blocks?.(player);
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
    await store.players.setBlocked(player, true, { by: maria, reason: why });
    const first = { blocked: true, by: maria, reason: why };
    assert.deepEqual(await read(), [first]);
    await store.players.setBlocked(player, true, { by: maria, reason: why });
    assert.deepEqual(await read(), [first], 'a repeat of the latest order adds no record');
    await store.players.setBlocked(player, false);
    const second = { blocked: false, by: null, reason: null };
    assert.deepEqual(await read(), [second, first]);
    await store.players.setBlocked(player, true, { by: { id: 'ines', name: null } });
    const third = { blocked: true, by: { id: 'ines', name: null }, reason: null };
    assert.deepEqual(await read(), [third, second, first]);
    const other = await playerWith(store.players, 1n);
    assert.deepEqual(await store.players.blocks(other), { kind: 'known', blocks: [] });
    assert.deepEqual(await store.players.blocks(freshRound()), { kind: 'noPlayer' });
  });

  it('who blocks and why are texts that a person can read, and anything else changes nothing', async (store) => {
    const player = await playerWith(store.players, 100n);
    if (store.players.blocks === undefined) return;
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
      await assert.rejects(store.players.setBlocked(player, true, act as never), fault);
    }
    const found = await store.players.readPlayer(player);
    assert.ok(found.kind === 'known' && !found.blocked, 'nobody must be blocked');
    assert.deepEqual(await store.players.blocks(player), { kind: 'known', blocks: [] });
  });

  it('the latest 50 blocks are listed, the newest first', async (store) => {
    const player = await playerWith(store.players, 100n);
    if (store.players.blocks === undefined) return;
    const reasons = Array.from({ length: 53 }, (_, at) => `reason ${at}`);
    for (const reason of reasons) await store.players.setBlocked(player, true, { reason });
    const found = await store.players.blocks(player);
    assert.ok(found.kind === 'known', 'the player must be known');
    assert.deepEqual(
      found.blocks.map(({ reason }) => reason),
      reasons.slice(-50).toReversed(),
    );
  });
}
