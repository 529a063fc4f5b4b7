import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { Journal, JournalEvent } from '../../journal/port';
import { encode, type ServiceEvent } from './event-shape';
import type { State } from './everything';

/** What a decision makes of the state, and what its caller gets. */
export interface Decided<T> {
  readonly events: readonly ServiceEvent[];
  readonly result: T;
}

/** Writes what is decided to the journal, and then to the state (B4). */
export class Committer {
  /** The latest decision of each key. */
  readonly #latest = new Map<string, Promise<void>>();
  readonly #inDoubt = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  #hasFailed = false;
  /** Closed while a snapshot is taken. */
  #gate: Promise<void> | null = null;

  /** @param onFailure Called once, with what the journal threw. */
  constructor(
    private readonly journal: Journal,
    private readonly state: State,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Whether the journal failed: nothing is decided any more until the next start. */
  get isReadOnly(): boolean {
    return this.#hasFailed;
  }

  /** Whether a decision with this key may be durable without being applied. */
  isInDoubt(key: string): boolean {
    return this.#inDoubt.has(key);
  }

  /**
   * Decides on the state as it is, and resolves once the events are durable and applied. Decisions with the
   * same key wait for each other, so none sees a state that another one is about to change. `decide` throws
   * to change nothing.
   * @throws EngineRefusedError 9000 if the journal failed, now or before: it is unknown what is durable.
   */
  commit<T>(key: string, decide: () => Decided<T>): Promise<T> {
    const before = this.#latest.get(key);
    const work = (): Promise<T> => this.#work(key, decide);
    const done = before === undefined ? work() : before.then(work);
    const ended = done.then(ignore, ignore);
    this.#latest.set(key, ended);
    void ended.then(() => {
      if (this.#latest.get(key) === ended) this.#latest.delete(key);
    });
    return done;
  }

  /** Decides alone what happens, as {@link commit} does. */
  append(key: string, decide: () => readonly ServiceEvent[]): Promise<null> {
    return this.commit(key, () => ({ events: decide(), result: null }));
  }

  /** Replaces the journal's events by a snapshot of the state, if the journal asks for that. */
  async compactIfNeeded(): Promise<void> {
    if (this.#hasFailed || this.#gate !== null || !this.journal.needsCompaction()) return;
    // An append is applied after it is durable: a snapshot taken in between would lose it.
    this.#gate = Promise.allSettled(this.#inFlight).then(ignore);
    await this.#gate;
    // `compact` reads the snapshot when it is called, before any append that waited at the gate.
    const compacted = this.#hasFailed ? null : this.journal.compact(encoded(this.state.snapshot()));
    this.#gate = null;
    await compacted;
  }

  async #work<T>(key: string, decide: () => Decided<T>): Promise<T> {
    for (let shut = this.#gate; shut !== null; shut = this.#gate) await shut;
    if (this.#hasFailed) throw failed();
    const { events, result } = decide();
    if (events.length === 0) return result;
    const appended = this.#append(key, events);
    this.#inFlight.add(appended);
    try {
      await appended;
    } finally {
      this.#inFlight.delete(appended);
    }
    return result;
  }

  async #append(key: string, events: readonly ServiceEvent[]): Promise<void> {
    try {
      await this.journal.append(events.map(encode));
    } catch (error) {
      this.#inDoubt.add(key);
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        this.onFailure(error);
      }
      throw failed();
    }
    for (const event of events) this.state.apply(event);
  }
}

function* encoded(events: Iterable<ServiceEvent>): Generator<JournalEvent> {
  for (const event of events) yield encode(event);
}

function failed(): EngineRefusedError {
  return new EngineRefusedError('INTERNALERROR', 'B4');
}

function ignore(): void {}
