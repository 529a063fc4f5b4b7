import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventsTo } from '../../../lib/operator/events';
import { opensRound, RoundShedding } from '../../../lib/operator/http/shed-rounds';
import { turnLimitsOf } from '../../../lib/operator/http/turn-budget';
import { createMetrics } from '../../../lib/operator/telemetry';
import { createRequestSigner } from '../../../lib/proof';
import { readCredentials } from '../../../lib/protocol/authentication/credentials';
import { createErrorRenderer } from '../../../lib/protocol/operator-api/catalogue';
import { silentLogger, systemRandom } from '../../../lib/platform';
import { createLocalExchange } from '../../../lib/platform/http/local-exchange';
import { nextTurn } from '../../../lib/platform/turn';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { callsAtOnce } from '../../../lib/operator/http/turn-slices';
import { FaultyStore } from '../../proof/faults/store';
import { LeapingClock } from '../../platform/leaping-clock';
import { TestLoop } from '../../platform/test-loop';
import { VirtualClock } from '../../support/virtual-clock';
import { linesOf } from '../telemetry/sample-of';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  end,
  euros,
  headersFor,
  operatorId,
  playerId,
  type Rig,
  secret,
  signedRest,
  voidOfDebit,
} from './rig';

let loop: TestLoop;
let rig: Rig;

type Options = Parameters<typeof createRig>[0];

async function start(options: Options = {}): Promise<void> {
  loop = new TestLoop();
  // Each call takes 6 ms: more than the share of an operator.
  loop.costMs = 6;
  rig = await createRig({
    clock: Object.assign(new LeapingClock(), { loop }),
    shed: 'void',
    turnBudgetMs: 10,
    turnSpikeMs: 100,
    ...options,
  });
}

beforeEach(() => start());
afterEach(() => rig.close());

/** From here on the turn is used up, and the operator has used its share of it. */
async function overload(): Promise<void> {
  loop.sleep(1);
  expect((await rig.call([debit(1, { hash: 'first' })], { gameRound: 'first' })).status).toBe(200);
  loop.work(101);
}

/** Overload is over. */
function rest(): void {
  loop.sleep(50);
}

const shedBody = { hashesProcessed: [], errorCode: expect.objectContaining({ id: 9007 }) };

describe('while the turn is used up', () => {
  test('a call that opens a round is answered 503, and nothing is done (P12)', async () => {
    await overload();
    const before = await rig.balance();
    const answer = await rig.call([debit()]);
    expect([answer.status, answer.body]).toEqual([503, shedBody]);
    rest();
    expect(await rig.balance()).toBe(before);
    expect((await rig.call([voidOfDebit])).status).toBe(200);
  });

  test('with `refuse` it is answered 400 (P12)', async () => {
    await rig.close();
    await start({ shed: 'refuse' });
    await overload();
    const answer = await rig.call([debit()]);
    expect([answer.status, answer.body]).toEqual([400, shedBody]);
  });

  const quoted = { original: debit() };
  test.each<[string, readonly object[], number]>([
    ['a first debit, a credit and an end', [debit(), credit(), end], 503],
    ['a first debit in other spellings', [debit(10, { type: 'DEBIT', isFirstDebit: 'true' })], 503],
    ['two debits', [debit(), debit(1, { hash: 'd2', isFirstDebit: false })], 503],
    ['a follow-up debit', [debit(1, { hash: 'd2', isFirstDebit: false })], 400],
    [
      'a debit that does not say whether it is the first',
      [{ ...debit(), isFirstDebit: null }],
      200,
    ],
    ['a credit', [credit()], 400],
    ['a credit that quotes a first debit', [credit(1, quoted)], 400],
    ['an end', [end], 400],
    ['a void', [voidOfDebit], 200],
    ['a void that says what its debit was', [{ ...voidOfDebit, isFirstDebit: true }], 200],
    ['a void that quotes its debit', [{ ...voidOfDebit, ...quoted }], 200],
    ['a first debit and a void', [debit(), { type: 'void', hash: 'other' }], 200],
  ])('%s', async (_, transactions, status) => {
    await overload();
    expect((await rig.call(transactions)).status).toBe(status);
  });

  test('a running round is finished', async () => {
    expect((await rig.call([debit()])).status).toBe(200);
    await overload();
    const more = debit(1, { hash: 'd2', isFirstDebit: false });
    for (const call of [[more], [credit()], [end]]) {
      expect((await rig.call(call)).status).toBe(200);
    }
  });

  test('a name with escapes is not found, and takes the full way', async () => {
    await overload();
    const signed = rig.signer.doTransactions(bodyOf([debit()]));
    const body = (signed.body ?? '').replace('"isFirstDebit"', '"isFirst\\u0044ebit"');
    expect((await rig.send({ ...signed, body })).status).toBe(200);
  });

  test('getBalance is answered', async () => {
    await overload();
    const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
    expect(answer.status).toBe(200);
  });

  test.each<[string, Record<string, string | undefined>, number]>([
    ['a wrong signature: it is not looked at', { 'X-H-AUTH-SIG': 'A'.repeat(43) + '=' }, 503],
    ['a signature that can be none', { 'X-H-AUTH-SIG': 'AAAA' }, 401],
    ['an unknown id', { 'X-H-AUTH-ID': 'nobody' }, 401],
    ['no timestamp', { 'X-H-TIMESTAMP': undefined }, 401],
    ['an old timestamp', { 'X-H-TIMESTAMP': '2020-01-01T00:00:00Z' }, 401],
    ['another content type', { 'Content-Type': 'text/plain' }, 415],
  ])('a first debit with %s (D1.7)', async (_, headers, status) => {
    await overload();
    const answer = await rig.send(rig.signer.doTransactions(bodyOf([debit()])), headers);
    expect(answer.status).toBe(status);
  });

  test('a first debit that is larger than allowed is answered 413 (D1.7)', async () => {
    await overload();
    const body = bodyOf([debit(10, { reason: 'x'.repeat(300_000) })]);
    expect((await rig.send(rig.signer.doTransactions(body))).status).toBe(413);
  });
});

test.each(['turn', 'sleep'])('after a %s first debits are let in again', async (what) => {
  await overload();
  expect((await rig.call([debit()])).status).toBe(503);
  if (what === 'turn') loop.endTurn();
  else rest();
  expect((await rig.call([debit()])).status).toBe(200);
});

test('without a clock that measures the loop nothing is shed', async () => {
  await rig.close();
  await start({ clock: new LeapingClock() });
  await overload();
  expect((await rig.call([debit()])).status).toBe(200);
});

test.each<[string, Options, number[]]>([
  ['with `shed`', { shed: 'void' }, [1, 2, 2.5]],
  ['without it', {}, [2.5, 2.5, 2.5]],
])('calls that arrive together begin in several turns of the loop %s (P12)', async (...row) => {
  const [, options, expected] = row;
  const store = new FaultyStore(createMemoryStore());
  store.fail('commit', 'hang');
  const operators = [{ operatorId, secrets: [secret] }];
  // Its calls take no time: fewer of them begin at once if they are long.
  const clock = Object.assign(new LeapingClock(), { loop: new TestLoop() });
  const handler = createOperatorHandler({ operators, ...options, clock, store });
  const exchange = createLocalExchange(handler.handle);
  const calls = Array.from({ length: 2.5 * callsAtOnce }, (_, at) => {
    const signed = rig.signer.doTransactions(bodyOf([debit(1)], { gameRound: `round-${at}` }));
    const rawHeaders = Object.entries(signed.headers).flat();
    const body = Buffer.from(signed.body ?? '');
    return exchange({ method: 'POST', target: signed.path, rawHeaders, body });
  });
  const begun: number[] = [];
  while (begun.length < expected.length) {
    await nextTurn();
    begun.push(store.hanging / callsAtOnce);
  }
  store.heal();
  await Promise.all(calls);
  await handler.close();
  expect(begun).toEqual(expected);
});

test('while the store answers all calls late, new rounds are shed and the rest is processed (P12)', async () => {
  const store = new FaultyStore(rig.store);
  const clock = Object.assign(new LeapingClock(), { loop: new TestLoop() });
  const operators = [{ operatorId, secrets: [secret] }];
  const limits = { shed: 'void', turnBudgetMs: 10, turnSpikeMs: 100 } as const;
  const handler = createOperatorHandler({ operators, ...limits, clock, store });
  const exchange = createLocalExchange(handler.handle);
  const send = async (gameRound: string, transactions = [debit(1, { hash: gameRound })]) => {
    const signed = rig.signer.doTransactions(bodyOf(transactions, { gameRound }));
    const rawHeaders = Object.entries(signed.headers).flat();
    const body = Buffer.from(signed.body ?? '');
    return (await exchange({ method: 'POST', target: signed.path, rawHeaders, body })).status;
  };
  expect(await send('running')).toBe(200);
  store.onHang = clock.leapSoon;
  store.fail('commit', 'hang');
  // Each ends at its deadline; the first of them are looked at together with the one before.
  for (let at = 0; at < 31; at++) expect(await send(`late-${at}`)).toBe(503);
  const hangs = new Promise<void>((resolve) => {
    store.onHang = resolve;
  });
  const waiting = send('waiting');
  await hangs;
  expect(await send('shed')).toBe(503);
  store.heal();
  expect(await send('running', [credit(1, { hash: 'win' })])).toBe(200);
  await waiting;
  expect(await send('later')).toBe(200);
  await handler.close();
});

test('calls that wait for each other are not answered late by a store that is fast (P12)', async () => {
  const store = new FaultyStore(rig.store);
  const clock = Object.assign(new VirtualClock(), { loop: new TestLoop() });
  const operators = [{ operatorId, secrets: [secret] }];
  const limits = { shed: 'void', turnBudgetMs: 10, turnSpikeMs: 100 } as const;
  const handler = createOperatorHandler({ operators, ...limits, clock, store });
  const exchange = createLocalExchange(handler.handle);
  const signer = createRequestSigner({ operatorId, secret, now: () => clock.now() });
  const send = async (gameRound: string) => {
    const signed = signer.doTransactions(
      bodyOf([debit(1, { hash: gameRound, timestamp: new Date(clock.now()).toISOString() })], {
        gameRound,
      }),
    );
    const rawHeaders = Object.entries(signed.headers).flat();
    const body = Buffer.from(signed.body ?? '');
    return (await exchange({ method: 'POST', target: signed.path, rawHeaders, body })).status;
  };
  // One is at the store all the time.
  store.fail('commit', 'hang', 'before', 1);
  const waiting = send('waiting');
  const calls = Array.from({ length: 4 * callsAtOnce }, (_, at) => send(`together-${at}`));
  for (let turn = 0; turn < 6; turn++) {
    await nextTurn();
    await clock.pass(200);
  }
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  expect(await send('next')).toBe(200);
  store.heal();
  await Promise.all([waiting, clock.pass(60_000)]);
  await handler.close();
});

test('a round whose caller goes while it waits is not opened; all else is processed (P12)', async () => {
  const clock = Object.assign(new LeapingClock(), { loop: new TestLoop() });
  const operators = [{ operatorId, secrets: [secret] }];
  const handler = createOperatorHandler({ operators, shed: 'refuse', clock, store: rig.store });
  const exchange = createLocalExchange(handler.handle);
  const send = (gameRound: string, transactions: object[], signal?: AbortSignal) => {
    const signed = rig.signer.doTransactions(bodyOf(transactions, { gameRound }));
    const rawHeaders = Object.entries(signed.headers).flat();
    const body = Buffer.from(signed.body ?? '');
    return exchange({ method: 'POST', target: signed.path, rawHeaders, body }, signal);
  };
  const open = (gameRound: string, signal?: AbortSignal) =>
    send(gameRound, [debit(1, { hash: gameRound })], signal);
  expect((await open('running')).status).toBe(200);
  await nextTurn();
  const heard = Array.from({ length: 2 * callsAtOnce }, (_, at) => open(`heard-${at}`));
  const gone = new AbortController();
  const unheard = Promise.allSettled([
    ...Array.from({ length: 4 }, (_, at) => open(`unheard-${at}`, gone.signal)),
    send('running', [debit(10, { hash: 'more', isFirstDebit: false })], gone.signal),
    send('running', [{ ...credit(), hash: 'win' }], gone.signal),
  ]);
  const after = Array.from({ length: 4 }, (_, at) => open(`after-${at}`));
  gone.abort();
  const statuses = (await Promise.all([...heard, ...after])).map(({ status }) => status);
  expect([statuses.length, new Set(statuses)]).toEqual([2 * callsAtOnce + 4, new Set([200])]);
  expect(new Set((await unheard).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await handler.close();
  expect(await rig.balance()).toBe(euros(100 - 1 - 2 * callsAtOnce - 4 - 10 + 20));
});

describe('copies of one call', () => {
  test('a copy of a shed call is shed too, though overload is over (P12)', async () => {
    await overload();
    const request = rig.signer.doTransactions(bodyOf([debit()]));
    expect((await rig.send(request)).status).toBe(503);
    rest();
    const before = await rig.balance();
    expect((await rig.send(request)).status).toBe(503);
    expect(await rig.balance()).toBe(before);
    expect((await rig.call([debit()])).status).toBe(200);
  });

  test('a copy of a call that was let in is not shed (P12)', async () => {
    await rig.close();
    await start({ shed: 'refuse' });
    const request = rig.signer.doTransactions(bodyOf([debit()]));
    expect((await rig.send(request)).status).toBe(200);
    await overload();
    expect((await rig.send(request)).status).toBe(200);
    expect(await rig.balance()).toBe(euros(100 - 10 - 1));
  });

  test('the void of a shed debit is processed, also where both have one signature (P12, D1.8)', async () => {
    await overload();
    const headers = headersFor(signedRest(['round-1', 10]));
    const request = { method: 'POST', path: '/doTransactions', headers } as const;
    const send = (transaction: object) => rig.send({ ...request, body: bodyOf([transaction]) });
    expect((await send(debit())).status).toBe(503);
    expect((await send({ ...debit(), type: 'void' })).status).toBe(200);
  });
});

describe('with several operators', () => {
  const other = createRequestSigner({ operatorId: 'other', secret });

  beforeEach(async () => {
    await rig.close();
    const operators = [operatorId, 'other'].map((id) => ({ operatorId: id, secrets: [secret] }));
    await start({ operators });
    const account = { playerId, currency: 'EUR', balances: { real: '100' } };
    await rig.store.players.openPlayer({ ...account, operatorId: 'other' });
  });

  test('one that has not used its share opens a round, and then has used it (P12)', async () => {
    await overload();
    const open = (gameRound: string) =>
      rig.send(other.doTransactions(bodyOf([debit(1, { hash: gameRound })], { gameRound })));
    expect((await rig.call([debit()])).status).toBe(503);
    expect((await open('one')).status).toBe(200);
    expect((await open('two')).status).toBe(503);
  });

  test('what is not verified is not charged to the id that it claims (P12)', async () => {
    loop.sleep(1);
    const body = bodyOf([credit()]);
    for (let at = 0; at < 50; at++) {
      const forged = { 'X-H-AUTH-SIG': Buffer.alloc(32, at).toString('base64') };
      expect((await rig.send(rig.signer.doTransactions(body), forged)).status).toBe(401);
    }
    expect((await rig.call([debit()])).status).toBe(200);
    expect((await rig.call([debit()], { gameRound: 'second' })).status).toBe(503);
  });

  test.each<[string, object, number]>([
    ['refused', credit(), 401],
    ['shed', debit(), 503],
  ])(
    'long forged calls that are %s begin one at a time, as all of the operator they claim do (P12)',
    async (...row) => {
      const [, transaction, expected] = row;
      const operators = [operatorId, 'other'].map((id) => ({ operatorId: id, secrets: [secret] }));
      const clock = Object.assign(new LeapingClock(), { loop });
      const limits = { shed: 'void', turnBudgetMs: 10, turnSpikeMs: 100 } as const;
      const handler = createOperatorHandler({ operators, ...limits, clock, store: rig.store });
      const exchange = createLocalExchange(handler.handle);
      let number = 0;
      const forge = async () => {
        const signed = other.doTransactions(bodyOf([transaction]));
        const forged = { 'X-H-AUTH-SIG': Buffer.alloc(32, (number += 1)).toString('base64') };
        const rawHeaders = Object.entries({ ...signed.headers, ...forged }).flat();
        const body = Buffer.from(signed.body ?? '');
        return (await exchange({ method: 'POST', target: signed.path, rawHeaders, body })).status;
      };
      loop.costMs = 20;
      loop.sleep(1);
      const verified = other.doTransactions(bodyOf([credit()]));
      const body = Buffer.from(verified.body ?? '');
      const rawHeaders = Object.entries(verified.headers).flat();
      await exchange({ method: 'POST', target: verified.path, rawHeaders, body });
      loop.work(101);
      for (let at = 0; at < 8; at++) {
        expect(await forge()).toBe(expected);
        await nextTurn();
      }
      let answered = 0;
      const together = Array.from({ length: 40 }, () => forge().then(() => (answered += 1)));
      const counts: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        await nextTurn();
        counts.push(answered);
      }
      await Promise.all(together);
      await handler.close();
      expect(counts).toEqual([1, 2, 3]);
    },
  );

  test('what a verified caller sends is charged to it, though it is refused (P12)', async () => {
    loop.sleep(1);
    expect((await rig.call([credit()], { transactionCount: 7 })).status).toBe(400);
    loop.work(101);
    expect((await rig.call([debit()])).status).toBe(503);
  });
});

test('shed rounds are counted, with their time, and turns', async () => {
  const metrics = createMetrics();
  await rig.close();
  await start({ metrics });
  await overload();
  await rig.call([debit()]);
  loop.endTurn();
  expect(await linesOf(metrics, 'shed_total')).toEqual(['round 1']);
  expect(await linesOf(metrics, 'call_duration_seconds_count')).toEqual([
    'doTransactions,processed 1',
    'doTransactions,shed 1',
  ]);
  expect(await linesOf(metrics, 'turn_duration_seconds_count')).toEqual(['1']);
  metrics.close();
});

/** A line of the log. */
function shed(count: number): unknown[] {
  return [{ shed: 'void', count }, 'overloaded: new rounds are shed'];
}

/** What sheds for these operators. */
function sheddingFor(ids: readonly string[], clock: VirtualClock, logger = silentLogger) {
  const credentials = ids.map((id) => ({ id, secrets: [secret] }));
  const names = { list: 'operators', idName: 'operatorId' };
  const secrets = readCredentials(credentials, systemRandom, names);
  const limits = turnLimitsOf('test', { turnBudgetMs: 10, turnSpikeMs: 100 });
  const own = { clock, events: eventsTo(logger), renderError: createErrorRenderer() };
  const settings = { ...own, secrets, recorder: null };
  return new RoundShedding(settings, { as: 'void', limits }, loop, { knows: () => false });
}

test('calls that wait for their own at the store make no turn long for another operator (P12)', async () => {
  const shedding = sheddingFor(['long', 'short'], new VirtualClock());
  loop.costMs = 0;
  loop.sleep(1);
  const body = Buffer.from(bodyOf([debit()]));
  let [begun, lost] = [0, 0];
  const call = async (authId: string, ms: number) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      headers: { 'x-h-auth-id': authId },
    });
    await shedding.inTurn({ request, response: new ServerResponse(request) }, body);
    const isUsedUp = shedding.begin();
    const signature = String((begun += 1)).padStart(44);
    if (shedding.sheds(isUsedUp, { authId, signature, timestamp: '' }, body)) lost += 1;
    else loop.work(ms);
    shedding.charge(authId, request);
    return shedding.enterStore(authId);
  };
  for (let at = 0; at < 20; at++) {
    (await call('long', 10))(true);
    loop.sleep(1);
  }
  for (let at = 0; at < 9; at++) void call('long', 10);
  // Each turn takes it more than its share, and less than the budget.
  for (let turn = 0; turn < 30; turn++) {
    const calls = Array.from({ length: 6 }, () => call('short', 1));
    for (const leave of await Promise.all(calls)) leave(true);
    await nextTurn();
    loop.endTurn();
  }
  expect([begun, lost]).toEqual([22 + 180, 0]);
});

test('the log has a line at once, and then one in ten seconds while rounds are shed', async () => {
  const lines: unknown[] = [];
  const clock = new VirtualClock();
  const line = (...parts: unknown[]) => void lines.push(parts);
  const shedding = sheddingFor(['a'], clock, { info: line, warn: line, error: line });
  for (let at = 0; at < 5; at++) shedding.report(1);
  expect(lines).toEqual([shed(1)]);
  await clock.pass(10_000);
  expect(lines).toEqual([shed(1), shed(4)]);
  await clock.pass(30_000);
  expect([lines.length, clock.waiting]).toEqual([2, 0]);
  shedding.report(1);
  expect(lines).toEqual([shed(1), shed(4), shed(1)]);
});

describe('a call opens a round', () => {
  test.each<[string, boolean]>([
    ['{"transactions":[{"type":"debit","isFirstDebit":true}]}', true],
    ['{ "transactions" : [ { "type" : "debit", "isFirstDebit" : true } ] }', true],
    ['{"transactions":[{"isFirstDebit":"true","type":"Debit"}]}', true],
    ['{"transactions":[{"type":"debit","isFirstDebit":"TRUE"}]}', false],
    ['{"transactions":[{"type":"debit"}]}', false],
    ['{"transactions":[{"type":"credit","isFirstDebit":true}]}', false],
    ['{"transactions":[{"type":"credit","reason":"\\"isFirstDebit\\":true"}]}', false],
    ['{"meta":[{"type":"debit","isFirstDebit":true}],"transactions":[{"type":"end"}]}', false],
    ['{"transactions":{"type":"debit","isFirstDebit":true}}', false],
    ['{"transactions":[null,{"type":1,"isFirstDebit":true}]}', false],
    ['["isFirstDebit"]', false],
    ['"isFirstDebit"', false],
    ['{"transactions":[{"type":"debit","isFirstDebit":true}', false],
    ['', false],
  ])('%s: %s', (text, expected) => {
    expect(opensRound(Buffer.from(text))).toBe(expected);
    expect(opensRound(new Uint8Array(Buffer.from(text)))).toBe(expected);
  });
});
