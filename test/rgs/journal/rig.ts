import type { Journal, JournalEvent } from '../../../lib/rgs/journal/port';
import { type FileJournalOptions, openFileJournal } from '../../../lib/rgs/journal/file';
import type { Owner } from '../../../lib/rgs/journal/lock';
import type { CrashingDisk } from './crashing-disk';

export const PATH = '/data/rgs.journal';

let pids = 1000;

/** A new process; every earlier one is dead. */
export function newProcess(): Owner {
  const pid = ++pids;
  return { pid, host: 'host', isAlive: (other) => other === pid };
}

/** Opens the journal as a new process. */
export function openOn(
  disk: CrashingDisk,
  options: Partial<FileJournalOptions> = {},
  owner = newProcess(),
): Promise<Journal> {
  return openFileJournal({ path: PATH, ...options }, disk, owner);
}

/** Reads all events of what a new process finds. */
export async function eventsOn(disk: CrashingDisk): Promise<JournalEvent[]> {
  const journal = await openOn(disk);
  const events = await eventsOf(journal);
  await journal.close();
  return events;
}

export async function eventsOf(journal: Journal): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const one of journal.replay()) events.push(one);
  return events;
}

/** The numbers of the events. */
export async function numbersOn(disk: CrashingDisk): Promise<unknown[]> {
  return (await eventsOn(disk)).map(({ number }) => number);
}

/** An event of this number. */
export function event(number: number): JournalEvent {
  return { type: 'noted', number };
}
