import { afterAll, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { CreateLimitStores } from '../../proof/limits/suite';
import { playVolume } from '../../proof/limits/at-once';
import { closeWorld, makeWorld } from '../../proof/limits/suite';
import { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { testSeed } from '../../support/seed';
import { twoInMemory } from './limit-processes';

const cleanup = new Cleanup();

afterAll(() => cleanup.run());

const options = { decimals: 4, retentionMs: 1 };
const shared = { ...patience, init: true, acceptMixed: true } as const;
const debitsEach = 100;

/** LIMIT_PLAYERS plays another number of players, each of whom has a limit or a block. */
const asked = process.env['LIMIT_PLAYERS'];
/** LIMIT_IN_CALL has calls of up to so many debits. */
const inCall = Number(process.env['LIMIT_IN_CALL'] ?? 1);

const inRedis: CreateLimitStores = async ({ decimals, retentionMs }, [one, other]) => {
  const { url } = cleanup.after(await startRedis(), (server) => server.stop());
  const made = { ...shared, decimals, retentionMs, url };
  return [createRedisStore({ ...made, clock: one }), createRedisStore({ ...made, clock: other })];
};

const inPostgres: CreateLimitStores = async ({ decimals, retentionMs }, [one, other]) => {
  const { url } = cleanup.after(await startPostgres(), (server) => server.stop());
  const made = { ...shared, decimals, retentionMs, url };
  return [
    createPostgresStore({ ...made, clock: one }),
    createPostgresStore({ ...made, clock: other }),
  ];
};

/** Memory is emptied by making it anew, since no round of it is ever over. */
const playersOfOneStore = 500;

test.each([
  ['memory', twoInMemory, 100_000],
  ['Redis', inRedis, 2_000],
  ['PostgreSQL', inPostgres, 500],
] as const)(
  'in %s no debit is accepted against an acknowledged block or limit',
  async (name, createStores, all) => {
    const players = Number(asked ?? all);
    const each = name === 'memory' ? playersOfOneStore : players;
    let [debits, accepted] = [0, 0];
    for (let played = 0; played < players; played += each) {
      const world = await makeWorld(createStores, options);
      const count = Math.min(each, players - played);
      let told = 0;
      const result = await playVolume(world, {
        players: count,
        debitsEach,
        inCall,
        seed: testSeed + played,
        onProgress: (sent) => {
          if (sent - told < 50_000) return;
          told = sent;
          process.stdout.write(`${name}: ${debits + sent} debits\n`);
        },
      });
      await closeWorld(world);
      debits += result.debits;
      accepted += result.accepted;
    }
    process.stdout.write(`${name}: ${debits} debits, ${accepted} accepted\n`);
    expect(debits).toBeGreaterThanOrEqual(players * debitsEach);
  },
);
