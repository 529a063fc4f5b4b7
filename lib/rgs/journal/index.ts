export { JournalError, type JournalErrorCode } from './error';
export { createFileJournal, type FileJournalOptions } from './file';
export { createMemoryJournal, type MemoryJournal } from './memory';
export type { Journal, JournalEvent } from './port';
export { writeEvent } from './text';
