import { afterAll, describe, it } from '@jest/globals';

import { createRedisStore } from '../../../lib/operator/stores/redis';
import { systemClock } from '../../../lib/platform';
import {
  accountBooksContract,
  accountStoreContract,
  type ContractStoreOptions,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';
import { clientOf, RedisModel } from '../../servers/in-process/redis';
import { testSeed } from '../../support/seed';

const runner = { describe, it, afterAll };
const patient = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

async function createStore(options: ContractStoreOptions) {
  const client = clientOf(await RedisModel.create(() => systemClock.now()));
  return createRedisStore({
    acceptMixed: true,
    init: true,
    client,
    history: true,
    ...patient,
    ...options,
  });
}

describe('the scripts of the store, unchanged, over a model of Redis', () => {
  walletStoreContract({ runner, createStore, follows: true });
  accountStoreContract({ runner, createStore });
  accountBooksContract({ runner, createStore });
  walletStoreHistories({ seed: testSeed, runner, createStore, histories: 100 });
});
