import assert from 'node:assert/strict';
import { playerWith } from '../case';
import { wrongText, wrongUse } from '../faults';
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

  check('a wrong request is refused with what is wrong', async ({ store }) => {
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
      const fault = message.source === 'operatorId' ? wrongText : wrongUse;
      assert.throws(() => store.events(one as typeof request), { ...fault, message });
    }
    await assert.rejects(store.eventsLag(''), { ...wrongText, message: /operatorId/ });
  });

  check(
    'consumers are forgotten for a list of identifiers, and nothing else',
    async ({ store }) => {
      const mistakes = [undefined, null, 'op', 1, {}, [1], ['op', null], [['op']]];
      for (const [wrongs, fault] of [
        [mistakes, wrongUse],
        [[[''], ['a#b']], wrongText],
      ] as const) {
        for (const wrong of wrongs) {
          const forgetting = store.forgetConsumer('contract-a', wrong as never);
          await assert.rejects(forgetting, { ...fault, message: /operatorIds/ });
        }
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
