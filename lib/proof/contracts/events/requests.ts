import assert from 'node:assert/strict';
import { playerWith } from '../case';
import type { Case } from '../suite';
import type { ContractEvents } from './case';

/** Wrong and ended requests. */
export function requestRules(check: Case<ContractEvents>): void {
  check('a consumer that no store declared is refused by name', async ({ store }) => {
    const request = { consumer: 'nobody-declared-this', operatorId: 'op' };
    await assert.rejects(firstOf(store.events(request)), {
      name: 'UnknownConsumerError',
      message: /nobody-declared-this/,
    });
    assert.equal(await store.forgetConsumer('nobody-declared-this', ['op']), false);
  });

  check('a wrong request is a TypeError that names what is wrong', async ({ store }) => {
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
    ];
    for (const [one, message] of wrong) {
      assert.throws(() => store.events(one as typeof request), { name: 'TypeError', message });
    }
    await assert.rejects(store.eventsLag(''), { name: 'TypeError', message: /operatorId/ });
  });

  check(
    'consumers are forgotten for a list of identifiers, and nothing else',
    async ({ store }) => {
      for (const wrong of [
        undefined,
        null,
        'op',
        1,
        {},
        [''],
        ['a#b'],
        [1],
        ['op', null],
        [['op']],
      ]) {
        await assert.rejects(store.forgetConsumer('contract-a', wrong as never), {
          name: 'TypeError',
          message: /operatorIds/,
        });
      }
      await assert.rejects(store.forgetConsumer('a b', ['op']), {
        name: 'TypeError',
        message: /consumer/,
      });
      const declared = await store.declaredConsumers();
      assert.ok(declared.includes('contract-a') && declared.includes('contract-b'));
    },
  );

  check('a signal ends the iteration, also while it waits', async ({ store, players }) => {
    const { operatorId } = await playerWith(players, 1n);
    const stopping = new AbortController();
    const { signal } = stopping;
    const all = firstOf(store.events({ consumer: 'contract-a', operatorId, signal }));
    stopping.abort();
    assert.equal(await all, undefined);
  });
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}
