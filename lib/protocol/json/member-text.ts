import type { JsonDocument, JsonValue } from './parse';

/**
 * The JSON text of the value that `container` holds under `key`, without white space, each number as it was
 * written. The key must be there.
 */
export function memberText(
  document: JsonDocument,
  container: object,
  key: string | number,
): string {
  const value = (container as { readonly [key: string]: JsonValue })[key] as JsonValue;
  if (typeof value === 'number') return document.lexeme(container, key) ?? String(value);
  if (Array.isArray(value)) {
    return `[${value.map((_, index) => memberText(document, value, index)).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).map(
    (name) => `${JSON.stringify(name)}:${memberText(document, value, name)}`,
  );
  return `{${members.join(',')}}`;
}
