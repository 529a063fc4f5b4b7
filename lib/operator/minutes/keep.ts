import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../platform';
import { checkOptionNames, type OptionNames } from '../../platform/validation/known-names';
import { checkPart } from '../../platform/validation/option-values';
import { within } from '../../platform/within';
import { type Events, eventsTo } from '../events';
import type { Minutes, WalletStore } from '../wallet';
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
/** Minutes that could not be saved are tried again for so long. */
const mostTried = 10;

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

/** Saves the minutes of a process, one after the other. */
class Keeper {
  /** The first minute that was not saved. */
  #next: number;
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

  /** Saves what was not saved of the minutes before one; the last of them may get a sample. */
  private async save(end: number, isSampled = false): Promise<void> {
    const { minutes, recorder, events } = this.parts;
    const { process } = recorder;
    if (this.#next > end) this.#next = end - 1; // the clock was set back
    const from = Math.max(this.#next, end - mostTried);
    const counted = new Map(recorder.minutes(from, end).map((one) => [one.minute, one]));
    try {
      for (let minute = from; minute < end; minute++) {
        const notes = await this.notesOf(isSampled && minute === end - 1 ? minute : null);
        const text = rowOf(counted.get(minute) ?? nothing(minute), notes);
        await minutes.save({ minute, process, text });
        this.#next = minute + 1;
        this.#isFailing = false;
      }
    } catch (error) {
      if (!this.#isFailing) events.emit({ kind: 'minuteUnsaved', error });
      this.#isFailing = true;
    }
  }

  /** @param minute The one that may get a sample; null for none. */
  private async notesOf(minute: number | null): Promise<MinuteNotes> {
    if (minute === null || minute % sampleMinutes !== 0) return { version };
    const { store, recorder, clock } = this.parts;
    const operators = new Set(recorder.served.flatMap((part) => part.operators));
    return { version, ...(await takeSample(store, [...operators], clock)) };
  }
}

const version = readVersion();

/** A row without calls says that the process runs. */
function nothing(minute: number): MinuteCounts {
  return {
    minute,
    outcomes: Array.from(callOutcomes, () => 0),
    times: Array.from({ length: bucketCount }, () => 0),
  };
}
