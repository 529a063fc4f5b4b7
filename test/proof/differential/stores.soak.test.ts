import { expect, test } from '@jest/globals';
import { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { compareStores } from './compare';
import { inMemory, inModel, inPostgres, inRedis, overLedger } from './subjects';

/** CALLS=1000000 SEED=1 plays more of them, or others. */
const { CALLS = '20000', SEED = '1' } = process.env;

test(`the same histories give the same answers and the same records in every store, in ${CALLS} calls`, async () => {
  const cleanup = new Cleanup();
  try {
    const redis = cleanup.after(await startRedis());
    const postgres = cleanup.after(await startPostgres());
    const subjects = [
      inMemory(),
      overLedger(),
      await inModel(),
      inRedis(redis.url),
      inPostgres(await postgres.createDatabase()),
    ];
    for (const { store } of subjects) {
      cleanup.after(store);
      await store.ready();
    }
    const { difference, calls, histories } = await compareStores(subjects, {
      seed: Number(SEED),
      calls: Number(CALLS),
    });
    process.stdout.write(
      `differential run: ${calls} calls in ${histories} histories from ${SEED}\n`,
    );
    expect(difference).toBeNull();
  } finally {
    await cleanup.run();
  }
});
