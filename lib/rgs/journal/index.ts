export { type Journal, JournalError, type JournalErrorCode, type JournalEvent } from './port';
export { createFileJournal, type FileJournalOptions } from './file';
export { createMemoryJournal, type MemoryJournal } from './memory';
export { writeEvent } from './line';
