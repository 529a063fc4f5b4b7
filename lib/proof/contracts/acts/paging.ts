import assert from 'node:assert/strict';
import type { ActsQuery, PersonAct, RoundKey, WalletStore } from '../../../operator/wallet';
import { systemClock } from '../../../platform';
import type { ContractWallet } from '../../subject/players';
import { contractPlayer } from '../../subject/players';
import { freshId } from '../../subject/runner';
import { anotherRound, freshRound, inTurns } from '../case';
import { oddIds } from '../samples';
import { type Case, faultOf, wrongUse } from '../suite';
import { allActs, anna, checkOfPlayers, pageOf, repairAt, since, writeRepairs } from './case';

/** The list page by page. */
export function pagingRules(it: Case<ContractWallet>): void {
  it('pages of any size have all acts, each once, the newest first', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = await writeActs(store, operatorId, 40);
    for (const limit of [1, 3, 40, 41, 200]) {
      const listed = await allActs(store, operatorId, { limit });
      assert.deepEqual(listed.map(nameOf), expected, `pages of ${limit}`);
    }
    const { acts, next } = await pageOf(store, operatorId);
    assert.deepEqual([acts.length, next], [40, null]);
  });

  it('what is done between two pages hides and doubles none', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = await writeActs(store, operatorId, 24);
    let turn = 0;
    const listed = await allActs(store, operatorId, { limit: 5 }, async () => {
      turn += 1;
      await writeActs(store, operatorId, 1, since + 1_000_000 * turn);
    });
    assert.deepEqual(listed.map(nameOf), expected);
    assert.equal((await allActs(store, operatorId)).length, 24 + turn);
  });

  it('acts of one moment are listed once each', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = await writeActs(store, operatorId, 30, since, 0);
    const listed = await allActs(store, operatorId, { limit: 4 });
    assert.deepEqual(listed.map(nameOf).toSorted(), expected.toSorted());
  });

  it('many acts on one player are listed as those on many', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 30 }, () => anotherRound(player));
    await inTurns(rounds, (round, at) => writeRepairs(store, round, [repairAt('one', since + at)]));
    const names = rounds.map(nameOfRound).toReversed();
    const { operatorId, playerId } = player;
    for (const query of [{}, { playerId }]) {
      const listed = await allActs(store, operatorId, { limit: 7, ...query });
      assert.deepEqual(listed.map(nameOf), names);
    }
  });

  checkOfPlayers(it)('acts of every kind are listed together', async (store, players) => {
    const { operatorId } = freshRound();
    const own = Array.from({ length: 12 }, () => ({ operatorId, playerId: freshId('player é/%') }));
    await inTurns(own, async (player, at) => {
      await players.openPlayer(contractPlayer(player, 'EUR', 10n));
      const order = { ...player, currency: 'EUR', amount: { units: 1n }, by: anna };
      await players.deposit({ ...order, reference: `d/${at}` });
      await players.setBlocked(player, true, { by: anna });
      await players.setBlocked(player, false, { by: anna });
      await writeRepairs(store, { ...player, gameRound: 'r' }, [
        repairAt('one', systemClock.now()),
      ]);
    });
    const whole = (await allActs(store, operatorId, { limit: 200 })).map(textOf);
    assert.equal(new Set(whole).size, 48);
    for (const limit of [1, 5, 47, 48]) {
      assert.deepEqual((await allActs(store, operatorId, { limit })).map(textOf), whole);
    }
  });

  checkOfPlayers(it)('acts of any ids are listed, the longest too', async (store, players) => {
    const { operatorId } = freshRound();
    await inTurns(oddIds, async (id, at) => {
      const player = { operatorId, playerId: id };
      await players.openPlayer(contractPlayer(player, 'EUR', 10n));
      const order = { ...player, currency: 'EUR', amount: { units: 1n }, by: anna };
      await players.deposit({ ...order, reference: id });
      await writeRepairs(store, { ...player, gameRound: id }, [repairAt('one', since + at)]);
    });
    const listed = await allActs(store, operatorId, { limit: 1 });
    const named = listed.map((act) =>
      act.type === 'cash' ? `${act.playerId} ${act.reference}` : nameOf(act),
    );
    const expected = oddIds.flatMap((id) => [`${id} ${id}`, `${id} ${id}`]);
    assert.deepEqual(named.toSorted(), expected.toSorted());
  });

  it('a cursor of another operator, filter or store is refused', async ({ store }) => {
    const { operatorId } = freshRound();
    await writeActs(store, operatorId, 3);
    const { next: cursor } = await pageOf(store, operatorId, { limit: 1 });
    assert.ok(cursor !== null);
    const acts = (id: string, query?: object): Promise<unknown> =>
      Promise.resolve(store.acts?.list(id, query as ActsQuery));
    await assert.rejects(acts(freshId('operator'), { cursor }), wrongUse);
    for (const filter of [{ person: 'x' }, { playerId: 'x' }, { kind: 'block' }, { from: 1 }]) {
      await assert.rejects(acts(operatorId, { cursor, ...filter }), wrongUse);
    }
    const wrong = ['', '0', 'x', '7:7', `${cursor} `, `x${cursor}`, `${cursor}x`, `${cursor}'`];
    const [digest] = cursor.split('.');
    const place = Buffer.from("0'; --/p/r").toString('base64url');
    for (const text of [...wrong, `${digest}.${place}`, `${digest}.5`, '9'.repeat(400), '../..']) {
      await assert.rejects(acts(operatorId, { cursor: text }), wrongUse, text);
    }
  });

  it('a query that is wrong is refused', async ({ store }) => {
    const { operatorId } = freshRound();
    const wrong = [
      ...[0, -1, 201, 1.5, Number.NaN, '5', null].map((limit) => ({ limit })),
      ...[7, {}, true, []].map((cursor) => ({ cursor })),
      ...['', 'repairs', 7, {}].map((kind) => ({ kind })),
      ...[-1, 0.5, Number.NaN, '5', 8.65e15].flatMap((at) => [{ from: at }, { to: at }]),
      ...[7, {}].flatMap((one) => [{ person: one }, { playerId: one }]),
      { from: 5, to: 5 },
    ];
    for (const query of wrong) {
      const asked = Promise.resolve(store.acts?.list(operatorId, query as ActsQuery));
      await assert.rejects(asked, wrongUse, JSON.stringify(query));
    }
    for (const text of ['', 'x'.repeat(129), 'a\nb']) {
      for (const query of [{ person: text }, { playerId: text }]) {
        const asked = Promise.resolve(store.acts?.list(operatorId, query));
        await assert.rejects(asked, faultOf(text), JSON.stringify(query));
      }
      const asked = Promise.resolve(store.acts?.list(text));
      await assert.rejects(asked, faultOf(text));
    }
  });
}

/** Writes proposals to rounds of many players; resolves to their names, the latest first. */
async function writeActs(
  store: WalletStore,
  operatorId: string,
  count: number,
  from = since,
  stepMs = 10,
): Promise<readonly string[]> {
  const rounds = Array.from({ length: count }, (_, at) => ({
    operatorId,
    playerId: freshId('player é/%'),
    gameRound: `round:${at} "é/%"`,
  }));
  await inTurns(rounds, (round, at) =>
    writeRepairs(store, round, [repairAt(`id-${at}_`, from + at * stepMs)]),
  );
  return rounds.map(nameOfRound).toReversed();
}

function nameOfRound({ playerId, gameRound }: RoundKey): string {
  return `${playerId} ${gameRound}`;
}

function nameOf(act: PersonAct): string {
  return act.type === 'repair' ? `${act.playerId} ${act.gameRound}` : act.type;
}

function textOf(act: PersonAct): string {
  return JSON.stringify(act, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
