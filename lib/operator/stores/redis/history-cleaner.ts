import type { PlayerKey } from '../../wallet';
import { readEntry } from './codec/history';
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';

/** One in this many new rounds has its player's list looked through, and how many rounds of it. */
const [roundsBetween, lookedAt] = [16, 64];
/** Steps through a list that come close to each place of it: the golden ratio, in thousandths. */
const step = 618;

/**
 * Removes rounds that Redis has deleted from the lists of players who play on. The list of a player who
 * does not goes with the last of its rounds. Nothing waits for this; what fails is tried again later.
 */
export class HistoryCleaner {
  #rounds = 0;

  constructor(private readonly parts: { readonly executor: Executor; readonly keys: Keys }) {}

  /** Notes that a round was added. */
  noteRound(player: PlayerKey): void {
    this.#rounds += 1;
    if (this.#rounds % roundsBetween !== 0) return;
    const cleaned = this.#rounds / roundsBetween;
    // The oldest are deleted first, but behind rounds that are kept for ever others are deleted too.
    const place = cleaned % 2 === 0 ? (cleaned * step) % 1000 : 0;
    this.clean(player, place).catch(() => {});
  }

  private async clean(player: PlayerKey, place: number): Promise<void> {
    const { executor, keys } = this.parts;
    const { list: history } = keys.history(player);
    const looked = { history, place, atMost: lookedAt };
    const entries = (await executor.run(scripts.readHistoryPart, looked)) as string[];
    if (entries.length === 0) return;
    const rounds = entries.map((text) => keys.round(readEntry(player, text).round));
    await executor.run(scripts.removeExpired, { history, rounds, entries });
  }
}
