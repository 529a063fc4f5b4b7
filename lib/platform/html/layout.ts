import { type Html, html, type HtmlPart } from './template';

/** The links from page to page. */
export interface PageLinks {
  /** The name of all pages together. */
  readonly name: string;
  /** Addresses and names; without any there is no navigation. */
  readonly links: readonly (readonly [href: string, name: string])[];
  /** The address of this page; null for one that is not in the navigation. */
  readonly here: string | null;
  readonly beside: HtmlPart;
}

/** The body of a page: its name, the navigation, and its content below a heading. */
export function framed(
  { name, links, here, beside }: PageLinks,
  title: string,
  content: HtmlPart,
): Html {
  const items = links.map(([href, text]) =>
    href === here
      ? html`<a href="${href}" aria-current="page">${text}</a>`
      : html`<a href="${href}">${text}</a>`,
  );
  const nav = items.length === 0 ? null : html`<nav aria-label="Pages">${items}</nav>`;
  return html`<header><strong>${name}</strong>${nav}${beside}</header>
<main><h1>${title}</h1>${content}</main>`;
}

/** A section with a heading; `anchor` is its address on the page. */
export function section(anchor: string, title: string, body: HtmlPart): Html {
  return html`<section aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>${body}</section>`;
}

/** Names and values. */
export function facts(rows: readonly (readonly [name: string, value: HtmlPart])[]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
