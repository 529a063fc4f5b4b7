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

/** The rows of sums by their names; those of a name are added. */
export function rowsOf(quarter: number, fields: Iterable<readonly [string, string]>): TotalsRow[] {
  const rows = new Map<string, TotalsRow & { sums: Partial<Record<TotalsName, bigint>> }>();
  for (const [field, units] of fields) {
    const [time, place, end] = [field.charAt(0), field.charAt(1), field.indexOf(' ', 3)];
    const [by, name] = [totalsTimes[Number(time)], totalsNames[Number.parseInt(place, 36)]];
    if (by === undefined || name === undefined || end < 0)
      throw new Error('a sum of the totals is not known');
    const key = time + field.slice(2);
    const [currency, game] = [field.slice(3, end), field.slice(end + 1)];
    const row = rows.get(key) ?? { quarter, by, game, currency, sums: {} };
    rows.set(key, row);
    row.sums[name] = (row.sums[name] ?? 0n) + BigInt(units);
  }
  return [...rows.values()];
}

/** The rows of parts: each name begins with the part. */
export function partsOf(fields: readonly (readonly [string, string])[]): TotalsRow[] {
  const parts = new Map<number, [string, string][]>();
  for (const [name, units] of fields) {
    const end = name.indexOf(' ');
    const part = Number(name.slice(0, end));
    const own = parts.get(part) ?? [];
    parts.set(part, own);
    own.push([`${name.slice(end + 1)} `, units]);
  }
  return [...parts].flatMap(([part, own]) => rowsOf(part, own));
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
