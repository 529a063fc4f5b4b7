import { expect, test } from '@jest/globals';

import { Events, type OperatorEvent } from '../../../lib/operator/events';
import { Lineage } from '../../../lib/operator/stores/lineage';
import { StoreUnsafeError } from '../../../lib/operator/wallet';

import { createSeededRandom, systemClock } from '../../../lib/platform';

const older =
  'PostgreSQL holds older data in the schema s than before: acknowledged calls are lost. Restore the newer data and restart, or restart to continue without it.';

function lineage({ acceptOlderData = false, times = [10, 20, 30] } = {}) {
  const told: OperatorEvent[] = [];
  const events = new Events([{ on: (event) => void told.push(event) }]);
  const clock = { ...systemClock, now: () => times.shift() ?? 0 };
  const where = { store: 'PostgreSQL', place: 'in the schema s' } as const;
  const random = createSeededRandom(1);
  return { past: new Lineage({ ...where, acceptOlderData, clock, random, events }), told };
}

test('data are older without the latest renewal that counts, whatever else they hold', () => {
  const { past } = lineage();
  past.check(0); // nothing counts yet
  past.count(past.renewal().at);
  past.count(past.renewal().at);
  past.check(20);
  expect(() => past.check(10)).toThrow(new StoreUnsafeError(older));
});

test('a renewal of unknown outcome does not count: a failover that lost it has lost nothing', () => {
  const { past } = lineage();
  past.count(past.renewal().at);
  expect(past.renewal()).toEqual({ at: 20, least: 10 });
  past.check(10);
  past.check(20);
});

test('a renewal that is confirmed while the data are read makes them no older', () => {
  const { past } = lineage();
  past.count(past.renewal().at);
  const { counted } = past;
  past.count(past.renewal().at);
  past.check(10, counted);
  expect(() => past.check(10)).toThrow(older);
});

test('a process that has found older data refuses all data from then on', () => {
  const { past } = lineage();
  past.count(past.renewal().at);
  expect(() => past.check(0)).toThrow(older);
  expect(() => past.check(10)).toThrow(older);
});

test('no time is used twice where the clock is set back', () => {
  const { past } = lineage({ times: [10, 3, 4] });
  expect([past.renewal().at, past.renewal().at, past.renewal().at]).toEqual([10, 11, 12]);
});

test('with acceptOlderData older data are used from then on, and each time it is said', () => {
  const { past, told } = lineage({ acceptOlderData: true });
  past.count(past.renewal().at);
  past.check(0);
  past.check(0);
  past.count(past.renewal().at);
  past.check(10);
  const reason =
    'PostgreSQL holds older data in the schema s than before: acknowledged calls are lost.';
  const accepted = { kind: 'olderDataAccepted', store: 'PostgreSQL', reason };
  expect(told).toEqual([accepted, accepted]);
});
