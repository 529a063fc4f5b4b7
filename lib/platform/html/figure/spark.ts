import { type Html, html } from '../template';
import type { FigureTone } from './frame';
import { coordinate } from './scale';

const [width, height] = [72, 16];

/**
 * A line as small as a word beside the number that it leads to, over the area down to 0. A tile stretches it to its width. Where a value
 * is missing, there is a gap.
 * @param says What it shows, for who does not see it.
 */
export function spark(
  values: readonly (number | null)[],
  says: string,
  tone: FigureTone = 's1',
): Html {
  const known = values.map((value) => value ?? 0);
  const least = Math.min(0, ...known);
  const range = Math.max(0, ...known) - least || 1;
  const y = (value: number): string =>
    coordinate(height - 1 - ((value - least) / range) * (height - 2));
  let [line, area] = ['', ''];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const x = coordinate(values.length === 1 ? width / 2 : (at / (values.length - 1)) * width);
    const isFirst = (values[at - 1] ?? null) === null;
    line += isFirst ? `M${x},${y(value)}h0` : `L${x},${y(value)}`;
    area += `${isFirst ? `M${x},${y(0)}` : ''}L${x},${y(value)}`;
    if ((values[at + 1] ?? null) === null) area += `V${y(0)}`;
  }
  return html`<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${says}"><path class="band ${tone}" d="${area}"/><path class="ln ${tone}" d="${line}"/></svg>`;
}
