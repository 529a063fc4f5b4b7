import assert from 'node:assert/strict';
import type { JsonValue } from '../../../protocol/json/parse';
import type { Journal, JournalEvent } from '../../../rgs/journal/port';

/** A place that keeps one journal, such as a table, and how a process opens it. */
export interface ContractJournal {
  /** Opens what the place keeps; nothing at first. The journal opened before was closed. */
  open(): Journal | Promise<Journal>;
  /**
   * Opens what the place keeps after a crash: the journal opened before was not closed, and is not used any
   * more. Closed first and then opened unless set.
   */
  openAfterCrash?(): Journal | Promise<Journal>;
  /** Releases the place; called once, after the case. Its journals are closed. */
  close?(): unknown;
}

/** A place as the cases use it; the journals that it opened are closed in the end. */
export class JournalPlace {
  private readonly opened: Journal[] = [];

  constructor(private readonly place: ContractJournal) {}

  /** Opens the place for the first time, and reads the nothing that is in it. */
  async start(): Promise<Journal> {
    const journal = await this.open();
    assert.deepEqual(await eventsOf(journal), [], 'a new journal must be empty');
    return journal;
  }

  async open(): Promise<Journal> {
    return this.kept(await this.place.open());
  }

  /** Closes the journal, and opens the place again. */
  async reopen(journal: Journal): Promise<Journal> {
    await journal.close();
    return this.open();
  }

  /** What a process finds after the one with this journal was killed. */
  async afterCrash(journal: Journal): Promise<Journal> {
    if (this.place.openAfterCrash === undefined) return this.reopen(journal);
    return this.kept(await this.place.openAfterCrash());
  }

  async close(): Promise<void> {
    for (const journal of this.opened) await journal.close();
    await this.place.close?.();
  }

  private kept(journal: Journal): Journal {
    this.opened.push(journal);
    return journal;
  }
}

/** One rule of the contract, on its own place. */
export type JournalCase = (name: string, run: (place: JournalPlace) => Promise<void>) => void;

/** An event with its own number. */
export function event(number: number, members: Readonly<Record<string, JsonValue>> = {}) {
  return { type: 'noted', number, ...members } satisfies JournalEvent;
}

/** Events numbered from one number to another, both included. */
export function eventsFrom(first: number, last: number): JournalEvent[] {
  return Array.from({ length: last - first + 1 }, (_, at) => event(first + at));
}

/** All that the journal replays. */
export async function eventsOf(journal: Journal): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const one of journal.replay()) events.push(one);
  return events;
}

/** The numbers of the events that the journal replays. */
export async function numbersOf(journal: Journal): Promise<unknown[]> {
  return (await eventsOf(journal)).map(({ number }) => number);
}

/** Asserts the events in their order; the order of the members of an object has no meaning. */
export async function assertEvents(
  journal: Journal,
  expected: readonly JournalEvent[],
): Promise<void> {
  const found = await eventsOf(journal);
  assert.deepEqual(found.map(canonical), expected.map(canonical));
}

/** Asserts the numbers of the events, from the first to the last. */
export async function assertNumbers(
  journal: Journal,
  first: number,
  last: number,
  why: string,
): Promise<void> {
  const expected = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  assert.deepEqual(await numbersOf(journal), expected, why);
}

/** The value as JSON, the members of each object in the order of their names. */
function canonical(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}

/** An event that is not JSON, so that every journal must refuse it. */
export const notJson = { type: 'noted', number: 1n } as unknown as JournalEvent;
