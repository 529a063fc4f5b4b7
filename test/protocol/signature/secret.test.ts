import { serialize } from 'node:v8';
import { format, inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Secret } from '../../../lib/protocol/signature';

const text = 'this-is-a-secret-4711';
const secret = new Secret(text);

/** What a pino logger writes. */
function logged(write: (logger: ReturnType<typeof pino>) => void): string {
  let lines = '';
  write(pino({}, { write: (line: string) => void (lines += line) }));
  return lines;
}

describe('a secret prints nothing', () => {
  const holder = { operatorId: 'acme', secrets: [secret], byName: new Map([['acme', secret]]) };
  const failure = Object.assign(new Error(`with ${String(secret)}`, { cause: secret }), { secret });
  const prints: readonly (readonly [string, () => string])[] = [
    ['as a text', () => String(secret)],
    ['in a template', () => `secret: ${String(secret)}`],
    ['joined to a text', () => `secret: ${[secret].join()}`],
    ['by inspect', () => inspect(secret)],
    ['by inspect, with all that is hidden', () => inspect(secret, { showHidden: true, depth: 9 })],
    [
      'by inspect without its own say',
      () => inspect(secret, { customInspect: false, showHidden: true }),
    ],
    ['by inspect in a map', () => inspect(holder, { depth: 9, showHidden: true })],
    ['by format', () => format('%s %o %O %j %d', secret, secret, secret, secret, secret)],
    ['as JSON', () => JSON.stringify(holder)],
    ['by its members', () => JSON.stringify(Object.getOwnPropertyDescriptors(secret))],
    ['copied', () => inspect(Object.assign({}, secret))],
    ['serialised', () => serialize(structuredClone(secret)).toString('latin1')],
    ['in an error', () => inspect(failure, { depth: 9, showHidden: true })],
    ['in a stack', () => String(failure.stack)],
    [
      'to pino',
      () => logged((logger) => logger.info({ secret, holder }, 'made %s %j', secret, secret)),
    ],
    ['to pino in an error', () => logged((logger) => logger.error({ err: failure }, 'failed'))],
  ];

  test.each(prints)('%s', (_, print) => {
    const printed = print();
    expect(printed).not.toContain('secret-4711'); // the digits alone may be in the time of a log line
    expect(printed).not.toContain(Buffer.from(text).toString('base64').slice(0, 12));
    expect(printed).not.toContain(Buffer.from(text).toString('hex').slice(0, 12));
  });

  test('but a placeholder', () => {
    expect(String(secret)).toBe('[secret]');
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}');
    expect(inspect({ secret })).toBe('{ secret: [secret] }');
  });
});

describe('a secret is refused (D1.2)', () => {
  test.each([
    ['of 15 bytes', 'x'.repeat(15)],
    ['that is empty', ''],
    ['with a space before it', ` ${'x'.repeat(20)}`],
    ['with a newline after it', `${'x'.repeat(20)}\n`],
    ['with a no-break space after it', `${'x'.repeat(20)}\u00a0`],
    ['that is no text', 1234 as unknown as string],
    ['that is missing', undefined as unknown as string],
  ])('%s, without repeating it', (_, given) => {
    const make = () => new Secret(given);
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/x{3}|1234/);
  });

  test('by its bytes, not its characters: eight of two bytes are enough', () => {
    expect(() => new Secret('é'.repeat(8))).not.toThrow();
    expect(() => new Secret('x'.repeat(16))).not.toThrow();
  });
});
