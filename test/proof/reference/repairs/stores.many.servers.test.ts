import { afterAll, beforeAll, describe, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createLedgerStore } from '../../../../lib/operator/ledger';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { AccountStore, WalletStore } from '../../../../lib/operator/wallet';
import { type ContractPlayers, createMemoryLedger } from '../../../../lib/proof';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { runs } from '../../../support/runs';
import { createStandingClock } from '../real-wallet';
import { compareRepairs } from './compare';
import { createRepairedWallet } from './real-people';
import { randomRepairStory } from './story';
import { testSeed } from '../../../support/seed';

// As the stories in memory (with-repairs.test.ts), fewer of them.
const { STORIES, HISTORIES_SEED, HISTORIES_PATH } = process.env;
const played = {
  numRuns: STORIES === undefined ? runs(100, 8) : Number(STORIES),
  seed: Number(HISTORIES_SEED ?? testSeed),
  ...(HISTORIES_PATH === undefined ? {} : { path: HISTORIES_PATH }),
};
let redis: RedisServer;
let postgres: PostgresServer;
const opened: WalletStore[] = [];

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
});

afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await Promise.all([redis.stop(), postgres.stop()]);
});

interface Parts {
  readonly store: WalletStore;
  readonly players: ContractPlayers;
}

function inRedis(namespace: string): AccountStore {
  return createRedisStore({ ...patience, url: redis.url, init: true, namespace });
}

function inPostgres(schema: string): AccountStore {
  return createPostgresStore({ ...patience, url: postgres.url, init: true, schema });
}

function own(store: AccountStore): Parts {
  return { store, players: store.players };
}

function overLedger(journal: AccountStore): Parts {
  const ledger = createMemoryLedger();
  return { store: createLedgerStore({ ledger, journal, deadlineMs: 60_000 }), players: ledger };
}

describe.each([
  ['in Redis', () => own(inRedis('own'))],
  ['in PostgreSQL', () => own(inPostgres('own'))],
  ['over a ledger with its journal in Redis', () => overLedger(inRedis('journal'))],
  ['over a ledger with its journal in PostgreSQL', () => overLedger(inPostgres('journal'))],
] as const)('%s', (_, makeParts) => {
  test(`answers, state and balance are what the text says after each step of ${played.numRuns} random stories with repairs (O1, O2, O8, D11)`, async () => {
    const parts = makeParts();
    opened.push(parts.store);
    await parts.store.ready();
    let stories = 0;
    await fc.assert(
      fc.asyncProperty(randomRepairStory(), async (story) => {
        const player = { operatorId: `operator-${(stories += 1)}`, playerId: 'player' };
        const clock = createStandingClock(Date.now());
        const deadlineMs = 60_000;
        await compareRepairs(
          await createRepairedWallet({ ...parts, clock, deadlineMs, player }),
          story,
        );
      }),
      played,
    );
  });
});
