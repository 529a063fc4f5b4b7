import { expect, test } from '@jest/globals';

import { onlyRewrites } from '../../../lib/operator/gameround';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { Rounds } from '../../../lib/operator/wallet';
import { toContractWallet } from '../../../lib/proof/subject/players';
import { freshId } from '../../../lib/proof/subject/runner';
import { generatePlainHistory } from '../../../lib/proof/histories/generator';
import { runHistory } from '../../../lib/proof/histories/run';
import { testSeed } from '../../support/seed';

test('plain rounds of many calls keep the books, and most of what they write is added to a running round', async () => {
  const counts = { commits: 0, followUps: 0, others: 0 };
  const store = createMemoryStore();
  const follow = store.rounds.follow?.bind(store.rounds);
  if (follow === undefined) throw new Error('The store in memory follows.');
  const counted: Partial<Rounds> = {
    async commit(round, change) {
      const result = await store.rounds.commit(round, change);
      if (result.kind === 'committed' && !onlyRewrites(change)) counts.commits++;
      return result;
    },
    async follow(round, followUp) {
      const result = await follow(round, followUp);
      counts[result.kind === 'committed' ? 'followUps' : 'others']++;
      return result;
    },
  };
  const rounds = Object.assign(Object.create(store.rounds) as Rounds, counted);
  const wallet = toContractWallet({ ...store, rounds });
  const operatorId = freshId('operator');
  for (let at = 0; at < 60; at++) {
    await runHistory(wallet, operatorId, generatePlainHistory(testSeed + at));
  }
  const { commits, followUps, others } = counts;
  expect(followUps / (commits + followUps)).toBeGreaterThan(0.3);
  expect(others).toBeGreaterThan(0);
}, 120_000);
