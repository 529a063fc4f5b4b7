import { describe, expect, test } from '@jest/globals';

import { journalContract } from '../../../lib/proof';
import type { Journal, JournalEvent } from '../../../lib/rgs/journal/port';

/** Mistakes that a journal of one's own may have, and the case of the contract that finds each. */
const bugs = {
  'acknowledges what it keeps at close alone': 'an acknowledged event is there after a crash',
  'keeps the appends of one moment in another order': 'appends called at once keep the order',
  'keeps what comes before the wrong event of an append': 'of an append that is rejected no event',
  'goes on after a rejected append': 'after a rejected append every later one rejects',
  'reads events later than it is called': 'an event is kept as it was when append was called',
  'resolves an append without events at once': 'an append without events keeps nothing',
  'reads a snapshot later than it is called': 'a snapshot is read when compact is called',
  'lets a snapshot replace later appends too': 'appends meanwhile come after the snapshot',
  'lets a snapshot replace the earlier snapshot alone': 'a snapshot replaces what came before it',
  'replaces by a part of a snapshot that fails': 'a snapshot that fails leaves the earlier events',
  'closes before its appends are kept': 'close waits for the appends in flight',
  'takes appends after close': 'a closed journal rejects appends',
  'replays once': 'reading twice in a row gives the same events',
  'cannot keep a zero character': 'texts come back as they were',
  'takes __proto__ for a prototype': 'names of members such as __proto__',
  'keeps numbers with six digits': 'numbers, truth values, null',
} as const;

type Bug = keyof typeof bugs;

/** A plain journal that has this mistake, on texts that a place keeps; it writes one call after the other. */
class PlainJournal implements Journal {
  private last: Promise<unknown> = Promise.resolve();
  private held: string[] = [];
  private failure: Error | null = null;
  private isClosed = false;
  private replays = 0;

  constructor(
    private readonly place: { texts: string[] },
    private readonly bug: Bug | null,
  ) {}

  async append(events: readonly JournalEvent[]): Promise<void> {
    if (this.failure !== null) throw this.failure;
    if (this.isClosed && !this.has('takes appends after close')) throw new Error('closed');
    if (events.length === 0 && this.has('resolves an append without events at once')) return;
    const texts = this.encoded(events);
    await this.inTurn(() => {
      const found = this.has('reads events later than it is called') ? this.encoded(events) : texts;
      this.keep(found);
    });
  }

  async *replay(): AsyncGenerator<JournalEvent> {
    if (this.replays++ > 0 && this.has('replays once')) return;
    for (const text of this.place.texts) {
      const event = JSON.parse(text) as JournalEvent;
      if (!this.has('takes __proto__ for a prototype')) yield event;
      else yield withoutProto(event) as JournalEvent;
    }
  }

  async compact(snapshot: Iterable<JournalEvent>): Promise<void> {
    if (this.isClosed) throw new Error('closed');
    if (this.has('replaces by a part of a snapshot that fails')) this.place.texts = [];
    const isLate = this.has('reads a snapshot later than it is called');
    const early = isLate ? [] : this.encoded(snapshot, false);
    await this.inTurn(() => {
      const texts = isLate ? this.encoded(snapshot, false) : early;
      if (this.has('lets a snapshot replace the earlier snapshot alone')) this.keep(texts);
      else this.place.texts = [...texts];
    });
    if (this.has('lets a snapshot replace later appends too')) {
      await this.last;
      this.place.texts = [...early];
    }
  }

  needsCompaction(): boolean {
    return false;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (!this.has('closes before its appends are kept')) await this.last;
    else this.keep = () => {};
    this.place.texts.push(...this.held.splice(0));
  }

  private keep(texts: readonly string[]): void {
    if (this.has('acknowledges what it keeps at close alone')) this.held.push(...texts);
    else if (this.has('keeps the appends of one moment in another order')) {
      this.place.texts.splice(this.place.texts.length & ~1, 0, ...texts);
    } else this.place.texts.push(...texts);
  }

  private encoded(events: Iterable<JournalEvent>, isFinal = true): string[] {
    const texts: string[] = [];
    try {
      for (const event of events) texts.push(this.textOf(event));
    } catch (error) {
      if (this.has('keeps what comes before the wrong event of an append')) this.keep(texts);
      if (isFinal && !this.has('goes on after a rejected append')) this.failure = error as Error;
      throw error;
    }
    return texts;
  }

  private textOf(event: JournalEvent): string {
    if (this.has('cannot keep a zero character'))
      return JSON.stringify(event).replaceAll('\\u0000', '');
    if (!this.has('keeps numbers with six digits')) return JSON.stringify(event);
    return JSON.stringify(event, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(6)) : value,
    );
  }

  private inTurn(work: () => void): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  private has(bug: Bug): boolean {
    return this.bug === bug;
  }
}

/** As `Object.assign` and careless copies do it. */
function withoutProto(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutProto(inner)]));
}

/** The names of the cases that a journal with this mistake fails, of those that have this in their name. */
async function failuresOf(bug: Bug | null, part = ''): Promise<string[]> {
  const cases: { name: string; run: () => Promise<void> }[] = [];
  journalContract({
    runner: {
      describe: (_, define) => define(),
      it: (name, run) => cases.push({ name, run }),
      afterAll: () => {},
    },
    createJournal: () => {
      const place = { texts: [] as string[] };
      const open = () => new PlainJournal(place, bug);
      return { open, openAfterCrash: open };
    },
  });
  const played = cases.filter(({ name }) => name.includes(part));
  const failed: string[] = [];
  for (const { name, run } of played) await run().catch(() => failed.push(name));
  return failed;
}

describe('the journal contract', () => {
  test('accepts a plain journal without mistakes', async () => {
    expect(await failuresOf(null)).toEqual([]);
  });

  test.each(Object.entries(bugs))('finds a journal that %s', async (bug, name) => {
    expect(await failuresOf(bug as Bug, name)).toContainEqual(expect.stringContaining(name));
  });
});
