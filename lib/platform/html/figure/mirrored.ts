import type { Html } from '../template';
import { count } from '../text';
import { columns } from './columns';
import type { FigureData, Series } from './frame';

/** A {@link columns} figure of two series of sizes: one upwards, one downwards, on one scale. */
export function mirrored(
  data: Omit<FigureData, 'series'> & { readonly above: Series; readonly below: Series },
): Html {
  const { above, below, ...more } = data;
  const { text = count } = more;
  const values = below.values.map((value) => (value === null ? null : -value));
  const texts = below.texts ?? below.values.map((value) => (value === null ? '' : text(value)));
  return columns({ ...more, series: [above, { ...below, values, texts }] });
}
