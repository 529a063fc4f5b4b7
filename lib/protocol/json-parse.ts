/**
 * A strict JSON parser that keeps the text of every number (D1.5, D2.1): `10.50` must be
 * signed as it stood, and JSON.parse forgets how it stood.
 */

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonObject | JsonValue[];

/** A JSON object; it has no prototype. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A parsed text: the value, and for each number the text it had. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** The text of the number that `container` holds under `key`; undefined where none is there. */
  lexeme(container: object, key: string | number): string | undefined;
}

/** The text is not JSON, or not JSON that this kit takes in. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Objects and arrays inside each other; no message of the protocol needs more than four. */
const maxDepth = 16;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Parses strictly: no duplicate keys, none of `__proto__`, `constructor` and `prototype`, no
 * lone surrogates, a bounded depth.
 * @throws JsonSyntaxError which says what and where, without repeating the text.
 */
export function parseJson(text: string): JsonDocument {
  const parser = new Parser(text);
  const value = parser.document();
  return {
    value,
    lexeme: (container, key) => parser.lexemes.get(container)?.get(String(key)),
  };
}

class Parser {
  readonly lexemes = new Map<object, Map<string, string>>();
  private at = 0;

  constructor(private readonly text: string) {}

  document(): JsonValue {
    const value = this.value(0, {}, '');
    this.skipSpace();
    if (this.at < this.text.length) throw this.error('text after the value');
    return value;
  }

  private value(depth: number, container: object, key: string): JsonValue {
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    if (code === 0x22) return this.string();
    if (code === 0x7b) return this.object(depth + 1);
    if (code === 0x5b) return this.array(depth + 1);
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number(container, key);
    for (const [word, value] of literals) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    throw this.error('no JSON value');
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object: JsonObject = Object.create(null);
    if (this.closes(0x7d)) return object;
    for (;;) {
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== 0x22) throw this.error('no key');
      const key = this.string();
      if (forbiddenKeys.has(key)) throw this.error('a forbidden key');
      if (key in object) throw this.error('a key that the object has already');
      this.skipSpace();
      this.expect(0x3a);
      object[key] = this.value(depth, object, key);
      if (this.closes(0x7d)) return object;
      this.expect(0x2c);
    }
  }

  private array(depth: number): JsonValue[] {
    this.enter(depth);
    const array: JsonValue[] = [];
    if (this.closes(0x5d)) return array;
    for (;;) {
      array.push(this.value(depth, array, String(array.length)));
      if (this.closes(0x5d)) return array;
      this.expect(0x2c);
    }
  }

  private number(container: object, key: string): number {
    numberForm.lastIndex = this.at;
    const match = numberForm.exec(this.text);
    if (match === null) throw this.error('no JSON number');
    const [lexeme] = match;
    this.at += lexeme.length;
    const known = this.lexemes.get(container);
    if (known === undefined) this.lexemes.set(container, new Map([[key, lexeme]]));
    else known.set(key, lexeme);
    return Number(lexeme);
  }

  private string(): string {
    const start = this.at;
    let escaped = false;
    for (let at = start + 1; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x22) {
        this.at = at + 1;
        const raw = this.text.slice(start + 1, at);
        return this.wellFormed(escaped ? this.unescape(raw) : raw);
      }
      if (code === 0x5c) {
        escaped = true;
        at++;
      } else if (code < 0x20) {
        throw this.error('a control character in a string');
      }
    }
    throw this.error('a string without end');
  }

  private unescape(raw: string): string {
    try {
      return JSON.parse(`"${raw}"`);
    } catch {
      throw this.error('an escape that JSON does not have');
    }
  }

  private wellFormed(text: string): string {
    if (!text.isWellFormed()) throw this.error('half a surrogate pair');
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
    if (this.text.charCodeAt(this.at) !== code) throw this.error('no JSON');
    this.at++;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private error(what: string): JsonSyntaxError {
    return new JsonSyntaxError(`The body holds ${what} at character ${this.at}.`);
  }
}
