import { generatePlan } from '../plan/generate';
import type { Plan, StoreName, Wire } from '../plan/types';
import { Trace } from '../world/trace';
import { type Played, playPlan, type PlayOptions } from './simulate';

/** Which worlds are played, one after the other. */
export interface SeriesOptions extends Pick<PlayOptions, 'drain' | 'openHost'> {
  /** Of the first world; each following one has the next number. */
  readonly seed: number;
  /** It ends with the world that brings the sum of calls to this. */
  readonly calls: number;
  readonly store: StoreName;
  /** How calls come; as messages unless set. */
  readonly wire?: Wire;
  /** Calls that one world plans, about; 1,000 unless set. */
  readonly callsAWorld?: number;
  /** Called after each world. */
  readonly onWorld?: (soFar: SeriesResult) => void;
  /** Asked after each world: whether it ends before its calls are played. */
  readonly isStopped?: () => boolean;
}

/** A world in which something did not hold. */
export interface FailedWorld {
  readonly plan: Plan;
  readonly played: Played;
}

/** What came of a series. */
export interface SeriesResult {
  readonly worlds: number;
  /** Seed of the last world that was played. */
  readonly lastSeed: number;
  /** Calls that the wallets took. */
  readonly calls: number;
  readonly rounds: number;
  /** How often each kind of fault came. */
  readonly faults: ReadonlyMap<string, number>;
  /** How often other things happened: attacks, rotations. */
  readonly events: ReadonlyMap<string, number>;
  /** Of all worlds together. */
  readonly hash: string;
  /** The first world in which something did not hold, the last one that was played; null if there is none. */
  readonly failed: FailedWorld | null;
}

/** Plays worlds until the calls are played, or one fails. The same options give the same result. */
export async function playSeries(options: SeriesOptions): Promise<SeriesResult> {
  const {
    seed: first,
    calls: wanted,
    store,
    wire = 'message',
    callsAWorld = 1000,
    drain = 'tick',
    openHost,
  } = options;
  const trace = new Trace();
  const faults = new Map<string, number>();
  const events = new Map<string, number>();
  let [calls, rounds] = [0, 0];
  for (let worlds = 1; ; worlds++) {
    const seed = first + worlds - 1;
    const plan = generatePlan({ seed, store, wire, calls: Math.min(callsAWorld, wanted) });
    const played = await playPlan(plan, { drain, ...(openHost && { openHost }) });
    trace.add(seed, [played.hash], () => played.hash);
    calls += played.calls;
    rounds += played.rounds;
    addTo(faults, played.faults);
    addTo(events, played.events);
    const failed = played.violation === null ? null : { plan, played };
    const result = {
      worlds,
      lastSeed: seed,
      calls,
      rounds,
      faults,
      events,
      hash: trace.hash,
      failed,
    };
    options.onWorld?.(result);
    if (failed !== null || calls >= wanted || options.isStopped?.()) return result;
  }
}

function addTo(sums: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [kind, times] of more) sums.set(kind, (sums.get(kind) ?? 0) + times);
}
