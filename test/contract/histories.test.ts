import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createLedgerStore } from '../../lib/stores/ledger';
import { createMemoryStore } from '../../lib/stores/memory';
import { createRedisStore } from '../../lib/stores/redis';
import { runHistory } from '../../lib/testing/history-run';
import { freshId } from '../../lib/testing/contract-case';
import { type ContractWallet, toContractWallet } from '../../lib/testing/contract-players';
import { checkAttention } from '../../lib/testing/wallet-store-histories';
import type { AttentionEntry } from '../../lib/wallet';
import { createLedgerVariant } from '../support/ledger-variant';
import { type RedisServer, startRedis } from '../support/redis-server';
import { history } from './history-arbitrary';

// HISTORIES sets how many. A failure prints the seed and the path of the history, made as small
// as it could be: HISTORIES_SEED and HISTORIES_PATH play that one alone.
const { HISTORIES = '2000', HISTORIES_SEED, HISTORIES_PATH } = process.env;
const count = Number(HISTORIES);
const firstSeed = Number(HISTORIES_SEED ?? randomInt(2 ** 31));
const isReplay = HISTORIES_PATH !== undefined;
const lanes = isReplay ? 1 : 16;
const longestPlayMs = 300_000;

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(async () => {
  await server.stop();
});

const wallets: Readonly<Record<string, () => ContractWallet>> = {
  memory: () => toContractWallet(createMemoryStore()),
  'Redis that syncs every write': () =>
    toContractWallet(createRedisStore({ url: server.url, commandTimeoutMs: 10_000 })),
  'a ledger with its journal in memory': () => {
    const players = createLedgerVariant();
    const store = createLedgerStore({ ledger: players, journal: createMemoryStore() });
    return { store, players };
  },
};

describe.each(Object.entries(wallets))('in %s', (_, makeWallet) => {
  test(
    `the books are right to the unit after ${count} random histories`,
    async () => {
      const wallet = makeWallet();
      const { store } = wallet;
      const operatorId = freshId('operator');
      const expected: AttentionEntry[] = [];
      const keepsBooks = fc.asyncProperty(history, async (one) => {
        expected.push(...(await runHistory(wallet, operatorId, one)));
      });
      const runs = {
        numRuns: Math.ceil(count / lanes),
        endOnFailure: isReplay,
        interruptAfterTimeLimit: longestPlayMs,
        markInterruptAsFailure: true,
      };
      const path = isReplay ? { path: HISTORIES_PATH } : {};
      const playing = Array.from({ length: lanes }, (__, lane) =>
        fc.assert(keepsBooks, { ...runs, ...path, seed: firstSeed + lane }),
      );
      try {
        await store.ready();
        await Promise.all(playing);
        if (!isReplay) await checkAttention(store, operatorId, expected);
      } finally {
        await Promise.allSettled(playing);
        await store.close();
      }
    },
    longestPlayMs + 60_000,
  );
});
