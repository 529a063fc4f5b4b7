import { expect, test } from '@jest/globals';

import { findPrometheus, prometheusVersion } from './binary';

test('a Prometheus of version 2.40 or later is found or fetched, and runs', async () => {
  const version = await prometheusVersion(await findPrometheus());
  expect(Number(version?.split('.')[0])).toBeGreaterThanOrEqual(2);
});

test('a path that is no Prometheus has no version', async () => {
  expect(await prometheusVersion('/nonexistent/prometheus')).toBeUndefined();
});
