import assert from 'node:assert/strict';
import { assertCommitted, freshRound, open, snapshotOf } from '../case';
import { type Case, wrongText, wrongUse } from '../suite';
import { type ContractEvents, playerWith, readEvents, waitingFor } from './case';
import type { FollowUp } from '../../../operator/gameround/follow-up';
import type { RoundEvent } from '../../../operator/wallet';
import { end, give, real, take, takeMore, commitFirst } from '../changes';
import {
  assertFollowed,
  assertOther,
  commitInstead,
  follow,
  followUpOf,
  twinOf,
} from '../follow-up/case';

/** Wrong and ended requests. */
export function requestRules(it: Case<ContractEvents>): void {
  it('a consumer that no store declared is refused by name', async ({ store }) => {
    const request = { consumer: 'nobody-declared-this', operatorId: 'op' };
    await assert.rejects(firstOf(store.events.read(request)), {
      name: 'UnknownConsumerError',
      message: /nobody-declared-this/,
    });
    assert.equal(await store.events.forgetConsumer('nobody-declared-this', ['op']), false);
  });

  it('a wrong request is refused with what is wrong', async ({ store }) => {
    const request = { consumer: 'contract-a', operatorId: 'op' };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ...request, consumer: '' }, /consumer/],
      [{ ...request, consumer: 'a b' }, /consumer/],
      [{ ...request, operatorId: '' }, /operatorId/],
      [{ ...request, operatorId: 'a#b' }, /operatorId/],
      [{ ...request, atMost: 0 }, /atMost/],
      [{ ...request, atMost: 1001 }, /atMost/],
      [{ ...request, atMost: 1.5 }, /atMost/],
      [{ ...request, signal: 'now' }, /signal/],
      [{ ...request, types: [] }, /types/],
      [{ ...request, types: ['round', 'rounds'] }, /types/],
    ];
    for (const [one, message] of wrong) {
      const fault = message.source === 'operatorId' ? wrongText : wrongUse;
      assert.throws(() => store.events.read(one as typeof request), { ...fault, message });
    }
    await assert.rejects(store.events.lag(''), { ...wrongText, message: /operatorId/ });
  });

  it('consumers are forgotten for a list of identifiers, and nothing else', async ({ store }) => {
    const mistakes = [undefined, null, 'op', 1, {}, [1], ['op', null], [['op']]];
    for (const [wrongs, fault] of [
      [mistakes, wrongUse],
      [[[''], ['a#b']], wrongText],
    ] as const) {
      for (const wrong of wrongs) {
        const forgetting = store.events.forgetConsumer('contract-a', wrong as never);
        await assert.rejects(forgetting, { ...fault, message: /operatorIds/ });
      }
    }
    await assert.rejects(store.events.forgetConsumer('a b', ['op']), {
      name: 'TypeError',
      message: /consumer/,
    });
    const declared = await store.events.declaredConsumers();
    assert.ok(declared.includes('contract-a') && declared.includes('contract-b'));
  });

  it('a signal ends the iteration, also while it waits', async (made) => {
    const { store } = made;
    const { operatorId } = await playerWith(made, 1n);
    const stopping = new AbortController();
    const { signal } = stopping;
    const all = firstOf(store.events.read({ consumer: 'contract-a', operatorId, signal }));
    stopping.abort();
    assert.equal(await all, undefined);
  });
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

/** A follow-up writes the event that its commit would, and nothing if it is not written. */
export function followRules(it: Case<ContractEvents>): void {
  const followUps: readonly FollowUp[] = [
    followUpOf([give('1', real(5n))]),
    followUpOf([takeMore('2', 90n), give('3', { real: 4n, bonus: 3n })]),
    followUpOf([takeMore('4', 30n, { bonusFirst: true })]),
    followUpOf([takeMore('5', 0n), give('6', real(1n)), end('7')]),
  ];

  it('its event is that of a commit of the same', async ({ store, players }) => {
    const round = freshRound();
    const twin = twinOf(round);
    for (const one of [round, twin]) {
      await open(players, one, 'EUR', 100n, 50n);
      await open(players, one, 'USD', 7n);
      await commitFirst(store, one, [take('d', 10n)]);
    }
    for (const followUp of followUps) {
      assertFollowed(await follow(store, round, followUp));
      assertCommitted(await commitInstead(store, twin, followUp));
    }
    const count = (await snapshotOf(store, round)).head.version;
    const events = plain(await readEvents(store, round.operatorId, count), round.operatorId);
    const known = plain(await readEvents(store, twin.operatorId, count), twin.operatorId);
    assert.deepEqual(events, known);
    assert.equal(events.length, followUps.length + 1);
  });

  it('one that is not written tells nothing', async (made) => {
    const { store, players } = made;
    const round = freshRound();
    await open(players, round, 'EUR', 100n);
    await commitFirst(store, round, [take('d', 10n)]);
    assertFollowed(await follow(store, round, followUpOf([takeMore('e', 20n)])));
    const waiting = await waitingFor(store, round.operatorId);
    for (const parts of [
      [takeMore('e', 20n)],
      [give('d', real(1n))],
      [takeMore('f', 20n), takeMore('g', 51n)],
    ]) {
      await assertOther(made, round, followUpOf(parts), 'known or too high');
    }
    assert.equal(await waitingFor(store, round.operatorId), waiting);
  });
}

/** Without the time of the store, and without the operator's id. */
function plain(events: readonly RoundEvent[], operatorId: string): unknown[] {
  const untimed = events.map((event) => ({ ...event, at: '' }));
  return JSON.parse(JSON.stringify(untimed).replaceAll(operatorId, 'operator')) as unknown[];
}
