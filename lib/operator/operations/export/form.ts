import type { Clock } from '../../../platform';
import { isDay, ZoneDays } from '../../../platform/time/zone-days';
import { periodOf } from '../view/money/period';
import { ExportActs, type ExportRequest, type Taken } from './acts';

/** How an export is written. */
export type ExportKind = 'csv' | 'jsonl';

/** How the rows of an export are written. */
export interface ExportForm<T> {
  readonly head: string;
  readonly row: (one: T) => string;
}

/** An export as it is sent. */
export interface ExportedFile {
  readonly type: string;
  /** Of our making: it has no id of anybody. */
  readonly name: string;
  /** Its text in parts, each read from the store when it is asked for. */
  readonly parts: AsyncIterable<string>;
  /** To be begun before the first byte is sent, and ended after the last, also where the reader leaves. */
  readonly acts: ExportActs;
}

/** Rows, and the place of those that follow; null if none do. */
export interface ExportPage<T> {
  readonly rows: readonly T[];
  readonly next: string | null;
}

/** The most that a store gives at once, rows of a file, and for how long it is read. */
export const pageSize = 200;
const [mostRows, mostMs] = [100_000, 60_000];

/** The mark at the beginning of CSV is how a spreadsheet knows UTF-8. */
export function csvHead(columns: readonly string[]): string {
  return `\ufeff${columns.join(',')}\r\n`;
}

/** The last line: that the file is whole, or where it continues, and then of what. A file without it was cut. */
export function endLine(
  kind: ExportKind,
  rows: number,
  next: string | null,
  of: ExportedList<unknown>['of'] = {},
): string {
  if (kind === 'jsonl') {
    const rest = next === null ? {} : { continue: next };
    return `${JSON.stringify({ end: { rows, complete: next === null, ...rest, ...of } })}\n`;
  }
  const word = next === null ? ['complete'] : ['continue', next];
  return `${['end', rows, ...word, ...Object.values(of)].join(',')}\r\n`;
}

/** A file of the pages of a list. `what` begins its name, with the days of its filter or that of the books after it. */
export async function fileOf<T>(
  request: ExportRequest,
  what: string,
  kind: ExportKind,
  list: ExportedList<T>,
): Promise<ExportedFile> {
  const { form, read, taken, cursor, of } = list;
  const { clock, booksZone } = request;
  const type = kind === 'csv' ? 'text/csv' : 'application/x-ndjson';
  const today = new ZoneDays(booksZone).dayOf(clock.now());
  const name = `${what}-${periodIn(taken.filter) ?? today}.${kind}`;
  const filter = {
    ...taken.filter,
    ...zoneOfDays(taken.filter, booksZone),
    ...(cursor === null ? {} : { after: cursor }),
  };
  const acts = new ExportActs(request, { ...taken, filter, file: `${what}.${kind}` });
  const readNoted = async (from: string | null): Promise<ExportPage<T>> => {
    const page = await read(from);
    acts.read(page.rows.length, page.next === null);
    return page;
  };
  const first = await readNoted(cursor);
  const parts = partsOf(kind, form, { first, read: readNoted, clock, acts, of });
  return { type: `${type}; charset=utf-8`, name, parts, acts };
}

/** The month or the days of a filter, for the name of a file; null without both ends. */
function periodIn({ from = '', to = '' }: Taken['filter']): string | null {
  if (!isDay(from) || !isDay(to)) return null;
  const { first, last } = periodOf(from, 'month');
  return first === from && last === to ? from.slice(0, 7) : `${from}-to-${to}`;
}

/** The zone of the days that a filter names; none for UTC, in which they are if none is written. */
function zoneOfDays({ from = '', to = '' }: Taken['filter'], zone: string): { zone?: string } {
  return zone !== 'UTC' && (isDay(from) || isDay(to)) ? { zone } : {};
}

/** A list, of whom it is, and how its rows are written. */
export interface ExportedList<T> {
  readonly form: ExportForm<T>;
  readonly read: (cursor: string | null) => Promise<ExportPage<T>>;
  /** Where it begins; null for the newest. */
  readonly cursor: string | null;
  readonly taken: Omit<Taken, 'file'>;
  /** Times between which the list is whole, for the last line; absent where it is read as it is. */
  readonly of?: Readonly<Record<string, string>>;
}

interface PagesOf<T> {
  readonly first: ExportPage<T>;
  readonly read: (cursor: string) => Promise<ExportPage<T>>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly acts: ExportActs;
  readonly of: ExportedList<T>['of'];
}

async function* partsOf<T>(
  kind: ExportKind,
  { head, row }: ExportForm<T>,
  { first, read, clock, acts, of }: PagesOf<T>,
): AsyncGenerator<string> {
  const until = clock.monotonicMs() + mostMs;
  let [page, rows] = [first, 0];
  yield head;
  for (;;) {
    yield page.rows.map(row).join('');
    rows += page.rows.length;
    const { next } = page;
    const isOver = rows + pageSize > mostRows || clock.monotonicMs() >= until;
    if (next === null || isOver) {
      // A file that says that it is the end has its act.
      await acts.end();
      return yield endLine(kind, rows, next, of);
    }
    page = await read(next);
  }
}
