import type { ArchiveFiles } from './archive-files';
import type { CleanArchive } from './clean-archive';
import type { Draw } from './events';
import type { Signer } from './notes';

/** What a forger has: the folder, and what he could get hold of. */
export interface Scene extends CleanArchive {
  readonly draw: Draw;
  /** Another key of the same origin, made by the forger. */
  readonly stranger: Signer;
  /** The archive of another operator, with its own key. */
  readonly foreign: CleanArchive;
  /** What the auditor's anchor holds; a forger changes it only where the anchor is what lies. */
  readonly anchor: ArchiveFiles;
}

/** What the report has to name. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}

export interface Forging {
  /** A sentence: who did what. */
  readonly name: string;
  /**
   * What shows it. `folder`: the folder alone. `anchor`: a checkpoint that somebody else keeps. `key`: the key that the
   * auditor was given, or such a checkpoint.
   */
  readonly shownBy: 'folder' | 'anchor' | 'key';
  readonly forge: (scene: Scene) => Place | undefined | void;
}

/** A forging that the folder shows by itself. */
export const plain = (name: string, forge: Forging['forge']): Forging => ({
  name,
  shownBy: 'folder',
  forge,
});
