import { expect, test } from '@jest/globals';

import type { RoundChange } from '../../../lib/operator/gameround';
import type { AccountStore, LimitOrder, Players, Rounds } from '../../../lib/operator/wallet';
import { limitsContract } from '../../proof/limits/suite';
import { withParts } from '../../support/with-parts';
import { twoInMemory } from './limit-processes';

/** The store with a mistake. */
type Broken = (store: AccountStore) => AccountStore;

/** Mistakes that a store may have, and the cases of the contract that find each. */
const bugs: Readonly<Record<string, readonly [Broken, ...string[]]>> = {
  'forgets what voids take back': [
    changing((change) => ({ ...change, takenBack: [] })),
    'a void takes back what its debit counted',
    'whatever is played with one clock',
  ],
  'takes what a void takes back for money of today': [
    changing((change) => ({ ...change, takenBack: today(change) })),
    'a void takes back what its debit counted',
    'whatever is played with one clock',
  ],
  'sets limits that are higher than was ordered': [
    ordering(({ amount, ...order }) => ({ ...order, amount: raised(amount) })),
    'of many debits at once',
    'of many deposits at once',
    'once a lower limit is acknowledged',
    'whatever is played with one clock',
  ],
  'sets every limit for a day': [
    ordering((order) => ({ ...order, window: 'day' })),
    'a window ends with the day, week or month',
    'whatever is played with one clock',
  ],
  'takes every zone for UTC': [
    ordering((order) => ({ ...order, zone: 'UTC' })),
    'a window ends with the day, week or month',
    'whatever is played with one clock',
  ],
  'acknowledges a block before it is there': [
    (store) => {
      const { players } = store;
      const late: Players['setBlocked'] = async (...order) => {
        // A play may be past its end by then.
        void turns(200).then(() => players.setBlocked(...order).catch(() => null));
        return { kind: 'done' };
      };
      return withParts(store, { players: { setBlocked: late } });
    },
    'once a block is acknowledged',
  ],
  'blocks for ever': [
    (store) => {
      const { players } = store;
      const forEver: Players['setBlocked'] = (player, blocked) =>
        players.setBlocked(player, blocked);
      return withParts(store, { players: { setBlocked: forEver } });
    },
    'a process whose clock is slow blocks longer',
    'whatever is played with one clock',
  ],
  'adds a deposit that its limit has refused': [
    (store) => {
      const { players } = store;
      const always: Players['deposit'] = async (order) => {
        const result = await players.deposit(order);
        if (result.kind !== 'refused' || result.reason !== 'limitReached') return result;
        const reference = `${order.reference}-again`;
        const act = { by: { id: 'anna', name: null }, reason: 'a mistake of the store' };
        return (await players.correct?.({ ...order, ...act, reference })) ?? result;
      };
      return withParts(store, { players: { deposit: always } });
    },
    'of many deposits at once',
    'a deposit over its limit moves nothing',
  ],
  'commits what is stale': [
    (store) => {
      const { rounds } = store;
      const always: Rounds['commit'] = async (round, change, hashes) => {
        const result = await rounds.commit(round, change, hashes);
        const loaded = result.kind === 'stale' ? await rounds.load(round, []) : null;
        if (loaded?.kind !== 'loaded') return result;
        const before = loaded.snapshot.head;
        const after = { ...change.after, version: before.version + 1 };
        return rounds.commit(round, { ...change, before, after }, hashes);
      };
      return withParts(store, { rounds: { commit: always } });
    },
    'a commit that runs twice counts once',
  ],
};

test('the contract finds nothing in the store itself', async () => {
  expect(await failedCases((store) => store)).toEqual([]);
});

test.each(Object.entries(bugs))(
  'the contract finds a store that %s',
  async (_, [broken, ...cases]) => {
    const failed = await failedCases(broken);
    for (const one of cases) expect(failed.join('\n')).toContain(one);
  },
);

/** The names of the cases that fail. */
async function failedCases(broken: Broken): Promise<string[]> {
  const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  const closing: (() => Promise<void>)[] = [];
  limitsContract({
    runner: {
      describe: (_, define) => define(),
      it: (name, run) => cases.push({ name, run }),
      afterAll: (run) => closing.push(run),
    },
    createStores: async (options, clocks) => {
      const [one, other] = await twoInMemory(options, clocks);
      return [broken(one), broken(other)];
    },
    plays: 6,
  });
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  for (const close of closing) await close();
  return failed;
}

function changing(changed: (change: RoundChange) => RoundChange): Broken {
  return (store) => {
    const { rounds } = store;
    return withParts(store, {
      rounds: {
        commit: (round, change, hashes) => rounds.commit(round, changed(change), hashes),
      },
    });
  };
}

function ordering(changed: (order: LimitOrder) => LimitOrder): Broken {
  return (store) => {
    const setLimit = store.players.setLimit?.bind(store.players);
    if (setLimit === undefined) throw new Error('the store holds no limits');
    return withParts(store, {
      players: { setLimit: (player, order, act) => setLimit(player, changed(order), act) },
    });
  };
}

function today({ takenBack = [], records }: RoundChange): NonNullable<RoundChange['takenBack']> {
  const now = Math.max(...records.map(({ record }) => record.at));
  return takenBack.map(({ currency, debits, credits }) => ({ currency, at: now, debits, credits }));
}

function raised(amount: LimitOrder['amount']): LimitOrder['amount'] {
  if (amount === null || typeof amount === 'string') return amount;
  return { units: amount.units + 30n };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}
