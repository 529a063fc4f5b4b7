import { bucketCount, callOutcomes, type MinuteCounts } from './counts';

/** The form of a row; a later one has another number in front, and is left out by programs that do not know it. */
const rowForm = new RegExp(
  `^1 (\\d{1,10}(?:,\\d{1,10}){${callOutcomes.length - 1}}) (\\d{0,10}(?:,\\d{0,10}){${bucketCount - 1}})$`,
);

/** A minute as its row in the store: about 100 characters, 412 at most. */
export function rowOf({ outcomes, times }: MinuteCounts): string {
  return `1 ${outcomes.join()} ${times.map((count) => (count === 0 ? '' : count)).join()}`;
}

/** The counts of a row; null for any other text. */
export function readRow(minute: number, text: string): MinuteCounts | null {
  const [, outcomes, times] = rowForm.exec(text) ?? [];
  if (outcomes === undefined || times === undefined) return null;
  return { minute, outcomes: outcomes.split(',').map(Number), times: times.split(',').map(Number) };
}
