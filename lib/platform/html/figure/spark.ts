import { type Html, html } from '../template';
import { coordinate, slotOf } from './scale';

const [width, height] = [72, 16];

/**
 * A line as small as a word, from 0 up, or from its lowest value if that is below 0, beside the number that it leads to. Where a value is missing, there is a gap.
 * @param says What it shows, for who does not see it.
 */
export function spark(values: readonly (number | null)[], says: string): Html {
  const known = values.map((value) => value ?? 0);
  const least = Math.min(0, ...known);
  const range = Math.max(0, ...known) - least || 1;
  let isGap = true;
  const path = values.map((value, at) => {
    if (value === null) {
      isGap = true;
      return '';
    }
    const x = (slotOf(at, values.length).middle / 100) * width;
    const place = `${coordinate(x)},${coordinate(height - 1 - ((value - least) / range) * (height - 2))}`;
    const step = isGap ? `M${place}h0` : `L${place}`;
    isGap = false;
    return step;
  });
  return html`<svg class="spark" width="${width}" height="${height}" role="img" aria-label="${says}"><path class="ln s1" d="${path.join('')}"/></svg>`;
}
