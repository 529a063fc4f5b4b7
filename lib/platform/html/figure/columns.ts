import { type Html, html } from '../template';
import { type FigureData, figure, shapeBox } from './frame';
import { coordinate, linearScale, slotOf } from './scale';

/** A value in its column: from one height to another. */
interface Piece {
  readonly at: number;
  readonly tone: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A figure of columns. Series are stacked: what is above zero upwards, what is below it downwards.
 * @param leastStep What is counted has steps of 1 at least.
 */
export function columns(data: FigureData, leastStep = 0): Html {
  const pieces = data.names.flatMap((_, at) => stackedAt(data, at));
  const ends = pieces.map(({ to }) => to);
  const scale = linearScale({
    least: Math.min(0, ...ends),
    most: Math.max(0, ...ends),
    leastStep,
    ...shapeBox(data),
  });
  const { names, isRunning = false } = data;
  const shapes = pieces.map(({ at, tone, from, to }) => {
    const { left, width } = slotOf(at, names.length, names.length > 30 ? 0.88 : 0.68);
    const [upper, lower] = [scale.y(Math.max(from, to)), scale.y(Math.min(from, to))];
    const paler = isRunning && at === names.length - 1 ? ' part' : '';
    return html`<rect class="${tone}${paler}" x="${coordinate(left)}%" y="${coordinate(upper)}" width="${coordinate(width)}%" height="${coordinate(lower - upper)}"/>`;
  });
  return figure(data, scale, html`${shapes}`);
}

function stackedAt({ series }: FigureData, at: number): Piece[] {
  let [above, below] = [0, 0];
  return series.flatMap(({ tone, values }) => {
    const value = values[at] ?? 0;
    if (value === 0) return [];
    const from = value > 0 ? above : below;
    const to = from + value;
    if (value > 0) above = to;
    else below = to;
    return [{ at, tone, from, to }];
  });
}
