import { expect, test } from '@jest/globals';
import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import type { JournalEvent } from '../../../lib/rgs/journal/port';
import { writeEvent } from '../../../lib/rgs/journal/line';

async function eventsOf(journal: ReturnType<typeof createMemoryJournal>): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const event of journal.replay()) events.push(event);
  return events;
}

test('a text that was written before is that of the next append, and of no later one', async () => {
  const journal = createMemoryJournal();
  const event = { type: 'counted', n: 1 };
  expect(writeEvent(event)).toBe('{"type":"counted","n":1}');
  await journal.append([event]);
  event.n = 2;
  await journal.append([event]);
  expect(await eventsOf(journal)).toEqual([
    { type: 'counted', n: 1 },
    { type: 'counted', n: 2 },
  ]);
});
