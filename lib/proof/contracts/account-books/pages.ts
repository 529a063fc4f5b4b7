import assert from 'node:assert/strict';
import { orderOf, playerWith } from '../case';
import { freshId } from '../../subject/runner';
import { type Case, wrongText } from '../suite';
import { allCash, type BookStore, keyOf, pageOf } from './case';

/** The list of a player's cash. */
export function pageRules(it: Case<BookStore>): void {
  it('pages list every movement once, newest first', async ({ players }) => {
    const player = keyOf(await playerWith(players, 0n));
    const references = Array.from({ length: 23 }, (_, at) => `reference ${at}`);
    for (const reference of references) await players.deposit(orderOf(player, 1n, { reference }));
    const expected = [...references.toReversed(), '#opening EUR real'];
    for (const limit of [1, 7, 23, 24, 200]) {
      const movements = await allCash(players, player, limit);
      assert.deepEqual(
        movements.map(({ reference }) => reference),
        expected,
      );
      const times = movements.map(({ at }) => at ?? 0);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
      );
    }
  });

  it('what moves between two pages is not on the second, and hides nothing', async ({
    players,
  }) => {
    const player = keyOf(await playerWith(players, 0n));
    for (const reference of ['1', '2', '3']) {
      await players.deposit(orderOf(player, 1n, { reference }));
    }
    const first = await pageOf(players, player, { limit: 2 });
    await players.deposit(orderOf(player, 1n, { reference: '4' }));
    const second = await pageOf(players, player, { limit: 2, before: first.next ?? '' });
    assert.deepEqual(
      [...first.movements, ...second.movements].map(({ reference }) => reference),
      ['3', '2', '1', '#opening EUR real'],
    );
    assert.equal(second.next, null);
  });

  it('players are listed apart', async ({ players }) => {
    const [one, other] = [
      keyOf(await playerWith(players, 1n)),
      keyOf(await playerWith(players, 2n)),
    ];
    await players.deposit(orderOf(one, 5n));
    assert.equal((await allCash(players, one)).length, 2);
    assert.equal((await allCash(players, other)).length, 1);
    const sibling = { ...one, playerId: freshId('player') };
    assert.deepEqual(await players.cash(sibling), { kind: 'noPlayer' });
  });

  it('a wrong cursor or limit is a TypeError, a wrong player an InvalidInputError', async ({
    players,
  }) => {
    const player = keyOf(await playerWith(players, 1n));
    for (const query of [
      { before: '' },
      { before: 'nonsense' },
      { before: '99999999999999999999' },
      { before: 7 },
      { limit: 0 },
      { limit: 201 },
      { limit: 1.5 },
      { limit: '5' },
    ]) {
      await assert.rejects(players.cash(player, query as never), { name: 'TypeError' });
    }
    await assert.rejects(players.cash({ ...player, playerId: '' }), wrongText);
  });
}
