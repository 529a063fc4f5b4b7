import { hash } from 'node:crypto';

/** Parts that rounds are split into, so that one part is in memory at a time. */
export const parts = 256;

/** Keeps lines in parts until they are read. */
export interface Spool {
  /** Adds a line, which has no line break, to a part of 0 to 255. */
  add(part: number, line: string): void;
  /** The lines of a part, in the order in which they were added. */
  read(part: number): readonly string[];
}

/** The part of a round: by its SHA-256, so that nobody can choose ids of one part. */
export function partOf(round: string): number {
  return hash('sha256', round, 'binary').charCodeAt(0);
}

/** A spool in memory, for little. */
export function memorySpool(): Spool {
  const kept = Array.from({ length: parts }, (): string[] => []);
  return {
    add: (part, line) => void kept[part]?.push(line),
    read: (part) => kept[part] ?? [],
  };
}
