import { type Html, html, type HtmlPart } from './template';

/** A state by colour and by shape: a disc, a triangle, a square, a diamond (by a person), a ring. */
export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'plain';

const shapes: Readonly<Record<Tone, Html>> = {
  good: html`<circle cx="5" cy="5" r="5"/>`,
  warn: html`<path d="M5 0L10 9.5H0Z"/>`,
  bad: html`<rect width="9" height="9" y=".5" x=".5" rx="1.5"/>`,
  note: html`<path d="M5 0L10 5L5 10L0 5Z"/>`,
  plain: html`<path fill-rule="evenodd" d="M5 0a5 5 0 1 1 0 10a5 5 0 1 1 0-10m0 2a3 3 0 1 0 0 6a3 3 0 1 0 0-6"/>`,
};

function shape(tone: Tone): Html {
  return html`<svg width="10" height="10" aria-hidden="true" focusable="false">${shapes[tone]}</svg>`;
}

/** A state in a word. `code`: what it is called elsewhere, where it is pointed at. */
export function badge(tone: Tone, text: HtmlPart, code: string | null = null): Html {
  const title = code === null ? null : html` title="${code}"`;
  return html`<span class="badge ${tone}"${title}>${shape(tone)}${text}</span>`;
}

/** What a page has to say, in one sentence. */
export interface Verdict {
  readonly tone: Exclude<Tone, 'plain'>;
  readonly title: HtmlPart;
  readonly text: HtmlPart;
  /** What is less urgent, or the way on; at the right. */
  readonly end?: HtmlPart;
  /** Whether it is of what failed: it is read out at once. */
  readonly isAlert?: boolean;
}

/** The sentence that a page begins with. */
export function verdict({ tone, title, text, end = null, isAlert = false }: Verdict): Html {
  const more = end === null ? null : html`<span class="end">${end}</span>`;
  return html`<div class="state ${tone}" role="${isAlert ? 'alert' : 'status'}"><b>${shape(tone)}<span>${title}</span></b><span>${text}</span>${more}</div>`;
}

/** The same inside a card. */
export function remark(tone: Verdict['tone'], title: string, text: HtmlPart): Html {
  return html`<div class="state ${tone}" role="note"><b>${shape(tone)}<span>${title}</span></b><p>${text}</p></div>`;
}

/** A figure that is read at a glance. */
export interface Tile {
  readonly name: HtmlPart;
  readonly value: HtmlPart;
  readonly below: HtmlPart;
  /** As small as a word. */
  readonly picture?: HtmlPart;
  readonly isAlarm?: boolean;
}

/** Figures beside each other. */
export function tiles(all: readonly Tile[]): Html {
  const items = all.map(
    ({ name, value, below, picture = null, isAlarm = false }) =>
      html`<li class="tile${isAlarm ? ' alarm' : ''}"><span>${name}</span><b>${value}</b><small>${below}</small>${picture}</li>`,
  );
  return html`<ul class="tiles">${items}</ul>`;
}

/** Links beside each other, one of which is this page. */
export function chips(
  label: string,
  all: readonly (readonly [href: string, text: HtmlPart, isHere: boolean])[],
): Html {
  const items = all.map(
    ([href, text, isHere]) =>
      html`<li><a href="${href}"${isHere ? html` aria-current="true"` : null}>${text}</a></li>`,
  );
  return html`<ul class="chips" aria-label="${label}">${items}</ul>`;
}

/** A section; `beside` is on the line of the heading. */
export function part(anchor: string, title: string, beside: HtmlPart, body: HtmlPart): Html {
  return html`<section aria-labelledby="${anchor}"><div class="sh"><h2 id="${anchor}">${title}</h2>${beside}</div>${body}</section>`;
}

/** Content in a box. */
export function card(body: HtmlPart): Html {
  return html`<div class="card">${body}</div>`;
}

/** Nothing is here: what would be, and what then. */
export function empty(title: HtmlPart, text: HtmlPart = null): Html {
  return html`<div class="card empty"><b>${title}</b>${text}</div>`;
}

/** What to do, one after the other. */
export function steps(all: readonly HtmlPart[]): Html {
  return html`<ol class="next">${all.map((one) => html`<li><span>${one}</span></li>`)}</ol>`;
}

/** Things to choose from: each with its name, a sentence, and a form or a link. */
export function picks(
  all: readonly { readonly name: HtmlPart; readonly text: HtmlPart; readonly action: HtmlPart }[],
): Html {
  const items = all.map(
    ({ name, text, action }) =>
      html`<li><div><h3>${name}</h3><small>${text}</small></div>${action}</li>`,
  );
  return html`<ul class="picks">${items}</ul>`;
}

/** What is shown once its title is opened. */
export function folded(title: HtmlPart, body: HtmlPart): Html {
  return html`<details class="card"><summary>${title}</summary>${body}</details>`;
}

/** Names and values. */
export function facts(rows: readonly (readonly [name: string, value: HtmlPart])[]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
