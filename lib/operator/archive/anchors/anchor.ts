import type { NoteKey } from '../tlog';
import type { SignedHead } from '../writer/log-writer';

/** A place with another administrator that keeps what the log was at a size. */
export interface Anchor {
  /** As the operator named it, without secrets. */
  readonly name: string;
  /** Gets at most one checkpoint in so many milliseconds, and the last one when the archive ends; every one unless set. */
  readonly everyMs?: number;
  /**
   * Gives it a checkpoint. Resolves to signature lines that join it; "" without any.
   * @throws Error that says why it was not taken; `ContradictedError` if the place knows another log.
   */
  anchor(head: SignedHead, log: AnchoredLog): Promise<string>;
}

/** What an anchor may ask of the log. */
export interface AnchoredLog {
  readonly origin: string;
  /** The keys that have signed it. */
  readonly keys: readonly NoteKey[];
  /** The hashes that show the log of the head to begin with that of this size. */
  prove(size: number, head: SignedHead): Promise<readonly Buffer[]>;
  /** Keeps the reply of a time authority about the checkpoint of this size, unless there is one. */
  keepTimestamp(size: number, reply: Buffer): Promise<void>;
}

/**
 * The storage of the anchor keeps what it has and takes nothing more, as write-once storage does with a file that ends in a torn
 * checkpoint. Trying again changes nothing until somebody changes the storage.
 */
export class StorageRefusedError extends Error {
  override readonly name = 'StorageRefusedError';
}

/** The anchor knows the log otherwise: one of the two was rewritten. Trying again changes nothing. */
export class ContradictedError extends Error {
  override readonly name = 'ContradictedError';
}
