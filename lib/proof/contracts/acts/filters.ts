import assert from 'node:assert/strict';
import type { ActKind, ActsQuery } from '../../../operator/wallet';
import { systemClock } from '../../../platform';
import type { ContractWallet } from '../../subject/players';
import { contractPlayer } from '../../subject/players';
import { freshId } from '../../subject/runner';
import { anotherRound, freshRound } from '../case';
import type { Case } from '../suite';
import {
  allActs,
  anna,
  bert,
  checkOfPlayers,
  ofPlayer,
  repairAt,
  since,
  writeRepairs,
} from './case';

/** Which acts are asked for. */
export function filterRules(it: Case<ContractWallet>): void {
  const checkPlayers = checkOfPlayers(it);

  it('acts of one person, also of a page each', async ({ store }) => {
    const round = freshRound();
    for (let at = 0; at < 9; at++) {
      const by = at % 3 === 0 ? bert : anna;
      const decision = {
        status: 'rejected',
        decidedBy: bert,
        decidedAt: since + at + 100,
      } as const;
      const more = { proposedBy: by, ...(at === 1 ? decision : {}) };
      await writeRepairs(store, anotherRound(round), [repairAt(`id-${at}`, since + at, more)]);
    }
    const { operatorId } = round;
    for (const limit of [1, 2, 50]) {
      const ofBert = await allActs(store, operatorId, { person: bert.id, limit });
      assert.deepEqual(ofBert.map(stepOf), [
        'rejected id-1',
        'proposed id-6',
        'proposed id-3',
        'proposed id-0',
      ]);
      assert.equal((await allActs(store, operatorId, { person: anna.id, limit })).length, 6);
    }
    for (const person of ['BERT', 'ber', 'bert ', "bert' OR '1", '%', 'nobody']) {
      assert.deepEqual(await allActs(store, operatorId, { person }), [], person);
    }
  });

  it('acts on one player alone', async ({ store }) => {
    const round = freshRound();
    const { operatorId, playerId } = round;
    for (const [at, player] of [playerId, `${playerId}x`, playerId.slice(1)].entries()) {
      const other = { operatorId, playerId: player, gameRound: freshId('round') };
      await writeRepairs(store, other, [repairAt('one', since + at)]);
    }
    const found = await allActs(store, operatorId, { playerId });
    assert.deepEqual(
      found.map((act) => act.playerId),
      [playerId],
    );
    assert.equal((await allActs(store, operatorId)).length, 3);
  });

  it('acts of a time: from is in it, to is not', async ({ store }) => {
    const round = freshRound();
    for (let at = 0; at < 5; at++) {
      await writeRepairs(store, anotherRound(round), [repairAt(`id-${at}`, since + at)]);
    }
    const found = async (query: ActsQuery): Promise<string> => {
      const acts = await allActs(store, round.operatorId, { limit: 2, ...query });
      return acts.map(({ at }) => at - since).join(' ');
    };
    assert.equal(await found({ from: since + 3 }), '4 3');
    assert.equal(await found({ to: since + 3 }), '2 1 0');
    assert.equal(await found({ from: since + 1, to: since + 4 }), '3 2 1');
    assert.equal(await found({ from: since + 5 }), '');
    assert.equal(await found({ to: since }), '');
    assert.equal(await found({ from: 0, to: 8.64e15 }), '4 3 2 1 0');
  });

  checkPlayers('acts of each kind, in a time and by a person', async (store, players) => {
    const round = freshRound();
    const player = ofPlayer(round);
    const by = { by: anna, reason: 'a reason of ten' };
    const order = { ...player, currency: 'EUR', amount: { units: 3n }, ...by };
    const limit = { kind: 'stake', currency: 'EUR', window: 'day', amount: { units: 9n } } as const;
    await players.openPlayer(contractPlayer(player, 'EUR', 100n));
    await players.deposit({ ...order, reference: 'd' });
    await players.withdraw({ ...order, reference: 'w', by: bert });
    await players.correct?.({ ...order, reference: 'c' });
    await players.setBlocked(player, true, by);
    await players.setLimit?.(player, limit, by);
    await writeRepairs(store, round, [repairAt('one', systemClock.now())]);
    const found = async (query: ActsQuery): Promise<string> => {
      const acts = await allActs(store, player.operatorId, { limit: 1, ...query });
      return acts
        .map((act) => (act.type === 'cash' ? act.kind : act.type))
        .toSorted()
        .join(' ');
    };
    const expected: Readonly<Record<ActKind, string>> = {
      repair: 'repair',
      block: 'block',
      limit: 'limit',
      correction: 'correction',
      cash: 'deposit withdrawal',
      export: '',
      rights: '',
    };
    for (const [kind, names] of Object.entries(expected)) {
      assert.equal(await found({ kind: kind as ActKind }), names);
    }
    assert.equal(await found({ kind: 'cash', person: bert.id }), 'withdrawal');
    assert.equal(await found({ kind: 'block', person: bert.id }), '');
    const all = 'block correction deposit limit repair withdrawal';
    assert.equal(await found({ playerId: player.playerId, from: since }), all);
    assert.equal(await found({ playerId: player.playerId, to: since }), '');
  });
}

function stepOf(act: Awaited<ReturnType<typeof allActs>>[number]): string {
  return act.type === 'repair' ? `${act.step} ${act.repair}` : act.type;
}
