/**
 * A strict JSON parser that keeps the text of every number (D1.5, D2.1): `10.50` must be signed as
 * written, and JSON.parse loses the text.
 */

import { NumberTexts } from './number-texts';
import { usualKey } from './usual-keys';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonObject | JsonValue[];

/** A JSON object; it inherits nothing. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object of JSON: no array, and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A parsed text: the value, and the text of each number. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** The text of the number that `container` holds under `key`; undefined if there is none. */
  lexeme(container: object, key: string | number): string | undefined;
}

/** The text is not JSON, or not JSON that this kit accepts. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Limits of a text. */
export interface JsonLimits {
  /** Values, including objects and arrays; parsing ends above it. No limit unless set. */
  readonly maxValues?: number;
  /** Members of one object. No limit unless set. */
  readonly maxMembers?: number;
}

/** Nesting of objects and arrays; no message of the protocol needs more than four levels. */
const maxDepth = 16;

/** Digits of which every number is exact. */
const exactDigits = 15;

/**
 * Parses strictly: no duplicate keys, no `__proto__`, `constructor` or `prototype`, no lone surrogates,
 * limited depth. The time is linear in the text, whatever it holds.
 * @throws JsonSyntaxError that says what and where, without repeating the text.
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonDocument {
  const parser = new Parser(text, limits);
  const value = parser.document();
  return new ParsedDocument(value, parser.lexemes);
}

class ParsedDocument implements JsonDocument {
  constructor(
    readonly value: JsonValue,
    private readonly lexemes: NumberTexts | null,
  ) {}

  lexeme(container: object, key: string | number): string | undefined {
    const value: unknown = Object.hasOwn(container, key)
      ? (container as { [key: string]: unknown })[key]
      : undefined;
    if (typeof value !== 'number') return undefined;
    return this.lexemes?.find(container, key) ?? String(value);
  }
}

/** An object with an empty prototype: unlike one without a prototype, V8 keeps it in its fast form. */
const EmptyObject = function () {} as unknown as new () => JsonObject;
EmptyObject.prototype = Object.freeze(Object.create(null));

/** After this many objects V8 does not learn another object's shape: learning costs more than it saves. */
const manyObjects = 2000;

function slowObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

class Parser {
  /** Most numbers are spelled as String() spells them; then there is nothing to keep. */
  lexemes: NumberTexts | null = null;
  private at = 0;
  private values = 0;
  private objects = 0;
  private readonly maxValues: number;
  private readonly maxMembers: number;

  constructor(
    private readonly text: string,
    { maxValues, maxMembers }: JsonLimits,
  ) {
    this.maxValues = maxValues ?? Number.POSITIVE_INFINITY;
    this.maxMembers = maxMembers ?? Number.POSITIVE_INFINITY;
  }

  document(): JsonValue {
    const value = this.value(0, {}, '');
    this.skipSpace();
    if (this.at < this.text.length) throw this.error('text after the value');
    return value;
  }

  private value(depth: number, container: object, key: string | number): JsonValue {
    this.skipSpace();
    if (++this.values > this.maxValues) throw this.error(`more than ${this.maxValues} values`);
    const code = this.text.charCodeAt(this.at);
    if (code === 0x22) return this.string();
    if (code === 0x7b) return this.object(depth + 1);
    if (code === 0x5b) return this.array(depth + 1);
    if (code === 0x2d || isDigit(code)) return this.number(container, key);
    if (code === 0x74) return this.literal('true', true);
    if (code === 0x66) return this.literal('false', false);
    return this.literal('null', null);
  }

  private literal<V extends boolean | null>(word: string, value: V): V {
    if (!this.text.startsWith(word, this.at)) throw this.error('an invalid value');
    this.at += word.length;
    return value;
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object = ++this.objects > manyObjects ? slowObject() : new EmptyObject();
    if (this.closes(0x7d)) return object;
    for (let members = 1; ; members++) {
      this.skipSpace();
      if (members > this.maxMembers) throw this.error(`more than ${this.maxMembers} members`);
      if (this.text.charCodeAt(this.at) !== 0x22) throw this.error('an invalid key');
      const key = this.key();
      if (isForbidden(key)) throw this.error('a forbidden key');
      if (key in object) throw this.error('a duplicate key');
      this.skipSpace();
      this.expect(0x3a);
      object[key] = this.value(depth, object, key);
      if (this.closes(0x7d)) return object;
      this.expect(0x2c);
    }
  }

  /** Returns a key of the protocol as the string that V8 has interned; a copy would be looked up each time. */
  private key(): string {
    const start = this.at + 1;
    const end = this.text.indexOf('"', start);
    const name = usualKey(this.text, start, end);
    if (name === undefined) return this.string();
    this.at = end + 1;
    return name;
  }

  private array(depth: number): JsonValue[] {
    this.enter(depth);
    const array: JsonValue[] = [];
    if (this.closes(0x5d)) return array;
    for (;;) {
      array.push(this.value(depth, array, array.length));
      if (this.closes(0x5d)) return array;
      this.expect(0x2c);
    }
  }

  private number(container: object, key: string | number): number {
    const start = this.at;
    const whole = this.wholeNumber();
    if (whole !== null) return whole;
    this.skipNumber();
    const lexeme = this.text.slice(start, this.at);
    const value = Number(lexeme);
    if (String(value) !== lexeme) (this.lexemes ??= new NumberTexts()).keep(container, key, lexeme);
    return value;
  }

  /** A number of a few digits alone, which String() spells alike; null for any other, of which nothing is read. */
  private wholeNumber(): number | null {
    const { text } = this;
    let at = this.at;
    let value = 0;
    let code = text.charCodeAt(at);
    for (; isDigit(code); code = text.charCodeAt(++at)) value = value * 10 + code - 0x30;
    const digits = at - this.at;
    if (digits === 0 || digits > exactDigits || code === 0x2e || (code | 0x20) === 0x65)
      return null;
    if (digits > 1 && text.charCodeAt(this.at) === 0x30) return null;
    this.at = at;
    return value;
  }

  /** -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
  private skipNumber(): void {
    const { text } = this;
    if (text.charCodeAt(this.at) === 0x2d) this.at++;
    if (text.charCodeAt(this.at) === 0x30) this.at++;
    else this.skipDigits();
    if (text.charCodeAt(this.at) === 0x2e) {
      this.at++;
      this.skipDigits();
    }
    if ((text.charCodeAt(this.at) | 0x20) !== 0x65) return;
    this.at++;
    const sign = text.charCodeAt(this.at);
    if (sign === 0x2b || sign === 0x2d) this.at++;
    this.skipDigits();
  }

  /** At least one digit. */
  private skipDigits(): void {
    const start = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    if (this.at === start) throw this.error('an invalid number');
  }

  private string(): string {
    const { text } = this;
    const start = this.at + 1;
    let isPlain = true;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.at = at + 1;
        const raw = text.slice(start, at);
        return isPlain ? raw : this.wellFormed(this.unescape(raw));
      }
      if (code >= 0xd800) isPlain = false;
      else if (code === 0x5c) {
        isPlain = false;
        at++;
      } else if (code < 0x20) {
        throw this.error('a control character in a string');
      }
    }
    throw this.error('an unterminated string');
  }

  private unescape(raw: string): string {
    try {
      return JSON.parse(`"${raw}"`);
    } catch {
      throw this.error('an unknown escape');
    }
  }

  private wellFormed(text: string): string {
    if (!text.isWellFormed()) throw this.error('a lone surrogate');
    return text;
  }

  private enter(depth: number): void {
    if (depth > maxDepth) throw this.error(`more than ${maxDepth} levels`);
    this.at++;
  }

  private closes(code: number): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  private expect(code: number): void {
    if (this.text.charCodeAt(this.at) !== code) throw this.error('invalid JSON');
    this.at++;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code > 0x20) return;
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private error(what: string): JsonSyntaxError {
    return new JsonSyntaxError(`The body has ${what} at character ${this.at}.`);
  }
}

function isForbidden(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
