import { type Html, html } from '../template';
import { type FigureData, figure, shapeBox } from './frame';
import { coordinate, logScale, slotOf } from './scale';

/** Where a column is, as written, and the values that are drawn there. */
type Point = readonly [x: string, values: readonly number[]];

/**
 * A figure of lines on a logarithmic scale, for values above zero. Between the first two lines is a band. Where a value
 * is missing, there is a gap.
 */
export function lines(data: FigureData): Html {
  const { series, height = 150, names } = data;
  const above = series.flatMap(({ values }) => values.filter((one) => one !== null && one > 0));
  const ends = above.length === 0 ? [1] : (above as number[]);
  const scale = logScale(Math.min(...ends), Math.max(...ends), shapeBox(data));
  const path = (points: readonly Point[], of: number): string =>
    points.map(([x, values]) => `${x},${coordinate(scale.y(values[of] ?? 0))}`).join('L');
  const drawn = series.map(({ tone, values }) =>
    runs(names.length, [values]).map(
      (run) => html`<path class="ln ${tone}" d="M${path(run, 0)}${run.length === 1 ? 'h0' : ''}"/>`,
    ),
  );
  const [lower, upper] = series;
  const between = lower && upper ? runs(names.length, [lower.values, upper.values]) : [];
  const bands = between.map(
    (run) => html`<path class="band" d="M${path(run, 0)}L${path(run.toReversed(), 1)}Z"/>`,
  );
  const shapes = html`<svg x="0" y="0" width="100%" height="${height}" viewBox="0 0 100 ${height}" preserveAspectRatio="none">${bands}${drawn}</svg>`;
  // It does not begin at 0, and says so.
  return figure({ ...data, says: `${data.says} The scale is logarithmic.` }, scale, shapes);
}

/** The stretches of columns in which each of the series has a value. */
function runs(count: number, series: readonly (readonly (number | null)[])[]): Point[][] {
  const all: Point[][] = [[]];
  for (let at = 0; at < count; at++) {
    const values = series.map((one) => one[at] ?? null);
    if (values.every((value) => value !== null)) {
      all.at(-1)?.push([coordinate(slotOf(at, count).middle), values]);
    } else {
      all.push([]);
    }
  }
  return all.filter((run) => run.length > 0);
}
