import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { now, send, shown } from './plain-calls';
import { createWallet } from './wallets/plain-wallet.cjs';
import { PLANTS } from './wallets/plants.cjs';

const folder = join(__dirname, 'wallets');

describe('the plain wallet', () => {
  test.each([
    [
      'takes and pays in order (operator-api 4.1, rule 1)',
      'debit! d1 100, credit c1 30 -> 200 999930: d1, c1',
    ],
    [
      'counts a hash once (D3.1)',
      'debit! d1 100 -> 200 999900: d1 | debit! d1 100 -> 200 999900: d1',
    ],
    [
      'refuses a second initial debit (operator-api 4.1, rule 3)',
      'debit! d1 100 -> 200 999900: d1 | debit! d2 100 -> 400 999900: d2 12',
    ],
    [
      'closes a round whose first debit failed (D4.2)',
      'debit! d1 1000001, credit c1 5 -> 400 1000000: d1 9001, c1 9004 | credit c2 5 -> 400 1000000: c2 13',
    ],
    [
      'keeps a round whose follow-up debit failed (D4.4, D4.5)',
      'debit! d1 1 -> 200 999999: d1 | debit d2 1000000 -> 400 999999: d2 9001 | debit d3 1 -> 200 999998: d3 | credit c1 2 -> 200 1000000: c1',
    ],
    [
      'refuses what comes after the end (D4.1)',
      'debit! d1 1, end e1 -> 200 999999: d1, e1 | credit c1 5 -> 400 999999: c1 13 | end e1 -> 200 999999: e1',
    ],
    [
      'voids a round (D5.2)',
      'debit! d1 100, credit c1 30, end e1 -> 200 999930: d1, c1, e1 | VOID d1 100 -> 200 1000000: d1 | void d1 -> 200 1000000: d1 | debit! d1 100 -> 400 1000000: d1 9003',
    ],
    [
      'takes the win of a voided follow-up debit back (D5.3)',
      'debit! d1 1 -> 200 999999: d1 | debit d2 9, credit c2 20, end e2 -> 200 1000010: d2, c2, e2 | void d2 -> 200 999999: d2 | credit c2 20 -> 400 999999: c2 9004 | credit c3 1 -> 200 1000000: c3',
    ],
    [
      'remembers a void that came first (D5.5)',
      'void d1 100 -> 200 1000000: d1 | debit! d1 100 -> 400 1000000: d1 9003 | credit c1 5 -> 400 1000000: c1 9003',
    ],
    [
      'refuses a known hash with other content (D3.2)',
      'debit! d1 100 -> 200 999900: d1 | debit! d1 101 -> 400 999900: d1 37 | credit d1 100 -> 400 999900: d1 37',
    ],
    [
      'knows no round that never started (D4.3)',
      'credit c1 5, end e1 -> 400 1000000: c1 15, e1 15',
    ],
  ])('%s', async (_, script) => {
    const wallet = createWallet({ now: () => now });
    for (const step of script.split(' | ')) {
      const [lines = '', expected] = step.split(' -> ');
      expect(shown(await send(wallet, lines))).toBe(expected);
    }
  });

  test('that lets the debits of a call fall together takes none of them (D4.6)', async () => {
    const wallet = createWallet({ now: () => now, plants: new Set(['debits-fall-together']) });
    const call = 'debit! d1 100, credit c1 30, debit d2 1000001, credit c2 5';
    const expected = '400 1000000: d1 9004, c1 9004, d2 9001, c2 9004';
    for (const lines of [call, call]) expect(shown(await send(wallet, lines))).toBe(expected);
    expect(shown(await send(wallet, 'credit c3 5'))).toBe('400 1000000: c3 13');
  });

  test('that judges a declined debit anew takes none that was voided (operator-api 3, rule 2)', async () => {
    const wallet = createWallet({ now: () => now, plants: new Set(['refusals-forgotten']) });
    const lines = ['debit! d1 100', 'debit d2 1000000', 'void d2', 'credit c1 500'];
    for (const line of lines) await send(wallet, line);
    expect(shown(await send(wallet, 'debit d2 1000000'))).toBe('400 1000400: d2 9001');
  });

  test.each([
    [
      'an amount is signed as it is written (D1.5)',
      (body: string) => body.replace('100', '100.50'),
      200,
      undefined,
    ],
    [
      'a changed count is refused (operator-api 4.1, rule 4)',
      (body: string) => body.replace('Count":1', 'Count":2'),
      400,
      16,
    ],
    [
      'a key that comes twice is refused (D2.1)',
      (body: string) => body.replace('{', '{"playerId":"p1",'),
      400,
      19,
    ],
    [
      'a forbidden key is refused (D2.1)',
      (body: string) => body.replace('{', '{"__proto__":{},'),
      400,
      19,
    ],
    [
      'what is nested deeply is refused',
      (body: string) => body.replace('{', `{"a":${'['.repeat(9000)},`),
      400,
      19,
    ],
    ['half a body is refused', (body: string) => body.slice(0, -2), 400, 19],
    [
      'a large body is refused (D2.1)',
      (body: string) => body.replace('{', `{"a":"${'x'.repeat(300_000)}",`),
      413,
      19,
    ],
  ])('%s', async (_, change, status, id) => {
    const { status: answered, body } = await send(
      createWallet({ now: () => now }),
      'debit! d1 100',
      { change },
    );
    expect([answered, body.errorCode?.id]).toEqual([status, id]);
  });
});

describe('the plants', () => {
  const code = readdirSync(folder)
    .filter((name) => name.startsWith('plain-') && name.endsWith('.cjs'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const planted = [...code.matchAll(/plant\(([^()]*)\)/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/'([a-z\d-]+-[a-z\d-]+|overdraft)'/g)].map(([, name = '']) => name),
  );

  test('each one is known, and switched somewhere in the code', () => {
    expect([...new Set(planted)].toSorted()).toEqual(Object.keys(PLANTS).toSorted());
  });

  test('each one says in one sentence what is wrong, and which rule it breaks', () => {
    const vague = Object.entries(PLANTS).filter(([, { wrong, rule }]) => {
      return !/^\w.*\.$/.test(wrong) || !/^(?:operator-api \d|D\d|public facts)/.test(rule);
    });
    expect(vague).toEqual([]);
  });

  test('an unknown one is a mistake of the caller', () => {
    expect(() => createWallet({ plants: new Set(['no-such-plant']) })).toThrow(TypeError);
  });
});
