import type { Events, StoreName } from '../events';
import type { Clock, Random } from '../../platform';
import type { OptionNames } from '../../platform/validation/known-names';
import { StoreUnsafeError } from '../wallet';

/** Options of a store with a server of its own: what it does about data that are older than before. */
export interface LineageOptions {
  /**
   * Whether this process serves calls; true unless set. Then it keeps a token in the store, and refuses older
   * data that lack it. Set it to false for a report or a script that ends soon: it writes no token.
   */
  readonly serves?: boolean;
  /**
   * Go on with data that are older than before, in which acknowledged calls are missing; each time it is
   * logged. Unless set, a process that finds such data refuses commands until it is restarted.
   */
  readonly acceptOlderData?: boolean;
}

/** The names of {@link LineageOptions}; all are switches. */
export const lineageOptionNames: OptionNames<LineageOptions> = {
  serves: true,
  acceptOlderData: true,
};

/** How many tokens a store keeps: those renewed last. */
export const keptTokens = 100;

/** How often a process renews its token, in milliseconds. */
export const renewalIntervalMs = 30_000;

/** What a lineage needs of its store. */
interface LineageParts {
  readonly store: StoreName;
  /** Where the store is, as in `under rgs:settings` or `in the schema rgs_wallet`. */
  readonly place: string;
  readonly acceptOlderData: boolean;
  readonly random: Random;
  readonly clock: Clock;
  readonly events: Events;
}

/**
 * What a process knows of the past of its store: whether data that it meets are those that it has used, or
 * older. The process has a random token, and the store holds for each token when it was renewed last. Data that
 * lack the token, or its latest renewal, are older: no other process can make up for that.
 *
 * What a store must do, if it `serves`:
 * 1. Renew: after each new connection has passed the server check, and every {@link renewalIntervalMs}: take
 *    `renewal()` and write it in one atomic step that changes nothing unless the stored time of the token is at
 *    least `least` (an absent token has time 0). A later time is never replaced by an earlier one: two writes can
 *    overtake each other. The step keeps the {@link keptTokens} tokens with the latest times.
 * 2. Once the write is as durable as an acknowledged call (in Redis: confirmed by WAIT), call `count(at)`. If its
 *    outcome is unknown, do nothing. If the step found a time below `least`, call `check(0)`.
 * 3. In every server check, and before it answers that a player or a round is unknown: take `counted`, read the time of
 *    the token and call `check`. What it throws closes the store.
 *
 * A process that does not serve reads and writes no token.
 */
export class Lineage {
  /** Of this process and store. */
  readonly token: string;
  #renewedAt = 0;
  #countedAt = 0;
  #refusal: StoreUnsafeError | null = null;

  constructor(private readonly parts: LineageParts) {
    this.token = parts.random.bytes(12).toString('base64url');
  }

  /** The next time to write for the token, and the least that the store must hold for it now. */
  renewal(): { readonly at: number; readonly least: number } {
    // The clock may be set back, and no time may be used twice: one time would name two pasts.
    this.#renewedAt = Math.max(this.#renewedAt + 1, this.parts.clock.now());
    return { at: this.#renewedAt, least: this.#countedAt };
  }

  /** From now on data without this renewal are older. */
  count(at: number): void {
    this.#countedAt = Math.max(this.#countedAt, at);
  }

  /** The least time that the store must hold for the token now. */
  get counted(): number {
    return this.#countedAt;
  }

  /**
   * Judges the data by the time that they hold for the token; 0 if they lack it. `counted` is read before the
   * data are: a renewal may be confirmed on another connection meanwhile.
   * @throws StoreUnsafeError for older data, and for all data after that.
   */
  check(at: number, counted = this.#countedAt): void {
    if (this.#refusal !== null) throw this.#refusal;
    if (at >= counted) return;
    const { store, place } = this.parts;
    this.refuse(`${store} holds older data ${place} than before: acknowledged calls are lost.`);
  }

  /**
   * Refuses all data until the process is restarted; with `acceptOlderData` it only says so.
   * @throws StoreUnsafeError
   */
  refuse(reason: string): void {
    const { store, acceptOlderData, events } = this.parts;
    if (acceptOlderData) {
      this.#countedAt = 0;
      events.emit({ kind: 'olderDataAccepted', store, reason });
      return;
    }
    this.#refusal = new StoreUnsafeError(
      `${reason} Restore the newer data and restart, or restart to continue without it.`,
    );
    throw this.#refusal;
  }
}
