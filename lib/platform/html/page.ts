import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Html, html } from './template';

/** The parts of a page that is one file, without a script and without anything from outside. */
export interface Page {
  readonly title: string;
  /** CSS; it is allowed by its hash. */
  readonly style: string;
  readonly body: Html;
  /** Seconds after which the browser loads it again; null for never. */
  readonly refreshAfter: number | null;
  /** A relative address that it then loads; its own unless set. */
  readonly refreshTo?: string;
}

/** Sends a page. Its policy allows its own style and forms to itself, and nothing else. */
export function sendPage(response: ServerResponse, status: number, page: Page): void {
  const { refreshAfter, refreshTo } = page;
  const to = refreshTo === undefined ? null : html`;url=${refreshTo}`;
  const again =
    refreshAfter === null ? null : html`<meta http-equiv="refresh" content="${refreshAfter}${to}">`;
  const text = written(page, again);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-security-policy': `default-src 'none'; ${styleSource(page)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** A page as a file: its policy, which allows its own style alone, is in the file. */
export function pageFile(page: Omit<Page, 'refreshAfter' | 'refreshTo'>): string {
  const policy = `default-src 'none'; ${styleSource(page)}; form-action 'none'; base-uri 'none'`;
  const head = html`<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer">`;
  return `${written(page, head)}\n`;
}

/** The style is put in after the escaping: it is markup's, not text. */
function written(
  { title, style, body }: Omit<Page, 'refreshAfter' | 'refreshTo'>,
  head: Html | null,
): string {
  const [before = '', after = ''] = String(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${head}<title>${title}</title><style></style></head><body>${body}</body></html>`,
  ).split('<style></style>');
  return `${before}<style>${spaced(style)}</style>${after}`;
}

function styleSource({ style }: Pick<Page, 'style'>): string {
  return `style-src 'sha256-${createHash('sha256').update(spaced(style)).digest('base64')}'`;
}

function spaced(style: string): string {
  return ` ${style} `;
}
