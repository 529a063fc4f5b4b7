import { afterAll, beforeAll, describe, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { generatePlainHistory } from '../../../lib/proof/histories/generator';
import { runHistory } from '../../../lib/proof/histories/run';
import { freshId } from '../../../lib/proof/subject/runner';
import { type ContractWallet, toContractWallet } from '../../../lib/proof/subject/players';
import { checkVoidedCall } from '../../../lib/proof/histories/void-orders';
import { checkAttention } from '../../../lib/proof/histories/suite';
import type { AttentionEntry } from '../../../lib/operator/wallet';
import { createLedgerVariant } from '../../operator/ledger/ledger-variant';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { history, voidedCall } from './history-arbitrary';
import { randomHistories } from '../../support/runs';

const { numRuns: count, seed: firstSeed, path: replayed } = randomHistories(50);
const isReplay = replayed !== undefined;
const lanes = isReplay ? 1 : 16;
/** For what hangs; more histories may take longer. */
const longestPlayMs = 600_000 + 200 * count;

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
    toContractWallet(createRedisStore({ init: true, url: server.url, commandTimeoutMs: 60_000 })),
  'a ledger with its journal in memory': () => {
    const players = createLedgerVariant();
    // No machine is so slow that a ledger in memory seems silent.
    const patient = { attemptTimeoutMs: 60_000, deadlineMs: 120_000 };
    const store = createLedgerStore({ ledger: players, journal: createMemoryStore(), ...patient });
    return { store, players };
  },
};

/** Each of them is played in four orders of its voids. */
const voidedCount = Math.ceil(count / 4);
const plainCount = Math.ceil(count / 2);

/** Holds a property of some random histories against them, several at once. */
async function hold<T>(property: fc.IAsyncProperty<T>, runCount: number): Promise<void> {
  const runs = {
    numRuns: Math.ceil(runCount / lanes),
    endOnFailure: isReplay,
    interruptAfterTimeLimit: longestPlayMs,
    markInterruptAsFailure: true,
  };
  const path = isReplay ? { path: replayed } : {};
  const playing = Array.from({ length: lanes }, (_, lane) =>
    fc.assert(property, { ...runs, ...path, seed: firstSeed + lane }),
  );
  try {
    await Promise.all(playing);
  } finally {
    await Promise.allSettled(playing);
  }
}

describe.each(Object.entries(wallets))('in %s', (_, makeWallet) => {
  let wallet: ContractWallet;

  beforeAll(async () => {
    wallet = makeWallet();
    await wallet.store.ready();
  });

  afterAll(() => wallet.store.close());

  test(
    `the books are right to the unit after ${count} random histories`,
    async () => {
      const operatorId = freshId('operator');
      const expected: AttentionEntry[] = [];
      await hold(
        fc.asyncProperty(history, async (one) => {
          expected.push(...(await runHistory(wallet, operatorId, one)));
        }),
        count,
      );
      if (!isReplay) await checkAttention(wallet.store, operatorId, expected);
    },
    longestPlayMs + 60_000,
  );

  test(
    `so they are after ${plainCount} with plain rounds of many calls alone`,
    async () => {
      const operatorId = freshId('operator');
      const property = fc.asyncProperty(fc.nat(), async (seed) => {
        await runHistory(wallet, operatorId, generatePlainHistory(seed));
      });
      await hold(property, plainCount);
    },
    longestPlayMs + 60_000,
  );

  test(
    `the voids of all debits of a call come to the same before it and after it, ${voidedCount} times (D5.3)`,
    async () => {
      const operatorId = freshId('operator');
      const check = fc.asyncProperty(voidedCall, (one) => checkVoidedCall(wallet, operatorId, one));
      await hold(check, voidedCount);
    },
    longestPlayMs + 60_000,
  );
});
