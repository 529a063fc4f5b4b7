import { LatestMap } from '../../../platform/latest-map';
import { maxLimits } from '../player/limits';

/** Most players that a process remembers to have limits. */
const mostPlayers = 10_000;

/**
 * Which players have limits, or a block that ends, as far as this process has seen, and in which zones. A commit of another
 * player is sent without its moment; a store that needs it writes nothing and asks for it.
 */
export class LimitedPlayers {
  readonly #zones = new LatestMap<readonly string[]>(mostPlayers);

  /** The zones of a player's limits; undefined if none are known. */
  zonesOf(player: string): readonly string[] | undefined {
    return this.#zones.size === 0 ? undefined : this.#zones.get(player);
  }

  /**
   * Sends with the zones that are known, and again with those that the answer asks for. Whatever fails is forgotten: a zone
   * that this system does not know may have gone from the player's limits by the next commit.
   * @param asked the zones that an answer asks for; null for any other answer
   */
  async send<T>(
    player: string,
    known: readonly string[],
    attempt: (zones: readonly string[]) => Promise<T>,
    asked: (answer: T) => readonly string[] | null,
  ): Promise<T> {
    try {
      return await this.#ask(player, known, attempt, asked);
    } catch (error) {
      this.#zones.delete(player);
      throw error;
    }
  }

  async #ask<T>(
    player: string,
    known: readonly string[],
    attempt: (zones: readonly string[]) => Promise<T>,
    asked: (answer: T) => readonly string[] | null,
  ): Promise<T> {
    this.#zones.set(player, known);
    let zones = known;
    for (;;) {
      const answer = await attempt(zones);
      const missing = asked(answer);
      if (missing === null) return answer;
      const all = [...new Set([...zones, ...missing])];
      if (all.length === zones.length)
        throw new Error('The store asks again for what it was given.');
      // With those that were known: a player's limits may be in several zones, set one after the other.
      this.#zones.set(player, all.slice(-Math.max(maxLimits, missing.length)));
      zones = all;
    }
  }
}
