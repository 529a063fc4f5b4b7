import type { Clock, Random } from '../../../platform';
import type { Compression } from '../format';
import type { NoteSigner } from '../tlog';
import type { ArchiveDisk } from './disk';
import type { ArchiveProcess } from './holder';

/** An event as the archive looks at it: a member of its page. */
export interface ArchivableEvent {
  readonly type: string;
  readonly id: string;
  readonly at: string;
}

/** A line of the log: the JSON of an event. */
export interface NewLine {
  readonly id: string;
  readonly at: string;
  readonly line: string;
}

/** Says what a person should know. */
export type Report = (level: 'info' | 'warn' | 'error', fields: object, message: string) => void;

/** What a writer works with. */
export interface WriterOptions {
  readonly disk: ArchiveDisk;
  readonly operatorId: string;
  /** Signs the log; its name is the log's origin. */
  readonly signer: NoteSigner;
  readonly process: ArchiveProcess;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  /** A segment ends at this many events; 1,048,576 unless set. */
  readonly segmentEvents?: number;
  /** Or this many milliseconds after its first event; an hour unless set. */
  readonly segmentMs?: number;
  /** gzip unless set. */
  readonly compression?: Compression;
  /** Whether another key than that of the log may open it: to replace it. */
  readonly mayReplaceKey?: boolean;
}

export const usualSegmentEvents = 1_048_576;
export const usualSegmentMs = 3_600_000;
