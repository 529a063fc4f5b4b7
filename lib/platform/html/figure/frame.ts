import { table } from '../table';
import { type Html, html } from '../template';
import { count } from '../text';
import { coordinate, type Scale, type ScaleBox, slotOf, tickText } from './scale';

/** A colour of data (`s1` to `s4`), or of a state: good, warning, bad. */
export type FigureTone = 's1' | 's2' | 's3' | 's4' | 'g' | 'w' | 'b';

/** Values of one kind, one a column; null for none. */
export interface Series {
  readonly name: string;
  readonly tone: FigureTone;
  readonly values: readonly (number | null)[];
  /** How each value is written, where a number cannot say it exactly. */
  readonly texts?: readonly string[];
}

/** What a figure shows, in the picture and in its table alike. */
export interface FigureData {
  /** Begins the ids of this figure; unique on a page. */
  readonly anchor: string;
  readonly title: string;
  /** One sentence that reads the picture. */
  readonly says: string;
  /** What a column is, such as `hour`, and the name of each: 60 at most. */
  readonly of: string;
  readonly names: readonly string[];
  readonly series: readonly Series[];
  /** What is said of each column besides, and not drawn. */
  readonly also?: readonly Required<Pick<Series, 'name' | 'texts'>>[];
  /** How a value is written; as a count unless set. */
  readonly text?: (value: number) => string;
  /** The last column is not over. */
  readonly isRunning?: boolean;
  /** In pixels. */
  readonly height?: number;
  /** How many columns have their name below; half of them on a narrow screen. */
  readonly labels?: number;
}

const mostColumns = 60;

/** Where the shapes of a figure are: below it are the names of its columns. */
export function shapeBox({ height = 150 }: FigureData): ScaleBox {
  return { top: 20, bottom: height - 20 };
}

/**
 * A figure: its title and a sentence, the picture, and a table of the same values. A column that is pointed at shows its
 * values. The shapes are at x in per cent and y in pixels, so the text keeps its size at any width.
 * @param shapes Drawn between the lines of the scale and the names of the columns.
 * @throws RangeError for more than 60 columns.
 */
export function figure(data: FigureData, scale: Scale, shapes: Html): Html {
  const { anchor, title, says, series, height = 150, names } = data;
  if (names.length > mostColumns)
    throw new RangeError(`A figure has at most ${mostColumns} columns.`);
  const keys = series.map(({ name, tone }) => html`<i class="key ${tone}"></i>${name} `);
  const legend = series.length > 1 ? html`<span class="legend">${keys}</span>` : null;
  return html`<figure class="fig"><figcaption><span><b>${title}</b><small>${says}</small></span>${legend}</figcaption><svg class="chart" width="100%" height="${height}" role="img" aria-labelledby="${anchor}-t ${anchor}-d"><title id="${anchor}-t">${title}</title><desc id="${anchor}-d">${says} The figures are in the table below.</desc>${tickLines(scale)}${shapes}${columnNames(data, height)}${hoverColumns(data)}</svg>${figureTable(data)}</figure>`;
}

function tickLines({ ticks, y }: Scale): Html[] {
  return ticks.map((tick, at) => {
    const place = coordinate(y(tick));
    const line = tick === 0 || (at === 0 && tick > 0) ? 'zero' : 'gl';
    const name =
      tick === 0
        ? null
        : html`<text x="-8" y="${coordinate(y(tick) + 4)}" text-anchor="end">${tickText(tick)}</text>`;
    return html`<line class="${line}" x1="0" x2="100%" y1="${place}" y2="${place}"/>${name}`;
  });
}

function columnNames({ names, labels = 6 }: FigureData, height: number): Html[] {
  const every = Math.max(1, Math.ceil(names.length / labels));
  return names.flatMap((name, at) => {
    if (at % every !== 0) return [];
    const wide = at % (2 * every) === 0 ? null : html` class="wide"`;
    const x = coordinate(slotOf(at, names.length).middle);
    return [html`<text${wide} x="${x}%" y="${height - 4}" text-anchor="middle">${name}</text>`];
  });
}

function hoverColumns(data: FigureData): Html[] {
  const { names } = data;
  const { bottom } = shapeBox(data);
  const said = saidOf(data);
  return names.map((name, at) => {
    const { left, width } = slotOf(at, names.length);
    const values = said.map((one) =>
      [said.length > 1 ? one.name : '', one.texts[at]].join(' ').trim(),
    );
    return html`<g class="col"><rect x="${coordinate(left)}%" width="${coordinate(width)}%" height="${bottom}"/><text x="100%" y="12">${[name, ...values].join(' \u00a0')}</text></g>`;
  });
}

function figureTable(data: FigureData): Html {
  const { title, of, names } = data;
  const said = saidOf(data);
  const rows = names.map((name, at) => [name, ...said.map(({ texts }) => texts[at])]);
  // All but the first are numbers, which the style knows: a figure has hundreds of them.
  const heads = [`@${of}`, ...said.map(({ name }) => name)];
  return html`<details class="data"><summary>Figures</summary>${table(title, heads, rows)}</details>`;
}

/** The texts of all columns. */
function saidOf({ names, series, also = [], text = count }: FigureData): typeof also {
  const written = series.map(({ name, values, texts }) => ({
    name,
    texts: names.map((_, at) => {
      const value = values[at];
      return value === null || value === undefined ? '\u2013' : (texts?.[at] ?? text(value));
    }),
  }));
  return [...written, ...also];
}
