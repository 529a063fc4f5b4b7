import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../rgs/journal';
import { assertEvents, assertNumbers, event, eventsFrom, type JournalCase, notJson } from './case';

/** A snapshot takes the place of all that came before it. */
export function snapshotRules(check: JournalCase): void {
  check(
    'a snapshot replaces what came before it, and what comes after follows it',
    async (place) => {
      const journal = await place.start();
      await journal.append(eventsFrom(100, 199));
      await journal.compact(eventsFrom(0, 9));
      await journal.append(eventsFrom(10, 12));
      const again = await place.reopen(journal);
      await assertNumbers(again, 0, 12, 'the snapshot, and what came after');
      await again.append([event(13)]);
      await assertNumbers(await place.reopen(again), 0, 13, 'and the next append');
    },
  );

  check('a snapshot is there after a crash', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(100, 109));
    await journal.compact(eventsFrom(0, 4));
    await journal.append([event(5)]);
    await assertNumbers(await place.afterCrash(journal), 0, 5, 'the snapshot and the append');
  });

  check(
    'appends meanwhile come after the snapshot, and those called before it do not',
    async (place) => {
      const journal = await place.start();
      const calls = [journal.append([event(100)]), journal.append([event(101)])];
      calls.push(journal.compact(eventsFrom(0, 49)));
      for (let at = 50; at < 150; at++) calls.push(journal.append([event(at)]));
      await Promise.all(calls);
      await assertNumbers(await place.reopen(journal), 0, 149, 'every event once, in order');
    },
  );

  check('appends all the time lose nothing to a snapshot in their midst', async (place) => {
    const journal = await place.start();
    for (let at = 0; at < 20; at++) await journal.append([event(at)]);
    const compacting = journal.compact(eventsFrom(0, 19));
    for (let at = 20; at < 60; at++) await journal.append([event(at)]);
    await compacting;
    for (let at = 60; at < 70; at++) await journal.append([event(at)]);
    await assertNumbers(await place.reopen(journal), 0, 69, 'every event once, in order');
  });

  check('of two snapshots the later one counts', async (place) => {
    const journal = await place.start();
    await journal.append([event(100)]);
    await journal.compact([event(101)]);
    await journal.compact(eventsFrom(0, 2));
    await journal.append([event(3)]);
    await assertNumbers(await place.reopen(journal), 0, 3, 'one after the other');
  });

  check('of two snapshots at once the later one counts', async (place) => {
    const journal = await place.start();
    const first = journal.compact(eventsFrom(100, 119));
    const between = journal.append([event(120)]);
    const second = journal.compact(eventsFrom(0, 2));
    const after = journal.append([event(3)]);
    await Promise.all([first, between, second, after]);
    await assertNumbers(await place.reopen(journal), 0, 3, 'the second, and what came after it');
  });

  check('an empty snapshot leaves nothing', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(100, 103));
    await journal.compact([]);
    const again = await place.reopen(journal);
    await assertNumbers(again, 0, -1, 'nothing');
    await again.append([event(0)]);
    await assertNumbers(await place.reopen(again), 0, 0, 'and the journal goes on');
  });

  check('a snapshot of many events is kept whole', async (place) => {
    const journal = await place.start();
    await journal.append([event(-1)]);
    await journal.compact(eventsFrom(0, 19_999));
    await assertNumbers(await place.reopen(journal), 0, 19_999, 'all of them');
  });

  check('a snapshot is read when compact is called', async (place) => {
    const journal = await place.start();
    const live = [event(0), event(1)];
    const compacting = journal.compact(live.values());
    live.push(event(2));
    const appending = journal.append([event(2)]);
    await Promise.all([compacting, appending]);
    await assertNumbers(await place.reopen(journal), 0, 2, 'what is new comes by its append alone');
  });

  check(
    'a snapshot that fails leaves the earlier events, and the journal takes more',
    async (place) => {
      const journal = await place.start();
      await journal.append([event(0), event(1)]);
      await assert.rejects(journal.compact([event(100), notJson]));
      await assert.rejects(journal.compact(failing()));
      await journal.append([event(2)]);
      await assertNumbers(await place.reopen(journal), 0, 2, 'as if it had never been called');
    },
  );

  check('a snapshot of what was replayed changes nothing', async (place) => {
    const journal = await place.start();
    const rich = [event(0, { a: [1, { b: null }], c: { d: true } }), event(1, { e: 'x' })];
    await journal.append(rich);
    const again = await place.reopen(journal);
    const replayed: JournalEvent[] = [];
    for await (const one of again.replay()) replayed.push(one);
    await again.compact(replayed);
    await assertEvents(await place.reopen(again), rich);
  });

  check('needsCompaction is answered, and is false right after a snapshot', async (place) => {
    const journal = await place.start();
    assert.equal(journal.needsCompaction(), false);
    await journal.append(eventsFrom(0, 9));
    await journal.compact(eventsFrom(0, 9));
    assert.equal(journal.needsCompaction(), false);
  });
}

function* failing(): Generator<JournalEvent> {
  yield event(100);
  throw new Error('the state cannot be read');
}
