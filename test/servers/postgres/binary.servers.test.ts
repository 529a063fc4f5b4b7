import { expect, test } from '@jest/globals';

import { findPostgres, postgresVersion } from './binary';

test('a PostgreSQL of version 14 or later is found, and runs', async () => {
  const version = await postgresVersion(await findPostgres());
  expect(Number(version?.split('.')[0])).toBeGreaterThanOrEqual(14);
});

test('a folder without PostgreSQL has no version', async () => {
  expect(await postgresVersion('/nonexistent/bin')).toBeUndefined();
});
