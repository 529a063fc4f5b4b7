import assert from 'node:assert/strict';
import {
  assertEvents,
  assertNumbers,
  event,
  eventsFrom,
  type JournalCase,
  notJson,
  numbersOf,
} from './case';

/** The order of what was appended. */
export function orderRules(it: JournalCase): void {
  it('events come back in the order of their appends', async (place) => {
    const journal = await place.start();
    for (let at = 0; at < 10; at++) await journal.append([event(2 * at), event(2 * at + 1)]);
    await assertNumbers(await place.reopen(journal), 0, 19, 'in order');
  });

  it('appends called at once keep the order of their calls', async (place) => {
    const journal = await place.start();
    const calls = Array.from({ length: 200 }, (_, at) => {
      return journal.append(eventsFrom(3 * at, 3 * at + 2));
    });
    await Promise.all(calls);
    await assertNumbers(await place.reopen(journal), 0, 599, 'in order, none mixed with another');
  });

  it('an append without events keeps nothing, and comes after the earlier ones', async (place) => {
    const journal = await place.start();
    const first = journal.append([event(0)]);
    let isFirstKept = false;
    void first.then(() => {
      isFirstKept = true;
    });
    await journal.append([]);
    assert.ok(isFirstKept, 'an append must not resolve before an earlier one');
    await journal.append([event(1)]);
    await assertNumbers(await place.reopen(journal), 0, 1, 'the empty append leaves nothing');
  });

  it('an event is kept as it was when append was called', async (place) => {
    const journal = await place.start();
    const inner = { text: 'before' };
    const events = [event(0, { inner })];
    const appending = journal.append(events);
    inner.text = 'after';
    events.push(event(1));
    await appending;
    await assertEvents(await place.reopen(journal), [event(0, { inner: { text: 'before' } })]);
  });
}

/** What is there after the journal is opened again. */
export function durabilityRules(it: JournalCase): void {
  it('a new journal is empty, also when it is opened again', async (place) => {
    const again = await place.reopen(await place.start());
    await assertNumbers(again, 0, -1, 'nothing was appended');
  });

  it('what is appended after opening again comes after what was there', async (place) => {
    let journal = await place.start();
    for (let at = 0; at < 4; at++) {
      await journal.append(eventsFrom(2 * at, 2 * at + 1));
      journal = await place.reopen(journal);
      await assertNumbers(journal, 0, 2 * at + 1, 'all that was appended before');
    }
  });

  it('an acknowledged event is there after a crash', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(0, 4));
    await Promise.all([journal.append([event(5)]), journal.append([event(6)])]);
    const after = await place.afterCrash(journal);
    await assertNumbers(after, 0, 6, 'every append had resolved');
    await after.append([event(7)]);
    await assertNumbers(await place.afterCrash(after), 0, 7, 'and so after the next crash');
  });

  it('reading twice in a row gives the same events', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(0, 99));
    const again = await place.reopen(journal);
    await assertNumbers(again, 0, 99, 'the first time');
    await assertNumbers(again, 0, 99, 'the second time');
    await again.append([event(100)]);
    await assertNumbers(await place.reopen(again), 0, 100, 'reading changes nothing');
  });
}

/** An append is kept as a whole; one that was rejected is the last. */
export function rejectionRules(it: JournalCase): void {
  it('of an append that is rejected no event is kept', async (place) => {
    const journal = await place.start();
    await journal.append([event(0)]);
    await assert.rejects(journal.append([event(1), notJson, event(2)]));
    await assertNumbers(await place.reopen(journal), 0, 0, 'none of the three');
  });

  it('after a rejected append every later one rejects, until it is opened again', async (place) => {
    const journal = await place.start();
    await journal.append([event(0)]);
    await assert.rejects(journal.append([notJson]));
    for (let at = 0; at < 3; at++) await assert.rejects(journal.append([event(9)]));
    const again = await place.reopen(journal);
    await assertNumbers(again, 0, 0, 'nothing after the rejected append');
    await again.append([event(1)]);
    await assertNumbers(await place.reopen(again), 0, 1, 'a journal opened again takes appends');
  });

  it('appends called after one that is rejected reject too', async (place) => {
    const journal = await place.start();
    const calls = [[event(0)], [notJson], [event(1)]].map((events) => journal.append(events));
    const results = (await Promise.allSettled(calls)).map(({ status }) => status);
    const found = await numbersOf(await place.reopen(journal));
    assert.deepEqual(results.slice(1), ['rejected', 'rejected']);
    if (results[0] === 'fulfilled') assert.deepEqual(found, [0]);
    else assert.ok(found.length === 0 || found[0] === 0, 'only the first can have been kept');
    assert.ok(found.length < 2, 'an append after a rejected one must not be kept');
  });
}

/** The end of a journal. */
export function closingRules(it: JournalCase): void {
  it('close waits for the appends in flight', async (place) => {
    const journal = await place.start();
    const done: number[] = [];
    const calls = eventsFrom(0, 49).map(async (one, at) => {
      await journal.append([one]);
      done.push(at);
    });
    await journal.close();
    await Promise.all(calls);
    assert.equal(done.length, 50);
    await assertNumbers(await place.open(), 0, 49, 'all that was in flight');
  });

  it('a closed journal rejects appends and snapshots, and closes once', async (place) => {
    const journal = await place.start();
    await journal.append([event(0)]);
    await Promise.all([journal.close(), journal.close()]);
    await journal.close();
    await assert.rejects(journal.append([event(1)]));
    await assert.rejects(journal.compact([event(2)]));
    await assertNumbers(await place.open(), 0, 0, 'nothing after close');
  });
}
