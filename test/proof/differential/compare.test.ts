import { expect, test } from '@jest/globals';
import { compareStores } from './compare';
import { inMemory, inModel, overLedger } from './subjects';
import type { Rounds } from '../../../lib/operator/wallet';

test('the scripts in this process tell the same as the memory store', async () => {
  const subjects = [inMemory(), await inModel()];
  const { calls, difference } = await compareStores(subjects, { seed: 1, calls: 150 });
  expect(difference).toBeNull();
  expect(calls).toBeGreaterThanOrEqual(150);
  for (const { store } of subjects) await store.close();
});

test('the store over a ledger tells the same as the memory store', async () => {
  const subjects = [inMemory(), overLedger()];
  const { calls, difference } = await compareStores(subjects, { seed: 1, calls: 150 });
  expect(difference).toBeNull();
  expect(calls).toBeGreaterThanOrEqual(150);
  for (const { store } of subjects) await store.close();
});

test('a store that lists other open rounds is found', async () => {
  const other = inMemory();
  const { store } = other;
  const lists = { ...store.lists, async *openRounds() {} };
  const lying = { ...other, name: 'the other', store: { ...store, lists } };
  const { difference } = await compareStores([inMemory(), lying], { seed: 1, calls: 2000 });
  expect(difference).toMatch(/^the open list of operator-\d+: line 0: memory tells\n/);
});

test('a store that keeps something else is found', async () => {
  const other = inMemory();
  const { store } = other;
  const readRound: Rounds['readRound'] = async (round) => {
    const report = await store.rounds.readRound(round);
    return (
      report && { ...report, head: { ...report.head, unanswered: report.head.unanswered + 1 } }
    );
  };
  const lying = {
    ...other,
    name: 'the other',
    store: { ...store, rounds: Object.assign(Object.create(store.rounds), { readRound }) },
  };
  const { difference } = await compareStores([inMemory(), lying], { seed: 1, calls: 100 });
  expect(difference).toMatch(/^history 1: line \d+: memory tells\nround .*\nand the other\nround /);
});
