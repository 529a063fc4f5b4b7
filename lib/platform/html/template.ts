/** Markup that is safe to send as it is: written by {@link html}, never made from a text. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What may be in a template: texts and numbers are escaped, null and undefined are nothing. */
export type HtmlPart = Html | string | number | bigint | null | undefined | readonly HtmlPart[];

/**
 * A template of HTML that escapes every part that is not markup itself. Parts belong in text, or in attributes
 * between double quotes; never in a tag's name, a style or a script.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(
    strings.reduce((text, string, index) => text + written(parts[index - 1]) + string),
  );
}

function written(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (part === null || part === undefined) return '';
  if (isList(part)) return part.map(written).join('');
  return String(part).replace(special, (character) => escapes[character] ?? '');
}

function isList(part: HtmlPart): part is readonly HtmlPart[] {
  return Array.isArray(part);
}

const special = /[&<>"'`]/g;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};
