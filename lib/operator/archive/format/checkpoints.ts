import { LogFormatError } from '../tlog';

/**
 * What is appended to a file `checkpoints` for each: the note and an empty line. Only notes with their empty line count:
 * a torn end does not.
 */
export function checkpointsEntry(note: string): string {
  return `${note}\n`;
}

/** A note of a file `checkpoints`. */
export interface CheckpointEntry {
  readonly note: string;
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Where it ends in the text, with its empty line: cut what is torn after the last before you append. */
  readonly end: number;
}

/**
 * The notes of a file `checkpoints` in order. Each has one empty line of its
 * own, before its signatures. What a crash left torn at the end is skipped. @throws LogFormatError with the line.
 */
export function* splitCheckpoints(text: string): Generator<CheckpointEntry> {
  let line = 1;
  for (let from = 0; from < text.length; ) {
    const middle = text.indexOf('\n\n', from);
    const end = middle < 0 ? -1 : text.indexOf('\n\n', middle + 2);
    if (end < 0) return;
    const note = text.slice(from, end + 1);
    if (note.startsWith('\n')) throw new LogFormatError(`checkpoints line ${line} is empty`);
    yield { note, line, end: end + 2 };
    line += note.split('\n').length;
    from = end + 2;
  }
}
