import type { Clock } from '../../../../platform';
import type { PlayerKey } from '../../../wallet';
import { NotSentError } from './pool';

/** A player with statements in work, and those that wait for one of them to end, the first first. */
interface Entry {
  inWork: number;
  readonly waiting: Set<() => void>;
}

/**
 * Statements of one player that may be at the server at once: one that works, and one that waits for its lock so that
 * nothing stands still in between. All that write lock rows of their player, so a third could only hold a connection
 * that another player needs.
 */
export const mostOfOnePlayer = 2;

/** Keeps the statements of one player from taking every connection: what is too much waits in this process, in order. */
export class PlayerGate {
  readonly #players = new Map<string, Entry>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  /** Players with a statement in work. */
  get size(): number {
    return this.#players.size;
  }

  /**
   * Does the work once fewer than {@link mostOfOnePlayer} of the player are in work.
   * @throws NotSentError where that is not within the time, in milliseconds; what the work throws.
   */
  async pass<T>(player: PlayerKey, withinMs: number, work: () => Promise<T>): Promise<T> {
    const name = nameOf(player);
    const entry = this.#players.get(name) ?? { inWork: 0, waiting: new Set() };
    this.#players.set(name, entry);
    if (entry.inWork >= mostOfOnePlayer) await this.turn(entry, withinMs);
    else entry.inWork++;
    try {
      return await work();
    } finally {
      this.leave(name, entry);
    }
  }

  /** Resolves when the place of one that has left is handed over. */
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
