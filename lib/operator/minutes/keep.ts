import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../platform';
import { checkOptionNames, type OptionNames } from '../../platform/validation/known-names';
import { checkPart } from '../../platform/validation/option-values';
import { within } from '../../platform/within';
import { type Events, eventsTo } from '../events';
import { mostMinuteRows, type Minutes, type WalletStore } from '../wallet';
import { type CallRecorder, callRecorderOf, type CallWatch } from './call-watch';
import { bucketCount, callOutcomes, type MinuteCounts } from './counts';
import { type MinuteNotes, rowOf } from './row';
import { type SampledStore, sampleMinutes, takeSample } from './sample';
import { readVersion } from '../../platform/package/version';

/** Options of {@link startMinutes}. */
export interface MinutesOptions {
  /** A store that keeps minutes. Every five minutes its rounds that wait and the lag of its consumers are counted too. */
  readonly store: Pick<WalletStore, 'minutes'> & SampledStore;
  /** Made by `createCallWatch`, and given to the wallet's router. */
  readonly calls: CallWatch;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Source of the jitter, so that processes do not all write at once; the machine's own unless set. */
  readonly random?: Random;
}

/** Minutes that are being kept. */
export interface RunningMinutes {
  /** Saves the minute that runs, and stops; resolves after a second at most, also if the store does not answer. */
  stop(): Promise<void>;
}

const optionNames: OptionNames<MinutesOptions> = {
  store: true,
  calls: true,
  logger: true,
  clock: true,
  random: true,
};

const minuteMs = 60_000;
/** A minute is saved at most this long after its end, in milliseconds. */
const jitterMs = 10_000;
/** No end of a process waits longer for its last row, in milliseconds. */
const stopMs = 1000;
/** Rows that are saved at once at most: after an outage of the store, the others follow with the next minutes. */
const mostAtOnce = 10;
/** Minutes before and after now in which the watch still has what it counted: together its day. */
const watchedMinutes = 720;

/**
 * Saves what a call watch counts as a row a minute in the store, so that the operations page of every process shows the
 * calls of all. It never throws, and a row that cannot be saved is lost at worst: no call waits for it.
 * @throws TypeError for wrong options.
 */
export function startMinutes(options: MinutesOptions): RunningMinutes {
  checkOptionNames<MinutesOptions>('startMinutes', options, optionNames);
  const { store, calls, logger, clock = systemClock, random = systemRandom } = options;
  const { minutes } = store;
  if (minutes === undefined) throw new TypeError('startMinutes: the store keeps no minutes');
  const recorder = callRecorderOf('startMinutes', calls);
  if (recorder === null) throw new TypeError('startMinutes: calls must be made by createCallWatch');
  checkPart('logger', logger, ['warn']);
  checkPart('clock', clock, ['now', 'after']);
  checkPart('random', random, ['next']);
  const keeper = new Keeper({ store, minutes, recorder, events: eventsTo(logger), clock, random });
  keeper.start();
  return { stop: () => keeper.stop() };
}

interface KeeperParts extends Required<Pick<MinutesOptions, 'clock' | 'random'>> {
  readonly store: SampledStore;
  readonly minutes: Minutes;
  readonly recorder: CallRecorder;
  readonly events: Events;
}

/** Saves the minutes of a process: each one whose row in the store lacks calls, wherever the clock was set. */
class Keeper {
  /** The first minute that has no row, also if no call came. */
  #next: number;
  /** The calls in the row of each minute. */
  readonly #saved = new Map<number, number>();
  #isFailing = false;
  #saving = Promise.resolve();
  #cancel = (): void => {};

  constructor(private readonly parts: KeeperParts) {
    this.#next = this.#minute;
  }

  get #minute(): number {
    return Math.floor(this.parts.clock.now() / minuteMs);
  }

  /** Waits until the minute is over, and a moment more. */
  start(): void {
    const { clock, random } = this.parts;
    const leftMs = minuteMs - (clock.now() % minuteMs);
    const work = (): void => {
      this.#saving = this.save(this.#minute, true);
      this.start();
    };
    this.#cancel = clock.after(leftMs + random.next() * jitterMs, work, 'background');
  }

  async stop(): Promise<void> {
    this.#cancel();
    const last = this.#saving.then(() => this.save(this.#minute + 1));
    await within(this.parts.clock, stopMs, last, { late: () => {} });
  }

  /** Saves what was not saved, but of the minute that runs; the one before it may get a sample. */
  private async save(end: number, isRunning = false): Promise<void> {
    const { minutes, recorder, events } = this.parts;
    const { process } = recorder;
    try {
      for (const counts of this.unsaved(end, isRunning)) {
        const { minute } = counts;
        const notes = await this.notesOf(isRunning && minute === end - 1 ? minute : null);
        const isKept = await minutes.save({ minute, process, text: rowOf(counts, notes) });
        this.#saved.set(minute, callsOf(counts));
        if (!isKept)
          throw new RangeError(`${mostMinuteRows} other processes have rows of the minute`);
        this.#isFailing = false;
      }
      this.#next = end;
    } catch (error) {
      if (!this.#isFailing) events.emit({ kind: 'minuteUnsaved', error });
      this.#isFailing = true;
    }
  }

  /** The last minute if it has no row, those whose rows lack calls, and others of late without a row. */
  private unsaved(end: number, isRunning: boolean): MinuteCounts[] {
    if (this.#next > end) this.#next = end - 1; // the clock was set back
    const counted = this.parts.recorder.minutes(end - watchedMinutes, end + watchedMinutes);
    const inRing = new Set(counted.map(({ minute }) => minute));
    for (const minute of this.#saved.keys()) if (!inRing.has(minute)) this.#saved.delete(minute);
    const lacking = counted.filter((one) => {
      const isLater = isRunning && one.minute === end;
      return !isLater && callsOf(one) !== this.#saved.get(one.minute);
    });
    const empty: MinuteCounts[] = [];
    for (let minute = end - 1; minute >= Math.max(this.#next, end - mostAtOnce); minute--) {
      if (!inRing.has(minute)) empty.push(nothing(minute));
    }
    const isLast = ({ minute }: MinuteCounts): boolean => minute === end - 1;
    const others = empty.filter((one) => !isLast(one));
    const found = [...empty.filter(isLast), ...lacking.toReversed(), ...others];
    return isRunning ? found.slice(0, mostAtOnce) : found;
  }

  /** @param minute The one that may get a sample; null for none. */
  private async notesOf(minute: number | null): Promise<MinuteNotes> {
    if (minute === null || minute % sampleMinutes !== 0) return { version };
    const { store, recorder, clock } = this.parts;
    const operators = new Set(recorder.served.flatMap((part) => part.operators));
    const at = clock.now();
    const sample = await takeSample(store, [...operators], clock);
    recorder.sample = { ...sample, at };
    return { version, ...sample };
  }
}

const version = readVersion();

function callsOf({ outcomes }: MinuteCounts): number {
  return outcomes.reduce((sum, calls) => sum + calls, 0);
}

/** A row without calls says that the process runs. */
function nothing(minute: number): MinuteCounts {
  return {
    minute,
    outcomes: Array.from(callOutcomes, () => 0),
    times: Array.from({ length: bucketCount }, () => 0),
  };
}
