import { expect, test } from '@jest/globals';

import { findRedisServer, redisVersion } from './binary';

test('a redis-server of version 7 or later is found, and runs', async () => {
  const version = await redisVersion(await findRedisServer());
  expect(Number(version?.split('.')[0])).toBeGreaterThanOrEqual(7);
});

test('a path that is no redis-server has no version', async () => {
  expect(await redisVersion('/nonexistent/redis-server')).toBeUndefined();
});
