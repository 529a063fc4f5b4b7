import { createHash } from 'node:crypto';

/** A JSON value. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A report as it is read: its members but the signature, and that. */
export interface ReadReport {
  readonly members: { readonly [name: string]: Json };
  readonly signature: { readonly digest: string; readonly line: string | null };
}

/**
 * The digest of a report: `sha256:` and the SHA-256, in hex, of its canonical form, which is that of RFC 8785 over all
 * members but `signature`.
 */
export function digestOf(members: object): string {
  const canonical = canonicalText(members as Json);
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
}

/** A value as RFC 8785 writes it: names in order, no white space, numbers as ECMAScript writes them. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('not a number');
  return JSON.stringify(value);
}

/** A document as text: characters that steer a terminal or turn a line around are escaped as JSON may. */
export function written(document: unknown, indent: number): string {
  return JSON.stringify(document, null, indent).replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, at) => {
        return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
      }).join(''),
  );
}

/**
 * Whether a text is spelt as a report is: it may differ in white space outside of strings, and in nothing else. So no name
 * stands twice, and no number is one that a program could read in two ways.
 */
export function isAsWritten(text: string, document: unknown): boolean {
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, '$1');
  return bare === written(document, 0);
}
