import { EngineRefusedError } from '../../../protocol/engine-api';
import type { Journal, JournalEvent } from '../../journal';
import type { ServiceEvent } from './event';
import { encode } from './event-shape';
import type { State } from './everything';

/** What a decision makes of the state, and what its caller gets. */
export interface Decided<T> {
  readonly events: readonly ServiceEvent[];
  readonly result: T;
}

/** Writes what is decided to the journal, and then to the state (B4). */
export interface Committer {
  /**
   * Decides on the state as it is, and resolves once the events are durable and applied. Decisions with the
   * same key wait for each other; so none sees a state that another one is about to change. `decide` throws
   * to change nothing.
   * @throws EngineRefusedError 9000 if the journal failed, now or before: it is unknown what is durable.
   */
  commit<T>(key: string, decide: () => Decided<T>): Promise<T>;
  /** Replaces the journal's events by a snapshot of the state, if it asks for that. */
  compactIfNeeded(): Promise<void>;
  /** Whether the journal failed: nothing is decided any more until the next start. */
  readonly isReadOnly: boolean;
  /** Whether a decision with this key may be durable without being applied. */
  isInDoubt(key: string): boolean;
}

/** Called once, with what the journal threw. */
type OnFailure = (error: unknown) => void;

/** The committer of a state and its journal. */
export function createCommitter(journal: Journal, state: State, onFailure: OnFailure): Committer {
  const latest = new Map<string, Promise<void>>();
  const inDoubt = new Set<string>();
  const inFlight = new Set<Promise<void>>();
  let hasFailed = false;
  let gate: Promise<void> | null = null;

  const append = async (key: string, events: readonly ServiceEvent[]): Promise<void> => {
    try {
      await journal.append(events.map(encode));
    } catch (error) {
      inDoubt.add(key);
      if (!hasFailed) {
        hasFailed = true;
        onFailure(error);
      }
      throw failed();
    }
    for (const event of events) state.apply(event);
  };

  const work = async <T>(key: string, decide: () => Decided<T>): Promise<T> => {
    for (let shut = gate; shut !== null; shut = gate) await shut;
    if (hasFailed) throw failed();
    const { events, result } = decide();
    if (events.length === 0) return result;
    const appended = append(key, events);
    inFlight.add(appended);
    try {
      await appended;
    } finally {
      inFlight.delete(appended);
    }
    return result;
  };

  return {
    commit(key, decide) {
      const before = latest.get(key);
      const done = before === undefined ? work(key, decide) : before.then(() => work(key, decide));
      const ended = done.then(ignore, ignore);
      latest.set(key, ended);
      void ended.then(() => {
        if (latest.get(key) === ended) latest.delete(key);
      });
      return done;
    },
    async compactIfNeeded() {
      if (hasFailed || gate !== null || !journal.needsCompaction()) return;
      // What is appended is not applied at once: a snapshot without it would lose it.
      gate = Promise.allSettled(inFlight).then(ignore);
      await gate;
      // Nothing is between the snapshot and the appends that waited: compact reads it when it is called.
      const compacted = hasFailed ? null : journal.compact(encoded(state.snapshot()));
      gate = null;
      await compacted;
    },
    get isReadOnly() {
      return hasFailed;
    },
    isInDoubt: (key) => inDoubt.has(key),
  };
}

function* encoded(events: Iterable<ServiceEvent>): Generator<JournalEvent> {
  for (const event of events) yield encode(event);
}

function failed(): EngineRefusedError {
  return new EngineRefusedError('INTERNALERROR', 'B4');
}

function ignore(): void {}
