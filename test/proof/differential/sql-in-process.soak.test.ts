import { expect, test } from '@jest/globals';
import { Cleanup } from '../../servers/cleanup';
import { compareStores } from './compare';
import { inMemory, inModel, inSql } from './subjects';

const { SQL_CALLS = '3000', SEED = '1' } = process.env;

test(`the scripts and the SQL in this process tell the same as the memory store, in ${SQL_CALLS} calls`, async () => {
  const cleanup = new Cleanup();
  try {
    const { database, ...sql } = await inSql();
    cleanup.after(database);
    const subjects = [inMemory(), await inModel(), sql];
    for (const { store } of subjects) {
      cleanup.after(store);
      await store.ready();
    }
    const options = { seed: Number(SEED), calls: Number(SQL_CALLS) };
    const { difference, calls } = await compareStores(subjects, options);
    process.stdout.write(`differential run with SQL in process: ${calls} calls from ${SEED}\n`);
    expect(difference).toBeNull();
  } finally {
    await cleanup.run();
  }
});
