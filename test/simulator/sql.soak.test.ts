import { afterAll, expect, test } from '@jest/globals';
import { migrations } from '../../lib/operator/stores/postgres/schema/migrations';
import { generatePlan, playPlan, playSeries } from '.';
import { modelOf } from '../servers/in-process/postgres/host';

const { open: openHost, close } = modelOf(migrations);
afterAll(close);

test('over the SQL of PostgreSQL every book is right, whatever happens at any statement', async () => {
  const { failed, events } = await playSeries({ seed: 5, calls: 4000, store: 'sql', openHost });
  expect(failed?.played.violation ?? null).toBeNull();
  expect(events.get('retention: a round forgotten')).toBeGreaterThan(20);
  expect(events.get('repair: approval made')).toBeGreaterThan(5);
  expect(events.get('correction of bonus money')).toBeGreaterThan(2);
  expect(events.get('events: a page')).toBeGreaterThan(2);
  expect(events.get('limits: a debit refused')).toBeGreaterThan(2);
});

test('a world over the SQL has one trace, whatever was played in the database before', async () => {
  const plan = generatePlan({ seed: 8, calls: 150, store: 'sql' });
  expect(plan.retentionMs).toBeDefined();
  const { hash, violation } = await playPlan(plan, { openHost });
  expect(violation).toBeNull();
  expect((await playPlan(plan, { openHost, drain: 'turn' })).hash).toBe(hash);
});
