import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../rgs/journal/port';
import { assertEvents, assertNumbers, event, eventsFrom, type JournalCase, notJson } from './case';
import type { JsonValue } from '../../../protocol/json/parse';

/** A snapshot takes the place of all that came before it. */
export function snapshotRules(it: JournalCase): void {
  it('a snapshot replaces what came before it, and what comes after follows it', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(100, 199));
    await journal.compact(eventsFrom(0, 9));
    await journal.append(eventsFrom(10, 12));
    const again = await place.reopen(journal);
    await assertNumbers(again, 0, 12, 'the snapshot, and what came after');
    await again.append([event(13)]);
    await assertNumbers(await place.reopen(again), 0, 13, 'and the next append');
  });

  it('a snapshot is there after a crash', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(100, 109));
    await journal.compact(eventsFrom(0, 4));
    await journal.append([event(5)]);
    await assertNumbers(await place.afterCrash(journal), 0, 5, 'the snapshot and the append');
  });

  it('appends meanwhile come after the snapshot, and those called before it do not', async (place) => {
    const journal = await place.start();
    const calls = [journal.append([event(100)]), journal.append([event(101)])];
    calls.push(journal.compact(eventsFrom(0, 49)));
    for (let at = 50; at < 150; at++) calls.push(journal.append([event(at)]));
    await Promise.all(calls);
    await assertNumbers(await place.reopen(journal), 0, 149, 'every event once, in order');
  });

  it('appends all the time lose nothing to a snapshot in their midst', async (place) => {
    const journal = await place.start();
    for (let at = 0; at < 20; at++) await journal.append([event(at)]);
    const compacting = journal.compact(eventsFrom(0, 19));
    for (let at = 20; at < 60; at++) await journal.append([event(at)]);
    await compacting;
    for (let at = 60; at < 70; at++) await journal.append([event(at)]);
    await assertNumbers(await place.reopen(journal), 0, 69, 'every event once, in order');
  });

  it('of two snapshots the later one counts', async (place) => {
    const journal = await place.start();
    await journal.append([event(100)]);
    await journal.compact([event(101)]);
    await journal.compact(eventsFrom(0, 2));
    await journal.append([event(3)]);
    await assertNumbers(await place.reopen(journal), 0, 3, 'one after the other');
  });

  it('of two snapshots at once the later one counts', async (place) => {
    const journal = await place.start();
    const first = journal.compact(eventsFrom(100, 119));
    const between = journal.append([event(120)]);
    const second = journal.compact(eventsFrom(0, 2));
    const after = journal.append([event(3)]);
    await Promise.all([first, between, second, after]);
    await assertNumbers(await place.reopen(journal), 0, 3, 'the second, and what came after it');
  });

  it('an empty snapshot leaves nothing', async (place) => {
    const journal = await place.start();
    await journal.append(eventsFrom(100, 103));
    await journal.compact([]);
    const again = await place.reopen(journal);
    await assertNumbers(again, 0, -1, 'nothing');
    await again.append([event(0)]);
    await assertNumbers(await place.reopen(again), 0, 0, 'and the journal keeps working');
  });

  it('a snapshot of many events is kept whole', async (place) => {
    const journal = await place.start();
    await journal.append([event(-1)]);
    await journal.compact(eventsFrom(0, 19_999));
    await assertNumbers(await place.reopen(journal), 0, 19_999, 'all of them');
  });

  it('a snapshot is read when compact is called', async (place) => {
    const journal = await place.start();
    const live = [event(0), event(1)];
    const compacting = journal.compact(live.values());
    live.push(event(2));
    const appending = journal.append([event(2)]);
    await Promise.all([compacting, appending]);
    await assertNumbers(await place.reopen(journal), 0, 2, 'what is new comes by its append alone');
  });

  it('a snapshot that fails leaves the earlier events, and the journal takes more', async (place) => {
    const journal = await place.start();
    await journal.append([event(0), event(1)]);
    await assert.rejects(journal.compact([event(100), notJson]));
    await assert.rejects(journal.compact(failing()));
    await journal.append([event(2)]);
    await assertNumbers(await place.reopen(journal), 0, 2, 'as if it had never been called');
  });

  it('a snapshot of what was replayed changes nothing', async (place) => {
    const journal = await place.start();
    const rich = [event(0, { a: [1, { b: null }], c: { d: true } }), event(1, { e: 'x' })];
    await journal.append(rich);
    const again = await place.reopen(journal);
    const replayed: JournalEvent[] = [];
    for await (const one of again.replay()) replayed.push(one);
    await again.compact(replayed);
    await assertEvents(await place.reopen(again), rich);
  });

  it('needsCompaction is answered, and is false right after a snapshot', async (place) => {
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

/** Texts that a player or a provider may choose. */
const texts: readonly string[] = [
  '',
  ' ',
  'line\nbreak\r\n\u2028\u2029',
  'tab\t, quote ", backslash \\, apostrophe \'',
  'Grüße, 中文, ελληνικά, עברית',
  'emoji \u{1f3b0}, combining e\u0301',
  'control \u0000 \u0001 \u001f \u007f \u0085',
  'half of a pair: \ud83c, and the other half: \udfb0',
  '\ufeff\ufffe\uffff',
  '{"n":1,"crc":"00000000","events":[]}',
  "$1 %s ${x} {{y}} '; DROP TABLE journal; --",
];

/** Names of members that mean something to JavaScript. */
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'length',
  '0',
  '',
  'then',
];

const numbers = [0, -1, 0.1, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER];

/** Every event that is JSON comes back as it was. */
export function contentRules(it: JournalCase): void {
  it('texts come back as they were, whatever their characters', async (place) => {
    const journal = await place.start();
    const events = texts.map((text, at) => event(at, { text, inner: [text, { [text]: text }] }));
    for (const one of events) await journal.append([one]);
    const again = await place.reopen(journal);
    await assertEvents(again, events);
    await again.compact(events);
    await assertEvents(await place.reopen(again), events);
  });

  it('names of members such as __proto__ are ordinary names', async (place) => {
    const journal = await place.start();
    const events = names.map((name, at) => {
      const inner = JSON.parse(`{${JSON.stringify(name)}:{"a":1}}`) as JsonValue;
      return event(at, { inner, name });
    });
    await journal.append(events);
    await assertEvents(await place.reopen(journal), events);
  });

  it('numbers, truth values, null, empty and nested values come back', async (place) => {
    const journal = await place.start();
    let deep: JsonValue = 'core';
    for (let level = 0; level < 40; level++) deep = level % 2 === 0 ? [deep] : { in: deep };
    const values: JsonValue[] = [...numbers, true, false, null, [], {}, [[], {}], deep];
    const events = values.map((value, at) => event(at, { value }));
    await journal.append(events);
    await assertEvents(await place.reopen(journal), events);
  });

  it('a large event comes back, and so does an append of many', async (place) => {
    const journal = await place.start();
    const large = event(0, { text: 'ü'.repeat(1_000_000) });
    const many = Array.from({ length: 3000 }, (_, at) => event(at + 1, { text: 'x'.repeat(300) }));
    await Promise.all([journal.append([large]), journal.append(many), journal.append([event(-1)])]);
    await assertEvents(await place.reopen(journal), [large, ...many, event(-1)]);
  });
}
