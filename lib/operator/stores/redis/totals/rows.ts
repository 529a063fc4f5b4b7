import {
  type TotalsGap,
  type TotalsName,
  totalsNames,
  type TotalsPage,
  type TotalsRow,
  totalsTimes,
} from '../../../wallet';

/** Of each quarter, the name of each sum and what is added to it, in turn. */
export function fieldsByQuarter(rows: readonly TotalsRow[]): Map<number, string[]> {
  const quarters = new Map<number, string[]>();
  for (const { quarter, by, game, currency, sums } of rows) {
    const fields = quarters.get(quarter) ?? [];
    quarters.set(quarter, fields);
    for (const [name, units] of Object.entries(sums) as [TotalsName, bigint][]) {
      if (units === 0n) continue;
      const place = totalsNames.indexOf(name).toString(36);
      fields.push(`${totalsTimes.indexOf(by)}${place} ${currency} ${game}`, String(units));
    }
  }
  return quarters;
}

/** The rows of a quarter by the names of their sums. */
export function rowsOf(quarter: number, fields: Iterable<readonly [string, string]>): TotalsRow[] {
  const sums = [...fields].map(([field, units]): RowSums => {
    return [field.charAt(0) + field.slice(2), [field.charAt(1), units]];
  });
  return addedUp(sums, (game) => ({ quarter, game }));
}

/** Sums of a row in turn, each after its place, as sum-totals.lua replies them. */
export type RowSums = readonly [row: string, sums: readonly string[]];

/** The rows of sums; those of a row are added. @param last What the end of its name says of a row. */
export function addedUp(
  all: readonly RowSums[],
  last: (end: string) => Pick<TotalsRow, 'quarter' | 'game'>,
): TotalsRow[] {
  const rows = new Map<string, TotalsRow & { sums: Partial<Record<TotalsName, bigint>> }>();
  for (const [name, sums] of all) {
    const row = rows.get(name) ?? { ...rowNamed(name, last), sums: {} };
    rows.set(name, row);
    for (let at = 0; at + 1 < sums.length; at += 2) {
      const of = totalsNames[Number.parseInt(sums[at] ?? '', 36)];
      if (of === undefined) throw unknownSum();
      row.sums[of] = (row.sums[of] ?? 0n) + BigInt(sums[at + 1] ?? '');
    }
  }
  return [...rows.values()];
}

function rowNamed(name: string, last: (end: string) => Pick<TotalsRow, 'quarter' | 'game'>) {
  const [by, end] = [totalsTimes[Number(name.charAt(0))], name.indexOf(' ', 2)];
  if (by === undefined || end < 0) throw unknownSum();
  const { quarter, game } = last(name.slice(end + 1));
  return { quarter, by, game, currency: name.slice(2, end) };
}

function unknownSum(): Error {
  return new Error('a sum of the totals is not known');
}

/** A gap as the value of its mark. */
export function gapText({ kind, playerId, gameRound }: TotalsGap): string {
  return JSON.stringify([kind, playerId, gameRound]);
}

function readGap(quarter: number, text: string): TotalsGap {
  const [kind, playerId, gameRound] = JSON.parse(text) as [TotalsGap['kind'], string, string];
  return { quarter, kind, playerId, gameRound };
}

/** The marks of the totals, see add-totals.lua. */
export function readMarks(
  marked: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Pick<TotalsPage, 'gaps' | 'since'> {
  const since = marked.get('since');
  const gaps = [...marked].flatMap(([name, text]) => {
    const at = name.startsWith('g') ? Number(name.slice(1)) : -1;
    return from <= at && at < to ? [readGap(at, text)] : [];
  });
  return { gaps, since: since === undefined ? null : Number(since) };
}
