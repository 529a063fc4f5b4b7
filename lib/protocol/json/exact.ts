import type { JsonDocument, JsonValue } from './parse';
import { parseAmount } from '../money/amount';
import { ExactNumber, JsonText } from './write';
import type { MessageFault } from './documents';

/** A number of a reply as its text: nothing is rounded. `96.190` stays `96.190`. */
export type DecimalText = string;

/** Any JSON value whose numbers keep their text. */
export type ExactJson =
  | string
  | boolean
  | null
  | ExactNumber
  | readonly ExactJson[]
  | ExactJsonObject;

/** A JSON object whose numbers keep their text; it has no prototype. */
export interface ExactJsonObject {
  readonly [key: string]: ExactJson;
}

/** The value of a document, each number as an {@link ExactNumber}; `text` is the parsed text. */
export function exactValue(document: JsonDocument, text: string): ExactJson {
  const { value } = document;
  if (typeof value === 'number') return new ExactNumber(text.trim());
  return convert(document, value, {}, '');
}

/** The members of an object of the document, without the known ones. */
export function exactRest(
  document: JsonDocument,
  object: { readonly [key: string]: JsonValue },
  known: readonly string[],
): ExactJsonObject {
  const rest: Record<string, ExactJson> = Object.create(null);
  for (const [key, member] of Object.entries(object)) {
    if (!known.includes(key)) rest[key] = convert(document, member, object, key);
  }
  return Object.freeze(rest);
}

/**
 * Units of an amount of a reply: one unit is 10^-decimals of the number in the text. Unlike a wallet's
 * amounts it may be below zero, since statistics are differences too.
 * @throws TypeError if the text is not a number, is longer than an amount's (D1.5), has more decimals, or
 * is above 2^53-1 units.
 */
export function readExactAmount(text: string, decimals: number): bigint {
  const isNegative = text.startsWith('-');
  const units = parseAmount(isNegative ? text.slice(1) : text, decimals);
  if (units === null || text.startsWith('--')) {
    throw new TypeError(`the amount cannot be represented exactly with ${decimals} decimals`);
  }
  return isNegative ? -units : units;
}

/** Whether a text is exactly one JSON number. */
export function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

function convert(
  document: JsonDocument,
  value: JsonValue,
  container: object,
  key: string | number,
): ExactJson {
  if (typeof value === 'number') {
    return new ExactNumber(document.lexeme(container, key) ?? String(value));
  }
  if (Array.isArray(value)) {
    return Object.freeze(value.map((item, index) => convert(document, item, value, index)));
  }
  return typeof value === 'object' && value !== null ? exactRest(document, value, []) : value;
}

/** Nesting that the parser accepts. */
const maxLevels = 16;

/** What writeJson would change, leave out or not write: where and why; null if there is none. */
export function findUnwritable(
  value: unknown,
  pointer = '',
  depth = 0,
): Pick<MessageFault, 'pointer' | 'problem'> | null {
  const problem = problemOf(value, depth);
  if (problem !== null) return { pointer, problem };
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof ExactNumber || value instanceof JsonText) return null;
  for (const [key, member] of Object.entries(value)) {
    const fault = findUnwritable(member, `${pointer}/${key}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function problemOf(value: unknown, depth: number): string | null {
  if (depth > maxLevels) return `must not have more than ${maxLevels} levels`;
  if (value instanceof ExactNumber) {
    return isJsonNumber(value.text) ? null : 'must be a JSON number';
  }
  if (value instanceof JsonText || Array.isArray(value)) return null;
  if (value === null || value === undefined || isPlainObject(value)) return null;
  if (typeof value === 'string') return value.isWellFormed() ? null : 'has a lone surrogate';
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || value % 1 !== 0);
    return isExact ? null : 'must be a finite number and, if whole, a safe integer';
  }
  return typeof value === 'boolean' ? null : 'must be a JSON value';
}

/** Whether a value is an object and not an instance of a class: its prototype, if any, inherits nothing. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
