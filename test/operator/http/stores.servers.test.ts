import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../lib/operator/wallet';
import { startRedis } from '../../servers/redis/server';
import {
  createRig,
  credit,
  debit,
  end,
  euros,
  operatorId,
  playerId,
  type Rig,
  voidOfDebit,
} from './rig';
import { serverOfFile } from '../../support/each-test';

const server = serverOfFile(startRedis);
let namespaces = 0;

const stores: readonly (readonly [string, () => AccountStore])[] = [
  ['memory', () => createMemoryStore()],
  [
    'Redis',
    () =>
      createRedisStore({
        init: true,
        url: server().url,
        namespace: `http-${++namespaces}`,
        commandTimeoutMs: 60_000,
      }),
  ],
];

const followUp = (hash: string, amount: number) => debit(amount, { isFirstDebit: false, hash });

describe.each(stores)('over %s', (_, createStore) => {
  let rig: Rig;
  let store: AccountStore;

  beforeEach(async () => {
    store = createStore();
    await store.ready();
    rig = await createRig({ store });
  });

  afterEach(async () => {
    await rig.close();
    await store.close();
  });

  async function stateOf(gameRound = 'round-1'): Promise<string | undefined> {
    return (await store.rounds.readRound({ operatorId, playerId, gameRound }))?.head.state;
  }

  test('a round is played, call by call, and every resend is answered the same', async () => {
    const calls = [
      [debit(10)],
      [followUp('d-2', 5), credit(2)],
      [credit(30, { hash: 'c-2' }), end],
    ];
    for (const call of calls) {
      const first = await rig.call(call);
      const again = await rig.call(call);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect([await stateOf(), await rig.balance()]).toEqual(['closed', euros(117)]);
  });

  test('twenty copies of a call at once move the money once', async () => {
    const copies = await Promise.all(
      Array.from({ length: 20 }, () => rig.call([debit(10), credit(3)])),
    );
    expect(copies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await rig.balance()).toBe(euros(93));
  });

  test('rounds at once never take more than there is', async () => {
    const calls = Array.from({ length: 20 }, (__, at) =>
      rig.call([debit(10)], { gameRound: `r-${at}` }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(await rig.balance()).toBe(0n);
  });

  test('a round nets to zero whether its void comes before it, after it or twice (O4)', async () => {
    const played = [debit(10), credit(50), end];
    for (const [at, order] of [
      [voidOfDebit, null],
      [null, voidOfDebit],
      [voidOfDebit, voidOfDebit],
    ].entries()) {
      const round = { gameRound: `void-${at}` };
      const calls = order.map((one) => (one === null ? played : [one]));
      const answers = calls.map((call) => rig.call(call, round));
      for (const answer of answers) await answer;
      await rig.call(played, round);
      await rig.call([voidOfDebit], round);
      expect(await stateOf(round.gameRound)).toBe('voided');
      expect(await rig.balance()).toBe(euros(100));
    }
  });

  test('a debit at the same time as its void is either voided on arrival or reversed', async () => {
    for (let at = 0; at < 10; at++) {
      const round = { gameRound: `race-${at}` };
      await Promise.all([rig.call([debit(10)], round), rig.call([voidOfDebit], round)]);
      await rig.call([debit(10)], round);
      expect(await rig.balance()).toBe(euros(100));
    }
  });

  test('a round that is stranded, crashed or cancelled is listed for a person', async () => {
    await rig.call([debit(1), credit(1, { currency: 'USD' })], { gameRound: 'stranded' });
    await rig.call([debit(1), credit(1), credit(1, { hash: 'c', currency: 'USD' })], {
      gameRound: 'crashed',
    });
    const found: string[] = [];
    for await (const { gameRound, state } of store.lists.attention(operatorId))
      found.push(`${gameRound} ${state}`);
    expect(found.toSorted()).toEqual(['crashed crashed', 'stranded stranded']);
    expect(await rig.balance()).toBe(euros(99));
  });

  test('ids of any form stay apart', async () => {
    const ids = ['a', 'a/b', 'a%2Fb', 'A', '{a}', 'é', 'e\u0301', '😀', ':', '__proto__'];
    for (const gameRound of ids) {
      expect((await rig.call([debit(1, { hash: gameRound })], { gameRound })).status).toBe(200);
    }
    expect(await rig.balance()).toBe(euros(100 - ids.length));
  });
});
