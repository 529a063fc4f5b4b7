import { afterAll, describe, expect, it, test } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { minuteKeptMs } from '../../../lib/operator/wallet';
import { createMemoryLedger, minutesContract } from '../../../lib/proof';
import { VirtualClock } from '../../support/virtual-clock';

const runner = { describe, it, afterAll };

describe('in memory', () => minutesContract({ runner, createStore: createMemoryStore }));

describe('over a ledger', () => {
  minutesContract({
    runner,
    createStore: (options) => {
      const ledger = createMemoryLedger();
      const journal = createMemoryStore(options);
      return { store: createLedgerStore({ ledger, journal }), players: ledger };
    },
  });
});

test('in memory a row is forgotten two days after it was saved, whatever its minute', async () => {
  const clock = new VirtualClock(0);
  const { minutes } = createMemoryStore({ clock });
  await minutes.save({ minute: 5, process: 'old', text: '1' });
  await clock.pass(minuteKeptMs - 1);
  await minutes.save({ minute: 5, process: 'new', text: '1' });
  expect(await minutes.list(0, 9)).toHaveLength(2);
  await clock.pass(1);
  await minutes.save({ minute: 6, process: 'now', text: '1' });
  expect((await minutes.list(0, 9)).map(({ process }) => process)).toEqual(['new', 'now']);
});
