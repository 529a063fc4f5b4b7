import type { JsonValue } from '../../../protocol/json';
import { assertEvents, event, type JournalCase } from './case';

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
export function contentRules(check: JournalCase): void {
  check('texts come back as they were, whatever their characters', async (place) => {
    const journal = await place.start();
    const events = texts.map((text, at) => event(at, { text, inner: [text, { [text]: text }] }));
    for (const one of events) await journal.append([one]);
    const again = await place.reopen(journal);
    await assertEvents(again, events);
    await again.compact(events);
    await assertEvents(await place.reopen(again), events);
  });

  check('names of members such as __proto__ are ordinary names', async (place) => {
    const journal = await place.start();
    const events = names.map((name, at) => {
      const inner = JSON.parse(`{${JSON.stringify(name)}:{"a":1}}`) as JsonValue;
      return event(at, { inner, name });
    });
    await journal.append(events);
    await assertEvents(await place.reopen(journal), events);
  });

  check('numbers, truth values, null, empty and nested values come back', async (place) => {
    const journal = await place.start();
    let deep: JsonValue = 'core';
    for (let level = 0; level < 40; level++) deep = level % 2 === 0 ? [deep] : { in: deep };
    const values: JsonValue[] = [...numbers, true, false, null, [], {}, [[], {}], deep];
    const events = values.map((value, at) => event(at, { value }));
    await journal.append(events);
    await assertEvents(await place.reopen(journal), events);
  });

  check('a large event comes back, and so does an append of many', async (place) => {
    const journal = await place.start();
    const large = event(0, { text: 'ü'.repeat(1_000_000) });
    const many = Array.from({ length: 3000 }, (_, at) => event(at + 1, { text: 'x'.repeat(300) }));
    await Promise.all([journal.append([large]), journal.append(many), journal.append([event(-1)])]);
    await assertEvents(await place.reopen(journal), [large, ...many, event(-1)]);
  });
}
