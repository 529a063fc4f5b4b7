import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { createWallet, OPERATORS, type PlainWallet } from './wallets/plain-wallet.cjs';
import { PLANTS } from './wallets/plants.cjs';

const folder = join(__dirname, 'wallets');
const now = Date.parse('2026-03-01T12:00:00.000Z');
const secret = OPERATORS[0]?.secrets[0] ?? '';

interface Reply {
  readonly status: number;
  readonly body: {
    readonly errorCode?: { readonly id: number };
    readonly balances?: readonly { readonly type: string; readonly amount: number }[];
    readonly hashesProcessed?: readonly {
      readonly hash: string;
      readonly errorCode?: { readonly id: number };
    }[];
  };
}

/** A transaction as `debit! d1 100` (the first), `debit d2 50`, `credit c1 20`, `end e1`, `void d1`. */
function transactionOf(line: string): Record<string, unknown> {
  const [type = '', hash, amount] = line.split(' ');
  const flag = type.startsWith('debit') ? { isFirstDebit: type.endsWith('!') } : {};
  const money = amount === undefined ? {} : { amount: Number(amount), currency: 'EUR' };
  return { type: type.replace('!', ''), hash, ...flag, ...money };
}

let calls = 0;

/** Sends a call as the service does; the text of the body may be changed after it was written. */
async function send(wallet: PlainWallet, lines: string, change = (body: string) => body) {
  calls += 1;
  const transactions = lines.split(', ').map(transactionOf);
  const call = { playerId: 'p1', gameCode: 'game-bells', gameRound: 'r1' };
  const text = JSON.stringify({ ...call, transactions, transactionCount: transactions.length });
  const body = change(text);
  const amounts = [
    ...body.matchAll(/"hash":"([^"]*)"(?:,"isFirstDebit":\w+)?(?:,"amount":([\d.]+))?/g),
  ];
  const signed = amounts.flatMap(([, hash = '', amount]) => (amount ? [hash, amount] : [hash]));
  const timestamp = new Date(now + calls).toISOString();
  const fields = [secret, 'operator-1', timestamp, ...Object.values(call), ...signed].join('#');
  const signature = createHmac('sha256', secret).update(fields).digest('base64');
  const headers = { 'X-H-AUTH-ID': 'operator-1', 'X-H-AUTH-SIG': signature };
  const rawHeaders = Object.entries({
    ...headers,
    'X-H-TIMESTAMP': timestamp,
    'content-type': 'application/json',
  }).flat();
  const request = { method: 'POST', url: '/doTransactions', rawHeaders, body: Buffer.from(body) };
  const reply = await wallet.answer(request);
  return { status: reply.status, body: JSON.parse(reply.text) as Reply['body'] };
}

/** `200 999900: d1, c1 9004`: status, real balance, and what was decided of each hash. */
function shown({ status, body }: Reply): string {
  const hashes = (body.hashesProcessed ?? []).map(({ hash, errorCode }) => {
    return errorCode === undefined ? hash : `${hash} ${errorCode.id}`;
  });
  return `${status} ${body.balances?.[0]?.amount}: ${hashes.join(', ')}`;
}

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
      change,
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
