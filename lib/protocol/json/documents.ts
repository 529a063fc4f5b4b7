import type { JsonDocument } from './parse';
import { ExactNumber, type Writable } from './write';

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
