import { expect, test } from '@jest/globals';

import { createMemoryJournal } from '../../../../lib/rgs/journal/memory';
import { EventLog } from '../../../../lib/rgs/sandbox/process/events';

test('the events of the first rounds leave for those of others: a provider that sends much data does not fill the memory', async () => {
  const log = new EventLog({ now: () => 0, call: () => 0 }, 10_000);
  const journal = log.follow(createMemoryJournal());
  for (let n = 1; n <= 20; n++) {
    await journal.append([
      { type: 'round', gameRound: `r${n}`, event: { data: 'x'.repeat(2000) } },
    ]);
  }
  const kept = Array.from({ length: 20 }, (_, n) => `r${n + 1}`).filter(
    (gameRound) => log.about(gameRound).length > 0,
  );
  expect(kept).toEqual(['r17', 'r18', 'r19', 'r20']);
});
