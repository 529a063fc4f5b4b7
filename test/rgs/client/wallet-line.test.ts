import { describe, expect, test } from '@jest/globals';

import { Secret } from '../../../lib/protocol/signature';
import { type Clock, createSeededRandom, systemClock } from '../../../lib/platform';
import type { FetchPort } from '../../../lib/protocol/client/ports';
import { writeReply } from '../../../lib/protocol/engine-api/write-reply';
import { parseJson } from '../../../lib/protocol/json/parse';
import { createWalletLine, type WalletLineOptions } from '../../../lib/rgs/client/wallet-line';
import type { LineFinding } from '../../../lib/rgs/client/finding';
import type { Due, Owner } from '../../../lib/rgs/rounds/round';
import { VirtualClock } from '../../support/virtual-clock';
import { type Answer, never, NotedFetch, reset, secret, signatureOver } from './noted-fetch';

const owner: Owner = {
  gameProviderId: 'studio-1',
  operatorId: 'acme',
  playerId: 'ann',
  gameCode: 'bells',
  mode: 'REAL',
  currency: 'EUR',
  currencyMultiplier: '1',
};
const at = Date.UTC(2026, 2, 1, 12, 0, 0, 7);
const debit: Due = {
  type: 'debit',
  hash: 'round-1',
  at,
  reason: 'bet',
  isFirstDebit: true,
  amount: 100n,
  currency: 'EUR',
  discount: null,
  serial: null,
};
const credit: Due = {
  type: 'credit',
  hash: 'c1',
  at,
  reason: 'win',
  amount: 250n,
  currency: 'EUR',
};
const end: Due = { type: 'end', hash: 'e1', at, reason: 'end' };
const undo: Due = {
  type: 'void',
  hash: 'round-1',
  at,
  reason: 'void',
  amount: 100n,
  currency: 'EUR',
};
const good =
  '{"balances":[{"type":"real","amount":9900,"currency":"EUR"}],"hashesProcessed":[{"hash":"round-1"}]}';

function lineOver(answers: readonly Answer[], options: Partial<WalletLineOptions> = {}) {
  const noted = new NotedFetch(answers);
  const findings: LineFinding[] = [];
  const line = createWalletLine({
    wallets: [
      { authId: 'acme', baseUrl: 'https://wallet.example/operator', secret: new Secret(secret) },
    ],
    fetch: noted.fetch,
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  const send = (...transactions: Due[]) =>
    line.doTransactions({ owner, gameRound: 'round-1', transactions });
  return { line, sent: noted.sent, findings, send };
}

/** What was sent as the only request. */
function onlySent(sent: readonly { readonly init: { readonly body?: string } }[]): unknown {
  expect(sent).toHaveLength(1);
  return JSON.parse(sent[0]?.init.body ?? '');
}

const hashes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** How each void was spelled, every one sent twice. */
const spelled = async (): Promise<(string | undefined)[]> => {
  const random = createSeededRandom(7);
  const { sent, send } = lineOver([[503, '']], { voidSpelling: 'mixed', random });
  for (const hash of [...hashes, ...hashes]) await send({ ...undo, hash });
  return sent.map(({ init }) => /"type":"(\w+)"/.exec(init.body ?? '')?.[1]);
};

describe('what doTransactions sends', () => {
  test('a call names player, game and round, and counts its transactions (operator-api 4.1, W9)', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send(debit, credit, end);
    expect(sent[0]?.url).toBe('https://wallet.example/operator/doTransactions');
    expect(sent[0]?.init.method).toBe('POST');
    expect(sent[0]?.init.headers['Content-Type']).toBe('application/json');
    expect(onlySent(sent)).toEqual({
      playerId: 'ann',
      gameCode: 'bells',
      gameRound: 'round-1',
      transactionCount: 3,
      transactions: [
        {
          type: 'debit',
          isFirstDebit: true,
          currency: 'EUR',
          hash: 'round-1',
          amount: 100,
          timestamp: '2026-03-01T12:00:00.007Z',
          reason: 'bet',
        },
        {
          type: 'credit',
          currency: 'EUR',
          hash: 'c1',
          amount: 250,
          timestamp: '2026-03-01T12:00:00.007Z',
          reason: 'win',
        },
        { type: 'end', hash: 'e1', timestamp: '2026-03-01T12:00:00.007Z' },
      ],
    });
  });

  test('an amount is written digit by digit, up to 2^53-1 (E4.1)', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send({ ...credit, amount: 2n ** 53n - 1n });
    expect(sent[0]?.init.body).toContain('"amount":9007199254740991,');
  });

  test('a discounted debit has its full amount, the discount and the campaign (E17.3)', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send({ ...debit, discount: { amount: 10n, campaignId: 'spring' } });
    expect(onlySent(sent)).toMatchObject({
      transactions: [{ amount: 100, discountAmount: 10, campaignId: 'spring' }],
    });
  });

  test('a free play is a debit of 0 with freePlayUsed and its serial (E18.2)', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send({ ...debit, amount: 0n, serial: 'pack-1' });
    expect(onlySent(sent)).toMatchObject({
      transactions: [{ amount: 0, freePlayUsed: true, serial: 'pack-1', isFirstDebit: true }],
    });
  });

  test('a void carries hash, amount and currency of its debit (W6)', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send(undo);
    expect(onlySent(sent)).toMatchObject({
      transactions: [{ type: 'void', hash: 'round-1', amount: 100, currency: 'EUR' }],
    });
  });

  test.each([
    ['lower', 'void'],
    ['upper', 'VOID'],
  ] as const)('voidSpelling %s spells every void %s (W6)', async (voidSpelling, type) => {
    const { sent, send } = lineOver([[200, good]], { voidSpelling });
    for (const hash of ['a', 'b', 'c', 'd', 'e', 'f']) await send({ ...undo, hash });
    for (const { init } of sent) expect(init.body).toContain(`"type":"${type}"`);
  });

  test('voidSpelling mixed has both, the same for a void at each attempt and for the same seed (W6)', async () => {
    const first = await spelled();
    expect(new Set(first)).toEqual(new Set(['void', 'VOID']));
    expect(first.slice(8)).toEqual(first.slice(0, 8));
    expect(await spelled()).toEqual(first);
  });

  test('the signature covers player, game, round, and each hash with its amount unless it is 0 (operator-api 4.1)', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send({ ...debit, amount: 0n, serial: 'pack-1' }, credit, end);
    const [request] = sent;
    if (request === undefined) throw new Error('nothing was sent');
    expect(request.init.headers['X-H-AUTH-ID']).toBe('acme');
    expect(request.init.headers['X-H-AUTH-SIG']).toBe(
      signatureOver('acme', request, ['ann', 'bells', 'round-1', 'round-1', 'c1', '250', 'e1']),
    );
  });

  test('an attempt more has the same bytes and a new signature, also in the same millisecond (W1)', async () => {
    const clock: Clock = { ...systemClock, now: () => at };
    const { sent, send } = lineOver([[503, '']], { clock });
    for (let attempt = 0; attempt < 3; attempt++) await send(credit);
    expect(new Set(sent.map(({ init }) => init.body)).size).toBe(1);
    expect(new Set(sent.map(({ init }) => init.headers['X-H-AUTH-SIG'])).size).toBe(3);
    expect(new Set(sent.map(({ init }) => init.headers['X-H-TIMESTAMP'])).size).toBe(3);
  });

  test('the secret is in nothing that is sent', async () => {
    const { sent, send } = lineOver([[200, good]]);
    await send(debit);
    expect(JSON.stringify(sent)).not.toContain(secret);
  });
});

const breakOff = async function* () {
  yield Buffer.from(good.slice(0, 40));
  await reset();
};

const stall = async function* () {
  yield Buffer.from(good.slice(0, 40));
  await never();
};

describe('what an answer to doTransactions is read as (W1)', () => {
  const silent = { kind: 'reply', body: null };
  const listed = { hashesProcessed: [{ hash: 'round-1', error: null }] };
  const rows: [string, Answer, object][] = [
    ['200 with the hash', [200, good], { kind: 'reply', status: 200, body: listed }],
    ['200 without JSON is silence', [200, '<html>'], { ...silent, status: 200 }],
    ['200 with a list is silence', [200, '[]'], { ...silent, status: 200 }],
    ['200 with nothing is silence', [200, ''], { ...silent, status: 200 }],
    ['200 with a key twice is silence', [200, '{"a":1,"a":2}'], { ...silent, status: 200 }],
    ['200 with __proto__ is silence', [200, '{"__proto__":{}}'], { ...silent, status: 200 }],
    ['a redirect is silence', [302, good], { kind: 'reply', status: 302 }],
    ['503', [503, ''], { ...silent, status: 503 }],
    [
      '400 with an error',
      [400, '{"errorCode":{"id":9001,"msg":"m","clientmsg":"Too low."}}'],
      { status: 400, body: { error: { id: 9001, msg: 'm', clientmsg: 'Too low.' } } },
    ],
    ['400 without JSON', [400, 'no'], { kind: 'reply', status: 400, body: null }],
    ['a connection that fails is cut', reset, { kind: 'cut' }],
    [
      'more than 256 KiB cannot be read',
      [400, `{"a":"${'x'.repeat(256 * 1024)}"}`],
      { kind: 'cut' },
    ],
  ];
  test.each(rows)('%s', async (_, answer, expected) => {
    const { send } = lineOver([answer]);
    expect((await send(debit)).answer).toMatchObject(expected);
  });

  test('a reply of exactly 256 KiB is read', async () => {
    const text = `{"a":"${'x'.repeat(256 * 1024 - 8)}"}`;
    expect(Buffer.byteLength(text)).toBe(256 * 1024);
    const { send } = lineOver([[200, text]]);
    expect((await send(debit)).answer).toMatchObject({ body: { hashesProcessed: [] } });
  });

  test('a reply that breaks off is cut, no matter how much arrived', async () => {
    const { send } = lineOver([], { fetch: async () => ({ status: 400, body: breakOff() }) });
    expect(await send(debit)).toEqual({ answer: { kind: 'cut' }, balance: null });
  });

  test.each([
    [undefined, 5000],
    [120, 120],
  ])(
    'with walletTimeoutMs %j no answer within %i ms of real time is a time-out',
    async (walletTimeoutMs, ms) => {
      const clock = new VirtualClock(at);
      const limit = walletTimeoutMs === undefined ? {} : { walletTimeoutMs };
      const { send } = lineOver([never], { clock, ...limit });
      const answered = clock.run(send(debit));
      expect(await answered).toEqual({ answer: { kind: 'timeOut' }, balance: null });
      expect(clock.monotonicMs()).toBe(ms);
      expect(clock.waiting).toBe(0);
    },
  );

  test('a reply whose last byte is late is a time-out', async () => {
    const clock = new VirtualClock(at);
    const { send } = lineOver([], { clock, fetch: async () => ({ status: 200, body: stall() }) });
    expect((await clock.run(send(debit))).answer).toEqual({ kind: 'timeOut' });
  });
});

const entry = (amount: string, more = '"currency":"EUR"') =>
  `{"type":"real","amount":${amount},${more}}`;

const withBalances = (balances: string, more = '') => `{"balances":[${balances}]${more}}`;

describe('the balance that comes with a reply (E17.2)', () => {
  const known: [string, string, bigint, readonly bigint[]][] = [
    ['one entry', withBalances(entry('9900')), 9900n, [9900n]],
    ['real and bonus', withBalances(`${entry('9900')},${entry('50')}`), 9950n, [9900n, 50n]],
    [
      'another currency does not count',
      withBalances(`${entry('1')},${entry('5', '"currency":"SEK"')}`),
      1n,
      [1n, 5n],
    ],
    [
      'a currency that is absent is the session’s',
      withBalances('{"type":"real","amount":7}'),
      7n,
      [7n],
    ],
    ['below zero after a reversal', withBalances(entry('-100')), -100n, [-100n]],
    ['whole in another spelling', withBalances(entry('1e2')), 100n, [100n]],
    ['decimals that are zero', withBalances(entry('12.00')), 12n, [12n]],
    [
      'up to 2^53-1',
      withBalances(entry('9007199254740991')),
      9007199254740991n,
      [9007199254740991n],
    ],
  ];
  test.each(known)('%s', async (_, text, totalBalance, amounts) => {
    const { send, findings } = lineOver([[200, text]]);
    const { balance } = await send(debit);
    expect(balance).toMatchObject({ totalBalance, mode: 'REAL', currency: 'EUR' });
    expect(balance?.balances.map(({ amount }) => amount)).toEqual(amounts);
    expect(findings).toEqual([]);
  });

  test.each([
    ['no balances', '{}'],
    ['an empty list', '{"balances":[]}'],
    ['half a minor unit: nothing is rounded', withBalances(entry('10.5'))],
    [
      'a sum above 2^53-1, which no client could read',
      withBalances(`${entry('9007199254740991')},${entry('1')}`),
    ],
    ['an amount that is a text', withBalances(entry('"10"'))],
    ['above 2^53-1', withBalances(entry('9007199254740992'))],
    ['an entry without a type', withBalances('{"amount":1,"currency":"EUR"}')],
    ['an entry that is null', withBalances('null')],
    ['an object in place of the list', '{"balances":{}}'],
    ['another currency alone', withBalances(entry('5', '"currency":"SEK"'))],
  ])(
    '%s: no balance is known, which is a finding, and the transactions count (E17.1)',
    async (_, text) => {
      const { send, findings } = lineOver([[200, text]]);
      expect(await send(debit)).toMatchObject({ answer: { status: 200 }, balance: null });
      expect(findings).toMatchObject([
        { id: 'balanceUnreadable', call: 'doTransactions', round: 'round-1' },
      ]);
    },
  );

  test('a balance in another currency is named as such, and is not 0 in the own one (E17.2)', async () => {
    const { line, findings } = lineOver([[200, withBalances(entry('5', '"currency":"SEK"'))]]);
    const answer = await line.getBalance({ owner, externalSessionId: null });
    expect(answer).toEqual({ kind: 'silent' });
    expect(findings).toMatchObject([
      { text: 'No balance is known: "balances" has none in EUR, but in SEK.' },
    ]);
  });

  test('discountInfo, tickets and ticketInfo pass through as they were written', async () => {
    const more =
      ',"discountInfo":{"text":"x","discounts":[{"stake":10.50}]},"tickets":[{"count":3}],"ticketInfo":{"used":1e0}';
    const { send } = lineOver([[200, withBalances(entry('1'), more)]]);
    expect((await send(debit)).balance).toMatchObject({
      discountInfo: '{"text":"x","discounts":[{"stake":10.50}]}',
      tickets: '[{"count":3}]',
      ticketInfo: '{"used":1e0}',
    });
  });

  test('those that would make a reply to the game unreadable are absent: it would hide the outcome', async () => {
    const more = `,"discountInfo":${deep(15)},"tickets":[{"count":3},null],"ticketInfo":${deep(14)}`;
    const { send } = lineOver([[200, withBalances(entry('1'), more)]]);
    const { balance } = await send(debit);
    expect(balance).toMatchObject({ discountInfo: null, tickets: null, ticketInfo: deep(14) });
    expect(balance).not.toBeNull();
    if (balance === null) return;
    const inReply = `{"reply":${writeReply('getBalance', balance)}}`;
    expect(() => parseJson(inReply)).not.toThrow();
  });

  test('those of another form are absent', async () => {
    const more = ',"discountInfo":null,"tickets":{},"ticketInfo":"x"';
    const { send } = lineOver([[200, withBalances(entry('1'), more)]]);
    expect((await send(debit)).balance).toMatchObject({
      discountInfo: null,
      tickets: null,
      ticketInfo: null,
    });
  });

  test('a refusal may carry balances too', async () => {
    const { send } = lineOver([[400, withBalances(entry('5'), ',"errorCode":{"id":9001}')]]);
    expect((await send(debit)).balance?.totalBalance).toBe(5n);
  });
});

describe('getBalance', () => {
  const ask = { owner, externalSessionId: 'session 1' };

  test('player, currency and gameCode are signed, externalSessionId is not (W11, operator-api 4.2)', async () => {
    const { line, sent } = lineOver([[200, good]]);
    await line.getBalance(ask);
    const [request] = sent;
    if (request === undefined) throw new Error('nothing was sent');
    expect(request.url).toBe(
      'https://wallet.example/operator/getBalance?playerId=ann&currency=EUR&gameCode=bells&externalSessionId=session%201',
    );
    expect(request.init.method).toBe('GET');
    expect(request.init.body).toBeUndefined();
    const expected = signatureOver('acme', request, ['ann', 'EUR', 'bells']);
    expect(request.init.headers['X-H-AUTH-SIG']).toBe(expected);
  });

  test('without a session of the launch no externalSessionId is sent (W11)', async () => {
    const { line, sent } = lineOver([[200, good]]);
    await line.getBalance({ owner, externalSessionId: null });
    expect(sent[0]?.url).not.toContain('externalSessionId');
  });

  test.each<[string, Answer, object]>([
    ['200', [200, good], { kind: 'known', balance: { totalBalance: 9900n } }],
    [
      '400 is the operator’s error',
      [400, '{"errorCode":{"id":1,"clientmsg":"Who?"}}'],
      { kind: 'refused', error: { id: 1, clientmsg: 'Who?' } },
    ],
    ['404 without JSON', [404, 'no'], { kind: 'refused', error: { id: null, clientmsg: null } }],
    [
      'an errorCode under 200 is a refusal too',
      [200, '{"errorCode":{"id":1,"clientmsg":null}}'],
      { kind: 'refused', error: { id: 1, clientmsg: null } },
    ],
    ['200 without balances', [200, '{}'], { kind: 'silent' }],
    ['200 without JSON', [200, '<html>'], { kind: 'silent' }],
    ['503', [503, '{"errorCode":{"id":1}}'], { kind: 'silent' }],
    ['a redirect', [301, ''], { kind: 'silent' }],
    ['a connection that fails', reset, { kind: 'silent' }],
  ])('%s (E5.2)', async (_, answer, expected) => {
    const { line, sent } = lineOver([answer]);
    expect(await line.getBalance(ask)).toMatchObject(expected);
    expect(sent).toHaveLength(1);
  });
});

const onFinding = () => {
  throw new Error('the listener broke');
};

describe('findings', () => {
  test.each([
    ['a fraction', '{"type":"real","amount":1000.1}', '"amount": 1000.1 is not whole minor units.'],
    [
      'a long number, shortened',
      `{"type":"real","amount":1.${'3'.repeat(60)}}`,
      `"amount": 1.${'3'.repeat(22)}... is not whole minor units.`,
    ],
    [
      'a text, which is not repeated',
      '{"type":"real","amount":"hush"}',
      '"amount" is not a JSON number.',
    ],
    ['no amount', '{"type":"real"}', '"amount" is missing.'],
    ['no type', '{"amount":1}', 'an entry of "balances" has no "type" that is a text.'],
  ])('an unreadable balance says what was read: %s (operator-api 2.2)', async (_, text, why) => {
    const { line, send, findings } = lineOver([[200, `{"balances":[${text}]}`]]);
    await send(debit);
    await line.getBalance({ owner, externalSessionId: null });
    const about = { id: 'balanceUnreadable', text: `No balance is known: ${why}` };
    expect(findings).toMatchObject([
      { ...about, call: 'doTransactions' },
      { ...about, call: 'getBalance' },
    ]);
  });

  test.each([
    [200, 'text/html; charset=utf-8', '<html>', '200, text/html, no JSON object; check the path'],
    [404, 'text/plain', 'no', '404, text/plain, no JSON object; check the path'],
    [
      404,
      'application/json',
      '{"message":"x"}',
      '404, application/json, without a balance or an err',
    ],
    [301, '', '', '301, no content type, no JSON object; check the path'],
    [500, 'text/html', 'oops', '500, text/html, no JSON object; its log has the reason.'],
    [500, `${secret}\u001b[2J`, '', '500, no content type, no JSON object; its log'],
  ])(
    'getBalance answered %s with %s is a finding that names both (operator-api 4)',
    async (status, type, body, why) => {
      const fetch: FetchPort = async () => ({
        status,
        headers: { get: (name) => (name === 'content-type' ? type : null) },
        body: new Blob([body]).stream(),
      });
      const { line, findings } = lineOver([], { fetch });
      await line.getBalance({ owner, externalSessionId: null });
      expect(findings).toMatchObject([{ id: 'walletUnreadable', call: 'getBalance' }]);
      expect(findings[0]?.text).toContain(why);
      expect(JSON.stringify(findings)).not.toContain(secret);
    },
  );

  test.each<[number, string]>([
    [429, ''],
    [503, ''],
    [400, '{"errorCode":{"id":1}}'],
    [200, good],
  ])('getBalance answered %s gives no balance', async (status, text) => {
    const { line, findings } = lineOver([[status, text]]);
    await line.getBalance({ owner, externalSessionId: null });
    expect(findings).toEqual([]);
  });

  test('doTransactions answered with a page is one; a 5xx there is silence by its status (W2)', async () => {
    const page = lineOver([[200, '<html>']]);
    await page.send(debit);
    expect(page.findings).toMatchObject([{ id: 'walletUnreadable', round: 'round-1' }]);
    const failed = lineOver([[500, '<html>']]);
    await failed.send(debit);
    expect(failed.findings).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['401', [401, '']],
    ['1001', [400, '{"errorCode":{"id":1001}}']],
  ])('a wallet that answers %s refuses our signature', async (_, answer) => {
    const { send, findings } = lineOver([answer]);
    await send(debit);
    expect(findings).toMatchObject([{ id: 'walletRefusesSignature', round: 'round-1' }]);
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  test('for an operator that is not configured nothing is sent, and nothing is known: not a refusal', async () => {
    const { line, sent, findings } = lineOver([[200, good]]);
    const other = { ...owner, operatorId: 'other' };
    const call = { owner: other, gameRound: 'round-1', transactions: [debit] };
    expect(await line.doTransactions(call)).toEqual({ answer: { kind: 'cut' }, balance: null });
    const asked = await line.getBalance({ owner: other, externalSessionId: null });
    expect(asked).toEqual({ kind: 'silent' });
    expect(sent).toEqual([]);
    expect(findings.map(({ id }) => id)).toEqual(['cannotBeSent', 'cannotBeSent']);
  });

  test('a listener that throws fails no call', async () => {
    const { send } = lineOver([[401, '']], { onFinding });
    expect((await send(debit)).answer).toMatchObject({ status: 401 });
  });
});

/** Objects in objects. */
function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
