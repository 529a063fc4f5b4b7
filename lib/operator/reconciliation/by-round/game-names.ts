import type { PlayedRound } from '../rounds/round';
import type { RowText } from './export-rows';

/**
 * Tells another game from another name. An export may have titles in place of our codes: a name that differs is another
 * game only if it is that of another game here, or if the export has our name for the game elsewhere.
 */
export class GameNames {
  readonly #ours = new Set<string>();
  /** Ours that the export uses for the same game. */
  readonly #shared = new Set<string>();

  /** Learns from a round of both sides. */
  note({ game }: PlayedRound, theirs: RowText | null): void {
    this.#ours.add(game);
    if (theirs?.[2] === game) this.#shared.add(game);
  }

  /** Whether a row is of another game than its round, by the names of all rounds. */
  areTwo({ game }: PlayedRound, theirs: RowText): boolean {
    return this.#shared.has(game) || this.#ours.has(theirs[2] ?? '');
  }
}
