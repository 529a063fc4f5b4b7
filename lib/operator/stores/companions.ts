import type { Events, StoreName } from '../events';
import type { Clock, Random } from '../../platform';
import type { OptionNames } from '../../platform/validation/known-names';
import { within } from '../../platform/within';
import { StoreUnsafeError } from '../wallet';

/** Options of a store with a server of its own: what it does beside processes that are set otherwise. */
export interface MixedOptions {
  /**
   * Serve beside processes that keep closed rounds for another time, or without `events` where consumers are
   * declared: it is only logged. Set it while you replace processes one after the other. Unless set, `ready()` of a
   * process that starts refuses both.
   */
  readonly acceptMixed?: boolean;
}

/** The names of {@link MixedOptions}; all are switches. */
export const mixedOptionNames: OptionNames<MixedOptions> = { acceptMixed: true };

const mixedCure =
  'While you replace processes one after the other, set acceptMixed (--accept-mixed).';
const eventsCure =
  'Start every process with the same names: the option events, or serve --events NAME. Forget a consumer that is gone.';
const unknownCure =
  'Let the store read them (docs/operations.md), or start the process with the names: the option events.';

/**
 * Finds consumers of events that are declared where a store names none: what its commits do is then hidden
 * from them. A process that starts is refused; of one that runs it is reported, once: readiness probes repeat
 * the check.
 */
export class UnnamedConsumers {
  /** Whether the process may run: its first look found none, or need not. */
  #mayRun: boolean;
  #areReported = false;
  #isFaultReported = false;

  constructor(
    private readonly store: StoreName,
    private readonly parts: {
      readonly events: Events;
      /** Whether a first look that finds some is an error. */
      readonly refuses: boolean;
      readonly declared: () => Promise<readonly string[]>;
      readonly reasonOf: (error: unknown) => string;
    },
  ) {
    this.#mayRun = !parts.refuses;
  }

  /** Looks. If the names cannot be read, it only says so: money does not wait for events. @throws StoreUnsafeError */
  async look(): Promise<void> {
    if (this.#areReported) return;
    const consumers = await this.read();
    if (consumers === null || this.#areReported) return;
    if (consumers.length === 0) this.#mayRun = true;
    else if (this.#mayRun) {
      this.#areReported = true;
      const { store } = this;
      this.parts.events.emit({ kind: 'consumersUnnamed', store, consumers, cure: eventsCure });
    } else {
      const names = consumers.join(', ');
      throw new StoreUnsafeError(
        `Consumers of events are declared (${names}), and this store names none: its commits would write no event. ${eventsCure} ${mixedCure}`,
      );
    }
  }

  private async read(): Promise<readonly string[] | null> {
    const { events, declared, reasonOf } = this.parts;
    try {
      return await declared();
    } catch (error) {
      if (this.#isFaultReported) return null;
      this.#isFaultReported = true;
      const [{ store }, reason] = [this, reasonOf(error)];
      events.emit({ kind: 'consumersUnknown', store, reason, cure: unknownCure });
      return null;
    }
  }
}

/** What a process notes in the store while it serves. */
interface ServingNote {
  /** Of this process and store. */
  readonly token: string;
  readonly retentionMs: number;
  /** Whether to note it though another process keeps rounds for another time. */
  readonly isForced: boolean;
}

/** The notes of the processes that serve over a store. */
export interface ServingNotes {
  /**
   * In one step: returns the other retentions of processes whose notes are younger than {@link noteKeptMs}, forgets
   * older notes, and notes its own if there is none or it is forced. `shortestMs` is the shortest retention that a
   * process had within the last `retentionMs`.
   */
  note(own: ServingNote): Promise<{
    readonly shortestMs: number;
    readonly others: readonly number[];
  }>;
  forget(token: string): Promise<void>;
}

const dayMs = 86_400_000;

/** How long a note counts after its process died, and how often one that runs renews it, in milliseconds. */
export const noteKeptMs = 90_000;
const renewalMs = 25_000;

/** How long a store that closes waits for its note to be forgotten, in milliseconds. */
const leaveMs = 1_000;

/** What the companions of a process need. */
interface CompanionsParts {
  readonly store: StoreName;
  readonly retentionMs: number;
  readonly acceptMixed: boolean;
  readonly notes: ServingNotes;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly reasonOf: (error: unknown) => string;
}

/**
 * The other processes that serve over the same store. They must keep closed rounds for the same time (D10.1): a
 * process that keeps them for a shorter one would forget hashes that the RGS may still send.
 */
export class Companions {
  readonly #token: string;
  #isNoted = false;
  #isClosed = false;
  #reported = '';
  /**
   * Whatever closed within this time is still kept, in milliseconds: the shortest retention of late (D10.2). Until the
   * notes were read, a day at most.
   */
  shortestMs: number;
  #stop: () => void = () => {};
  /** The latest writing of its note. */
  #noting: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: CompanionsParts) {
    this.shortestMs = Math.min(parts.retentionMs, dayMs);
    this.#token = parts.random.bytes(9).toString('base64url');
  }

  /**
   * Looks once, when the process starts; from then on its note is renewed. If the notes cannot be read, it only
   * says so, and looks again next time.
   * @throws StoreUnsafeError beside a process that keeps rounds for another time
   */
  async join(): Promise<void> {
    const { acceptMixed, retentionMs } = this.parts;
    if (this.#isNoted || this.#isClosed) return;
    const others = await this.note(acceptMixed);
    if (others === null) return;
    if (others.length > 0 && !acceptMixed) {
      throw new StoreUnsafeError(
        `Another process over this store has retentionMs ${others.join(' and ')}, this one ${retentionMs}: set both to the longer one (serve --retention-days). ${mixedCure} A process that was killed counts for ${noteKeptMs / 1000} seconds.`,
      );
    }
    this.renewLater();
  }

  /** The process ends: one with another retention may start at once, if the store still answers. */
  async leave(answers = true): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    if (answers) await within(this.parts.clock, leaveMs, this.forget()).catch(() => {});
  }

  /** A note that is on its way would be written after it was forgotten. */
  private async forget(): Promise<void> {
    await this.#noting;
    if (this.#isNoted) await this.parts.notes.forget(this.#token);
  }

  private renewLater(): void {
    this.#stop();
    if (this.#isClosed) return;
    const renew = (): void => void this.note(true).then(() => this.renewLater());
    this.#stop = this.parts.clock.after(renewalMs, renew, 'background');
  }

  /** The other retentions; null if they are not known. */
  private note(isForced: boolean): Promise<readonly number[] | null> {
    const noting = this.writeNote(isForced);
    this.#noting = noting;
    return noting;
  }

  private async writeNote(isForced: boolean): Promise<readonly number[] | null> {
    const { store, notes, retentionMs, events, reasonOf } = this.parts;
    try {
      const answer = await notes.note({ token: this.#token, retentionMs, isForced });
      const { others } = answer;
      this.shortestMs = answer.shortestMs;
      if (isForced || others.length === 0) this.#isNoted = true;
      if (!isForced) return others;
      if (this.isNew(others.join()) && others.length > 0) {
        events.emit({ kind: 'retentionsDiffer', store, retentionMs, others, cure: mixedCure });
      }
      return others;
    } catch (error) {
      const reason = reasonOf(error);
      if (!this.#isClosed && this.isNew(reason)) {
        events.emit({ kind: 'companionsUnknown', store, reason });
      }
      return null;
    }
  }

  private isNew(finding: string): boolean {
    const isNew = finding !== this.#reported;
    this.#reported = finding;
    return isNew;
  }
}
