import { type Html, html, type HtmlPart } from './template';

/** A page in the navigation. */
export interface NavLink {
  readonly href: string;
  readonly name: string;
  /** How many things wait there, and as of when; null for none, or if it is not known. */
  readonly waiting?: { readonly count: string; readonly asOf: string } | null;
}

/** What is around the content of a page. */
interface PageFrame {
  readonly product: string;
  /** Whose data it is. */
  readonly owner: HtmlPart;
  readonly links: readonly NavLink[];
  /** The address of this page; null for one that is not in the navigation. */
  readonly here: string | null;
  /** Where the field for searching leads; null for none. */
  readonly search: string | null;
  /** Who reads. */
  readonly person: HtmlPart;
  readonly footer: readonly HtmlPart[];
}

const logo = html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><rect width="20" height="20" rx="5.5" class="s1"/><path d="M5 6.2h4.4v7.6H5z" fill="#fff"/><path d="M10.6 6.2H15v3.3h-4.4zM10.6 10.5H15v3.3h-4.4z" fill="#fff" opacity=".72"/></svg>`;
const glass = html`<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false" fill="none" stroke="currentcolor" stroke-width="1.6"><circle cx="6" cy="6" r="4.5"/><path d="M9.5 9.5L13 13"/></svg>`;

/** The body of a page. */
export function frame(around: PageFrame, content: HtmlPart): Html {
  const { product, owner, links, here, search, person, footer } = around;
  const items = links.map(({ href, name, waiting = null }) => {
    const pill =
      waiting === null
        ? null
        : html` <span class="pill" title="${waiting.asOf}">${waiting.count}</span>`;
    const current = href === here ? html` aria-current="page"` : null;
    return html`<a href="${href}"${current}>${name}${pill}</a>`;
  });
  const nav = items.length === 0 ? null : html`<nav aria-label="Pages">${items}</nav>`;
  const form =
    search === null
      ? null
      : html`<form class="find" role="search" method="get" action="${search}">${glass}<input name="q" type="search" aria-label="Find a player, a round or a hash" placeholder="Player, round or hash" accesskey="s" maxlength="520" autocomplete="off"></form>`;
  return html`<a class="skip" href="#main">To the content</a>
<header class="top"><div><span class="brand">${logo}<span>${product}</span> <small>${owner}</small></span>${form}<span class="who">${person}</span>${nav}</div></header>
<main id="main">${content}</main>
<footer><p>${footer.map((one) => html`<span>${one}</span>`)}</p></footer>`;
}

/** The head of a page: where it is, its name, what it is about, and what can be done. */
export function head(
  title: HtmlPart,
  more: { readonly crumb?: HtmlPart; readonly below?: HtmlPart; readonly tools?: HtmlPart } = {},
): Html {
  const { crumb = null, below = null, tools = null } = more;
  const path = crumb === null ? null : html`<p class="crumb">${crumb}</p>`;
  const said = below === null ? null : html`<span class="dim">${below}</span>`;
  const side = tools === null ? null : html`<div class="tools">${tools}</div>`;
  return html`${path}<div class="head"><div><h1>${title}</h1>${said}</div>${side}</div>`;
}
