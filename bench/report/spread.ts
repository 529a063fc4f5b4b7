import type { Measurement } from '../measurement';

/** The median of some turns, and the least and the most of them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** What is read of a measurement; null where it was not measured. */
export type Reading = (measurement: Measurement) => number | null;

/** Calls a second. */
export const speed: Reading = ({ callsPerSecond }) => callsPerSecond;

/** Whose processor time a call takes: of the contestant, of its server, or of both. */
export type CpuPart = 'own' | 'server' | 'both';

/** Microseconds of a call. */
export const cpuReadings: Readonly<Record<CpuPart, Reading>> = {
  own: ({ contestantCpu }) => contestantCpu,
  server: ({ serverCpu }) => serverCpu,
  both: ({ contestantCpu, serverCpu }) =>
    contestantCpu === null || serverCpu === null ? null : contestantCpu + serverCpu,
};

/** Null of none. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return null;
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted.at(sorted.length % 2 === 1 ? half : half - 1), sorted[half]];
  return { median: ((low ?? least) + (high ?? least)) / 2, least, most };
}

/** Of what was measured in every turn; null where it was not. */
export function spreadOfAll(turns: readonly Measurement[], read: Reading): Spread | null {
  const values = turns.map(read).filter((value) => value !== null);
  return values.length === turns.length ? spreadOf(values) : null;
}

/**
 * What one has to the other, for each repeat in which both were measured: they ran one soon after the other, so that a
 * machine that was slow was so for both.
 */
export function ratioOf(
  turns: readonly Measurement[],
  others: readonly Measurement[],
  read: Reading,
): Spread | null {
  const ratios = turns.flatMap((turn) => {
    const other = others.find(({ repeat }) => repeat === turn.repeat);
    const [mine, theirs] = [read(turn), other === undefined ? null : read(other)];
    return mine === null || theirs === null ? [] : [mine / theirs];
  });
  return spreadOf(ratios);
}

/** The least of all turns of one to the least of the other; null where one was not measured. */
export function ratioOfLeast(
  turns: readonly Measurement[],
  others: readonly Measurement[],
  read: Reading,
): number | null {
  const [mine, theirs] = [spreadOfAll(turns, read), spreadOfAll(others, read)];
  return mine === null || theirs === null ? null : mine.least / theirs.least;
}

/** The median, and the range if there is one: `0.85 (0.80..0.91)`. */
export function withRange(spread: Spread | null, decimals: number): string {
  if (spread === null) return '-';
  const [median, least, most] = [spread.median, spread.least, spread.most].map((value) =>
    value.toFixed(decimals),
  );
  return least === most ? `${median}` : `${median} (${least}..${most})`;
}
