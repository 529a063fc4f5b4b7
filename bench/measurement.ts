import type { LoadResult } from './load/messages';
import type { SeriesName } from './series';

/** What was seen of a contestant in a step of a series, once. */
export interface Measurement {
  readonly series: SeriesName;
  readonly letter: string;
  /** The label of the step. */
  readonly step: string;
  readonly connections: number;
  /** Which time of all it was; ratios are of what was measured in the same one. */
  readonly repeat: number;
  /** Answered within the measured time. */
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Milliseconds. */
  readonly latency: LoadResult['latency'];
  readonly open: LoadResult['open'];
  readonly ends: LoadResult['ends'];
  /** Microseconds of processor for each call; null where it cannot be read. */
  readonly contestantCpu: number | null;
  readonly serverCpu: number | null;
  /** The load's own share of a core. */
  readonly loadCpu: number;
  readonly signedLate: number;
  /** Commands that Redis was given meanwhile, those within scripts too; null where they were not counted. */
  readonly redisCommands: number | null;
  /** Of the contestant after the step; null where it was not read. */
  readonly memory: ProcessMemory | null;
}

/** The memory of a process, in bytes. */
export interface ProcessMemory {
  /** Resident, as the system sees it. */
  readonly rss: number;
  /** Of the heap, what is in use after a collection; null of a program, which is not asked. */
  readonly heap: number | null;
}
