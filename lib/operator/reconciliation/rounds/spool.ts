import { hash } from 'node:crypto';

/** Parts that rounds are split into, so that one part is in memory at a time. */
export const parts = 256;

/** Keeps values, which JSON can tell, in parts until they are read. */
export interface Spool<Value> {
  /** Adds a value to a part of 0 to 255. */
  add(part: number, value: Value): void;
  /** The values of a part, in the order in which they were added. */
  read(part: number): readonly Value[];
}

/** The part of a round: by its SHA-256, so that nobody can choose ids of one part. */
export function partOf(round: string): number {
  return hash('sha256', round, 'binary').charCodeAt(0);
}
