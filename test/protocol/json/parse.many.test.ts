import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { JsonSyntaxError, type JsonValue, parseJson } from '../../../lib/protocol/json/parse';
import { expectSame } from '../../support/expect-same';
import { runs } from '../../support/runs';
import { anyCharacter } from '../../support/any-character';

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  return '';
}

/** What JSON.parse makes of a text; undefined where it refuses it. */
function byJsonParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function byKit(text: string): { value: unknown } | undefined {
  try {
    return { value: withPrototypes(parseJson(text).value) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The same value in ordinary objects, to be held against JSON.parse. */
function withPrototypes(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(withPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withPrototypes(item)]),
  );
}

const plainKey = fc
  .string()
  .filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(plainKey, tie('value'), { noNullPrototype: true }),
  ),
}));

const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n', '  ');

describe('a valid text', () => {
  test('has the value that JSON.parse gives it', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 2, '\t'), (item, indent) => {
        const text = JSON.stringify(item, null, indent);
        expectSame(byKit(text), byJsonParse(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  test('may have white space around it', () => {
    fc.assert(
      fc.property(space, value, space, (before, item, after) => {
        const text = before + JSON.stringify(item) + after;
        expectSame(byKit(text), byJsonParse(text));
      }),
    );
  });

  test('keeps every escape that JSON has', () => {
    const text = String.raw`{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00 é 😀"}`;
    expectSame(byKit(text), byJsonParse(text));
  });
});

test('any text that is broken in one place is refused, or read as JSON.parse reads it', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '-',
      '0',
      '.',
      'e',
      '+',
      ' ',
      '\u0000',
    ),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  );
  fc.assert(
    fc.property(value, fc.nat(), fc.nat(3), piece, (item, position, length, inserted) => {
      const whole = JSON.stringify(item);
      const at = position % (whole.length + 1);
      const text = whole.slice(0, at) + inserted + whole.slice(at + length);
      const kit = byKit(text);
      if (kit !== undefined) expectSame(kit, byJsonParse(text));
      else if (isPlain(text)) expect(byJsonParse(text)).toBeUndefined();
    }),
    { numRuns: runs(5000) },
  );
});

test('any text made of the signs of JSON is refused, or read as JSON.parse reads it', () => {
  const sign = fc.constantFrom(...'{}[],:"0123456789.eE+- \n\\untrefalsbk'.split(''));
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
      const text = signs.join('');
      const kit = byKit(text);
      if (kit !== undefined) expectSame(kit, byJsonParse(text));
      else if (isPlain(text)) expect(byJsonParse(text)).toBeUndefined();
    }),
    { numRuns: runs(20_000) },
  );
});

/** Whether a text has nothing that the kit refuses and JSON.parse takes. */
function isPlain(text: string): boolean {
  const parsed = byJsonParse(text);
  return parsed === undefined || !hasRefused(text, parsed.value);
}

/** A key twice, a forbidden key, half a surrogate pair: seen by writing the value again. */
function hasRefused(text: string, parsed: unknown): boolean {
  const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*:/g)].length;
  return keys !== countKeys(parsed) || !isWellFormed(parsed);
}

function countKeys(item: unknown): number {
  if (typeof item !== 'object' || item === null) return 0;
  const own = Array.isArray(item) ? 0 : Object.keys(item).length;
  return Object.values(item).reduce<number>((sum, member) => sum + countKeys(member), own);
}

function isWellFormed(item: unknown): boolean {
  if (typeof item === 'string') return item.isWellFormed();
  if (typeof item !== 'object' || item === null) return true;
  return Object.entries(item).every(([key, member]) => key.isWellFormed() && isWellFormed(member));
}

describe('a text is refused (D2.1)', () => {
  test.each([
    ['a key twice', '{"a":1,"a":1}'],
    ['a key twice, once as an escape', String.raw`{"a":1,"\u0061":2}`],
    ['a key twice, further in', '[{"a":{"b":1,"c":2,"b":1}}]'],
    ['__proto__', '{"__proto__":{"polluted":true}}'],
    ['__proto__ as an escape', String.raw`{"\u005f_proto__":1}`],
    ['constructor', '{"constructor":{"prototype":{}}}'],
    ['prototype, further in', '[[{"prototype":1}]]'],
    ['a lone surrogate', String.raw`["\ud83d"]`],
    ['the other half of a surrogate pair', String.raw`["\ude00"]`],
    ['half a surrogate pair as a key', String.raw`{"\ud83d":1}`],
    ['half a surrogate pair as it stands', '["\ud83d"]'],
    ['text after the value', '{} {}'],
    ['a comma after the value', '{},'],
    ['nothing', ''],
    ['white space', ' \n'],
    ['a byte order mark', '\ufeff{}'],
    ['a white space that JSON does not have', '\u00a0{}'],
    ['a comma at the end', '[1,]'],
    ['a comma at the end of an object', '{"a":1,}'],
    ['a comment', '{}//'],
    ['a key without quotes', '{a:1}'],
    ['single quotes', "{'a':1}"],
    ['a leading zero', '[01]'],
    ['a plus', '[+1]'],
    ['a bare point', '[.5]'],
    ['a point at the end', '[5.]'],
    ['a bare minus', '[-]'],
    ['a bare exponent', '[1e]'],
    ['a hexadecimal number', '[0x10]'],
    ['NaN', '[NaN]'],
    ['Infinity', '[Infinity]'],
    ['undefined', '[undefined]'],
    ['a word that goes on', '[nullx]'],
    ['a control character in a string', '["a\u0000"]'],
    ['a line end in a string', '["a\n"]'],
    ['an unknown escape', String.raw`["\x41"]`],
    ['an escape that is cut off', String.raw`["\u00"]`],
    ['an unterminated string', '["a'],
    ['a string that ends in an escape', String.raw`["a\"`],
    ['an object without end', '{"a":1'],
    ['an array without end', '[1'],
  ])('for %s', (_, text) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
  });

  test('for more than 16 levels, and not for 16', () => {
    expect(parseJson('['.repeat(16) + ']'.repeat(16)).value).toHaveLength(1);
    expect(() => parseJson('['.repeat(17) + ']'.repeat(17))).toThrow('16 levels');
    expect(() => parseJson('{"a":'.repeat(17))).toThrow('16 levels');
  });

  test('for more values than it is to take, at the first that is too many', () => {
    const texts: readonly (readonly [string, number])[] = [
      ['[1,2,3]', 4],
      ['{"a":{"b":[]},"c":""}', 4],
      ['[[],[],{},true,null,"x",-1.50]', 8],
      ['7', 1],
    ];
    for (const [text, values] of texts) {
      expectSame(parseJson(text, { maxValues: values }).value, parseJson(text).value);
      const problem = `more than ${values - 1} values`;
      expect(messageOf(() => parseJson(text, { maxValues: values - 1 }))).toContain(problem);
    }
    for (const item of ['[],', '{},', '1.0,', '"",', '{"a":']) {
      const said = messageOf(() => parseJson(`[${item.repeat(100_000)}`, { maxValues: 10 }));
      expect(said).toContain(`more than 10 values at character ${1 + 9 * item.length}`);
    }
  });

  test('for more members of one object than it is to take', () => {
    const text = '[{"a":1,"b":2},{"c":{"d":3},"e":4}]';
    expectSame(parseJson(text, { maxMembers: 2 }).value, parseJson(text).value);
    expect(messageOf(() => parseJson(text, { maxMembers: 1 }))).toContain('more than 1 members');
  });

  test('for a hundred thousand levels, without running out of stack', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow(JsonSyntaxError);
  });

  test('without repeating what is in it', () => {
    for (const text of ['{"pin-4711":1,"pin-4711":2}', '["pin-4711', 'pin-4711', '[pin-4711]']) {
      expect(messageOf(() => parseJson(text))).toMatch(/^JsonSyntaxError: (?!.*4711)/);
    }
  });
});

describe('the text of a number (D1.5)', () => {
  test('is kept as it stood, wherever it stood', () => {
    const spellings = ['0', '-0', '10.50', '1e2', '1E+2', '0.10', '9007199254740993', '1e999'];
    const document = parseJson(`{"list":[${spellings.join(',')}],"amount":10.500}`);
    const { list } = document.value as { list: number[] };
    expectSame(
      list.map((_, index) => document.lexeme(list, index)),
      spellings,
    );
    expectSame(document.lexeme(list, '2'), '10.50');
    expectSame(document.lexeme(document.value as object, 'amount'), '10.500');
  });

  test('is there for a number alone', () => {
    const document = parseJson('{"text":"1","flag":true,"none":null,"list":[1]}');
    const object = document.value as Record<string, object>;
    for (const key of ['text', 'flag', 'none', 'list', 'absent', 'toString']) {
      expect(document.lexeme(object, key)).toBeUndefined();
    }
    expect(document.lexeme({}, 'list')).toBeUndefined();
  });

  test('is kept under any key: an index, a name of every object, a text of digits', () => {
    const keys = [
      '0',
      '7',
      '4294967294',
      '4294967295',
      '18446744073709551616',
      'toString',
      '',
      '-1',
    ];
    const document = parseJson(`{${keys.map((key, at) => `"${key}":${at}.0`).join()}}`);
    const object = document.value as object;
    expectSame(
      keys.map((key) => document.lexeme(object, key)),
      keys.map((_, at) => `${at}.0`),
    );
  });

  test('is kept of many numbers as of few', () => {
    const texts = Array.from({ length: 100 }, (_, at) => `${at}.0`);
    const members = texts.map((text, at) => `"${at % 2 === 0 ? at : `k${at}`}":${text}`);
    const document = parseJson(`[{${members.join()}},[${texts.join()}],{"0":7.0},7.00]`);
    const [object, list, other] = document.value as [object, number[], object];
    expectSame(
      new Set(Object.keys(object).map((key) => document.lexeme(object, key))),
      new Set(texts),
    );
    expectSame(
      list.map((_, index) => document.lexeme(list, index)),
      texts,
    );
    expectSame(document.lexeme(other, '0'), '7.0');
    expectSame(document.lexeme(document.value as object, 3), '7.00');
  });

  test('belongs to the object it stood in, though others have the same key', () => {
    const document = parseJson('[{"amount":1.0},{"amount":1.00}]');
    const [first, second] = document.value as object[];
    expectSame(document.lexeme(first as object, 'amount'), '1.0');
    expectSame(document.lexeme(second as object, 'amount'), '1.00');
  });
});

test('an object inherits nothing, so that no key is there that was not sent', () => {
  const { value: object } = parseJson('{"a":1}');
  const prototype: object = Object.getPrototypeOf(object);
  expectSame(Reflect.ownKeys(prototype), []);
  expect(Object.getPrototypeOf(prototype)).toBeNull();
  expectSame(Object.isFrozen(prototype), true);
  expectSame('toString' in (object as object), false);
  const { value: many } = parseJson(`[${'{"a":1},'.repeat(5000)}{"a":1}]`);
  const last = (many as object[])[5000] as object;
  expect(Object.getPrototypeOf(last)).toBeNull();
  expectSame([Object.keys(last), 'toString' in last], [['a'], false]);
});
