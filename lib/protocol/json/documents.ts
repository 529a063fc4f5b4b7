import { isJsonObject, type JsonDocument, type JsonValue } from './parse';
import { ExactNumber, type Writable } from './write';

/** A message that does not fit its call: where, and why. Never repeats the message. */
export class MessageFault extends Error {
  override readonly name = 'MessageFault';

  constructor(
    /** JSON pointer; empty for the whole message. */
    readonly pointer: string,
    readonly problem: string,
  ) {
    super(problem);
  }
}

/** A document without members. */
export const noDocument: JsonDocument = { value: null, lexeme: () => undefined };

/** The parameters of a query as a document: all of them are texts. */
export function documentOf(parameters: ReadonlyMap<string, string>): JsonDocument {
  return { value: Object.fromEntries(parameters), lexeme: () => undefined };
}

/** What is read of a document to be signed: its members, and each number as its text. */
export type SignedDocument = Pick<JsonDocument, 'lexeme'> & { readonly value: unknown };

/** A message that is written by writeJson, as its receiver parses it. */
export function writtenDocument(message: { readonly [key: string]: Writable }): SignedDocument {
  return { value: message, lexeme: writtenLexeme };
}

function writtenLexeme(container: object, key: string | number): string | undefined {
  const value: unknown = (container as { readonly [name: string]: unknown })[key];
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}

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

/** Levels of objects and arrays in a parsed value: 0 for one that is neither. */
export function levelsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let below = 0;
  for (const item of Object.values(value)) below = Math.max(below, levelsOf(item));
  return below + 1;
}

/**
 * A value without its members that are null: null is absent (E4.3). What is below `payloads`, paths such
 * as `data/data`, is the sender's own and stays as it is.
 */
export function presentIn(value: JsonValue, payloads: readonly string[]): JsonValue {
  // Most messages hold no null: they need no copy.
  return holdsNull(value) ? withoutNull(value, payloads, '') : value;
}

function holdsNull(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsNull);
  return value === null || (isJsonObject(value) && Object.values(value).some(holdsNull));
}

function withoutNull(value: JsonValue, payloads: readonly string[], path: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutNull(item, payloads, path));
  if (!isJsonObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}/${key}`;
    if (payloads.includes(at)) members.push([key, member]);
    else if (member !== null) members.push([key, withoutNull(member, payloads, at)]);
  }
  return Object.fromEntries(members);
}
