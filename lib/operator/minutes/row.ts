import { longestMinute } from '../wallet';
import { bucketCount, callOutcomes, type MinuteCounts } from './counts';
import type { MinuteSample } from './sample';

/** What a row has besides its counts; what is absent is not known. */
export interface MinuteNotes extends MinuteSample {
  /** The version of the package that the process runs. */
  readonly version?: string | undefined;
}

/** The form of a row; a later one has another number in front, and is left out by programs that do not know it. */
const rowForm = new RegExp(
  `^1 (\\d{1,10}(?:,\\d{1,10}){${callOutcomes.length - 1}}) (\\d{0,10}(?:,\\d{0,10}){${bucketCount - 1}})(?: ({.*}))?$`,
);

/** A minute as its row in the store: some 150 characters. Of the notes, those that do not fit are left out. */
export function rowOf({ outcomes, times }: MinuteCounts, notes: MinuteNotes = {}): string {
  const counts = `1 ${outcomes.join()} ${times.map((count) => (count === 0 ? '' : count)).join()}`;
  for (const kept of [notes, { ...notes, lag: undefined }]) {
    const row = `${counts} ${asciiJson(kept)}`;
    if (Object.keys(kept).length > 0 && row.length <= longestMinute) return row;
  }
  return counts;
}

/** The counts of a row, and its notes; null for any other text. */
export function readRow(minute: number, text: string): (MinuteCounts & MinuteNotes) | null {
  const [, outcomes, times, notes] = rowForm.exec(text) ?? [];
  if (outcomes === undefined || times === undefined) return null;
  const counts = { outcomes: outcomes.split(',').map(Number), times: times.split(',').map(Number) };
  return { minute, ...counts, ...(notes === undefined ? {} : readNotes(notes)) };
}

function readNotes(text: string): MinuteNotes {
  let notes: { readonly [name: string]: unknown };
  try {
    notes = JSON.parse(text) as typeof notes;
  } catch {
    return {};
  }
  const { version, scope, waiting, lag } = notes;
  const isWaiting = Array.isArray(waiting) && waiting.length === 3 && waiting.every(isCount);
  const lags = typeof lag === 'object' && lag !== null ? Object.entries(lag) : [];
  return {
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
    ...(isWaiting ? { waiting: waiting as [number, number, number] } : {}),
    ...(lags.length > 0 && lags.every(([, events]) => isCount(events))
      ? { lag: new Map(lags as [string, number][]) }
      : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function asciiJson({ lag, ...notes }: MinuteNotes): string {
  const all = lag === undefined ? notes : { ...notes, lag: Object.fromEntries(lag) };
  return JSON.stringify(all).replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
