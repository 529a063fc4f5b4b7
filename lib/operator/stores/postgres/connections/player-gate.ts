import type { Clock } from '../../../../platform';
import type { PlayerKey } from '../../../wallet';
import { NotSentError } from './pool';

/** A player with statements in flight, and those waiting for one to end, in order. */
interface Entry {
  inWork: number;
  readonly waiting: Set<() => void>;
}

/**
 * Statements of one player that may be at the server at once: one that works, and one that waits for its
 * lock, so that the server never idles in between. Every write locks rows of its player, so a third could
 * only hold a connection that another player needs.
 */
export const maxOfOnePlayer = 2;

/**
 * Keeps the statements of one player from taking every connection: further ones wait in this process, in
 * order.
 */
export class PlayerGate {
  readonly #players = new Map<string, Entry>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  /** Number of players with a statement in flight. */
  get size(): number {
    return this.#players.size;
  }

  /**
   * Does the work once fewer than {@link maxOfOnePlayer} of the player are in flight.
   * @throws NotSentError if that takes longer than this many milliseconds; what the work throws.
   */
  async pass<T>(player: PlayerKey, withinMs: number, work: () => Promise<T>): Promise<T> {
    const name = nameOf(player);
    const entry = this.#players.get(name) ?? { inWork: 0, waiting: new Set() };
    this.#players.set(name, entry);
    if (entry.inWork >= maxOfOnePlayer) await this.turn(entry, withinMs);
    else entry.inWork++;
    try {
      return await work();
    } finally {
      this.leave(name, entry);
    }
  }

  /** Resolves when a leaving statement hands over its place. */
  private turn({ waiting }: Entry, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        cancel();
        resolve();
      };
      const cancel = this.clock.after(withinMs, () => {
        waiting.delete(enter);
        reject(new NotSentError('earlier statements of the player are still in flight'));
      });
      waiting.add(enter);
    });
  }

  private leave(name: string, entry: Entry): void {
    const [next] = entry.waiting;
    if (next !== undefined) {
      entry.waiting.delete(next);
      next();
    } else if (--entry.inWork === 0) this.#players.delete(name);
  }
}

function nameOf({ operatorId, playerId }: PlayerKey): string {
  return `${operatorId.length}:${operatorId}${playerId}`;
}
