import { type Html, html, type HtmlPart } from './template';

/** The cells of a row. */
export type TableRow = readonly HtmlPart[];

/**
 * A table, which scrolls by itself where it is too wide for the screen.
 * @param label Names the table for a screen reader.
 * @param columns A name that begins with # is of a column of numbers, one with @ of the headings of the rows.
 */
export function table(label: string, columns: readonly string[], rows: readonly TableRow[]): Html {
  return scrolling(label, writtenTable(columns, rows, [], false));
}

/**
 * A {@link table} in a box. On a narrow screen a row is a list of its values, each with the name of its column, so that
 * nothing is beside the screen. The first column has the headings of the rows; the name of one of bars begins with ~, of
 * one of sentences with =: there each has a whole line.
 * @param totals The rows of totals.
 * @param narrow The rows on a narrow screen: `two` with the number beside the heading, `pairs` with it alone, `lines` with one
 * value a line.
 */
export function stackedTable(
  label: string,
  columns: readonly string[],
  rows: readonly TableRow[],
  unless: HtmlPart,
  totals: readonly TableRow[] = [],
  narrow: 'two' | 'pairs' | 'lines' | null = null,
): Html {
  if (rows.length === 0) return html`<div class="card empty">${unless}</div>`;
  const named = columns.map((name, at) => (at === 0 ? `@${name}` : name));
  const drawn = scrolling(label, writtenTable(named, rows, totals, true));
  return html`<div class="tbl stack${narrow === null ? '' : ` ${narrow}`}">${drawn}</div>`;
}

/** A {@link stackedTable} of long texts: on a narrow screen each value has its own line. */
export function ofTexts(stacked: Html): Html {
  return html`<div class="one">${stacked}</div>`;
}

function scrolling(label: string, drawn: Html): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${drawn}</div>`;
}

/** The class of a column, by what its name begins with. */
const classes: Readonly<Record<string, Html>> = {
  '#': html` class="n"`,
  '~': html` class="bar"`,
  '=': html` class="says"`,
};

/** `isNamed`: each cell has the name of its column, for where the heads are not shown. */
function writtenTable(
  columns: readonly string[],
  rows: readonly TableRow[],
  totals: readonly TableRow[],
  isNamed: boolean,
): Html {
  const kinds = columns.map((name) => /^[#@~=]/.exec(name)?.[0] ?? '');
  const plain = columns.map((name) => name.replace(/^[#@~=]/, ''));
  const heads = plain.map(
    (name, at) => html`<th scope="col"${classes[kinds[at] ?? '']}>${name}</th>`,
  );
  const names = plain.map((name, at) =>
    isNamed && kinds[at] !== '~' ? html` data-l="${name}"` : null,
  );
  const written = (row: TableRow): Html =>
    html`<tr>${row.map((cell, at) => {
      if (kinds[at] === '@') return html`<th scope="row">${cell}</th>`;
      return html`<td${classes[kinds[at] ?? '']}${names[at]}>${cell}</td>`;
    })}</tr>`;
  const foot = totals.length === 0 ? null : html`<tfoot>${totals.map(written)}</tfoot>`;
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows.map(written)}</tbody>${foot}</table>`;
}
