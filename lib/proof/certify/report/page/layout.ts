import { type Html, html, type HtmlPart } from '../../../../platform/html';
import type { Standing } from '../facts';

/** A section with a heading; `id` is its address in the file. */
export function section(id: string, title: string, body: HtmlPart): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>
`;
}

/** A heading and the cells below it. Columns whose name begins with # hold numbers. */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly HtmlPart[])[],
  last: readonly HtmlPart[] | null = null,
): Html {
  const isNumber = columns.map((name) => name.startsWith('#'));
  const heads = columns.map((name, at) =>
    isNumber[at] === true
      ? html`<th scope="col" class="n">${name.slice(1)}</th>`
      : html`<th scope="col">${name}</th>`,
  );
  const row = (cells: readonly HtmlPart[]): Html => {
    const written = cells.map((cell, at) => {
      if (at === 0) return html`<th scope="row">${cell}</th>`;
      return isNumber[at] === true ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`;
    });
    return html`<tr>${written}</tr>`;
  };
  const foot = last === null ? null : html`<tfoot>${row(last)}</tfoot>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads}</tr></thead><tbody>${rows.map(row)}</tbody>${foot}</table></div>`;
}

/** Names and their values. */
export function facts(pairs: readonly (readonly [name: string, value: HtmlPart])[]): Html {
  return html`<dl>${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A count, in the colour of its standing unless it is 0. */
export function count(standing: Standing, value: number): Html {
  return value === 0
    ? html`<span class="none">0</span>`
    : html`<span class="${standing}">${value}</span>`;
}
