import { type Html, html, type HtmlPart } from './template';

/** The cells of a row. */
export type TableRow = readonly HtmlPart[];

/**
 * A table, or its placeholder if there are no rows. It scrolls by itself where it is too wide for the screen.
 * @param label Names the table for a screen reader.
 * @param columns A name that begins with # is of a column of numbers, one with @ of the headings of the rows.
 * @param unless The placeholder.
 * @param last The row of totals.
 */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly TableRow[],
  unless: string,
  last: TableRow | null = null,
): Html {
  return groupedTable(label, columns, rows.length === 0 ? [] : [rows], unless, last);
}

/** A {@link table} of rows that belong together: a line is drawn between two groups. */
export function groupedTable(
  label: string,
  columns: readonly string[],
  groups: readonly (readonly TableRow[])[],
  unless: string,
  last: TableRow | null = null,
): Html {
  if (groups.length === 0) return html`<p class="dim">${unless}</p>`;
  const kinds = columns.map((name) => /^[#@]/.exec(name)?.[0]);
  const heads = columns.map((name, at) =>
    kinds[at] === '#'
      ? html`<th scope="col" class="n">${name.slice(1)}</th>`
      : html`<th scope="col">${name.replace(/^@/, '')}</th>`,
  );
  const written = (row: TableRow): Html =>
    html`<tr>${row.map((cell, at) => {
      if (kinds[at] === '@') return html`<th scope="row">${cell}</th>`;
      return kinds[at] === '#' ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`;
    })}</tr>`;
  const bodies = groups.map((rows) => html`<tbody>${rows.map(written)}</tbody>`);
  const foot = last === null ? null : html`<tfoot>${written(last)}</tfoot>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads}</tr></thead>${bodies}${foot}</table></div>`;
}
