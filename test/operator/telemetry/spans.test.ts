import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { systemClock } from '../../../lib/platform';
import { LeapingClock } from '../../platform/leaping-clock';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  end,
  type Rig,
  operatorId,
  playerId,
  secret,
  voidOfDebit,
} from '../http/rig';
import { KeptLog } from '../ledger/ledger-rig';
import { AsyncContexts, createSpanRig, parentOf, type SpanRig } from './span-rig';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${callerSpan}-01`;

let traced: SpanRig;
let rig: Rig;
let log: KeptLog;

async function start(
  options: Partial<OperatorOptions> & { readonly follows?: boolean } = {},
): Promise<void> {
  traced = createSpanRig();
  log = new KeptLog();
  const clock = new LeapingClock();
  const { store: _, ...more } = options;
  rig = await createRig({ tracer: traced.tracer, logger: log, clock, ...more });
}

beforeEach(() => start());

afterEach(async () => {
  await rig.close();
  await traced.close();
});

const getBalance = (more: object = {}) =>
  rig.signer.getBalance({ playerId, currency: 'EUR', ...more });

const call = (transactions: readonly object[], headers: Record<string, string> = {}) =>
  rig.send(rig.signer.doTransactions(bodyOf(transactions)), headers);

/** The span of the last call. */
async function lastCall() {
  const all = await traced.spans();
  const found = all.findLast(({ kind }) => kind === SpanKind.SERVER);
  if (found === undefined) throw new Error('no call has a span');
  return found;
}

describe('each call is a span', () => {
  test('with its commit below it where it opens the round, with its load where it continues it', async () => {
    await call([debit(), credit(), end]);
    expect(await traced.tree()).toEqual([
      'rgs.store.commit < rgs.doTransactions',
      'rgs.doTransactions',
    ]);
    await call([voidOfDebit]);
    expect((await traced.tree()).slice(2)).toEqual([
      'rgs.store.load < rgs.doTransactions',
      'rgs.store.commit < rgs.doTransactions',
      'rgs.doTransactions',
    ]);
  });

  test('with one trip below it where it only adds to a running round', async () => {
    await rig.close();
    await start({ follows: true });
    await call([debit()]);
    await call([credit()]);
    expect((await traced.tree()).slice(2)).toEqual([
      'rgs.store.follow < rgs.doTransactions',
      'rgs.doTransactions',
    ]);
    await call([credit()]);
    const followed = (await traced.spans()).filter(({ name }) => name === 'rgs.store.follow');
    expect(followed.map(({ attributes }) => attributes['rgs.store.result'])).toEqual([
      'done',
      'other',
    ]);
  });

  test('getBalance too', async () => {
    await rig.send(getBalance());
    expect(await traced.tree()).toEqual(['rgs.store.accounts < rgs.getBalance', 'rgs.getBalance']);
    expect((await lastCall()).attributes).toEqual({
      'rgs.operator_id': operatorId,
      'rgs.outcome': 'processed',
      'http.response.status_code': 200,
    });
  });

  test('it has the outcome of the call, and nothing of player, round, hash or amount', async () => {
    await call([debit()]);
    expect((await lastCall()).attributes).toEqual({
      'rgs.operator_id': operatorId,
      'rgs.outcome': 'processed',
      'rgs.round.state': 'open',
      'rgs.transactions': 1,
      'http.response.status_code': 200,
    });
    await call([debit(5000, { hash: 'd2', isFirstDebit: false })], { traceparent });
    const refused = await lastCall();
    expect(refused.attributes).toMatchObject({
      'rgs.outcome': 'refused',
      'rgs.error_code': 'BALANCETOOLOW',
      'http.response.status_code': 400,
    });
    expect(refused.status.code).toBe(SpanStatusCode.UNSET);
    const told = JSON.stringify(
      (await traced.spans()).map(({ name, attributes, status, events }) => {
        return [name, attributes, status, events];
      }),
    );
    for (const hidden of [playerId, 'round-1', 'd2', '5000', 'EUR', 'bells', secret]) {
      expect(told).not.toContain(hidden);
    }
  });
});

describe('the status is error where the outcome is unknown, and nowhere else', () => {
  test('a store that does not answer: of the call and of its commit', async () => {
    rig.store.fail('commit', 'unknown');
    expect((await call([debit()])).status).toBe(503);
    const found = await lastCall();
    expect(found.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: 'TEMPORARILYUNAVAILABLE',
    });
    expect(found.attributes).toMatchObject({ 'rgs.outcome': 'unknown' });
    const commits = (await traced.spans()).filter(({ name }) => name === 'rgs.store.commit');
    expect(commits.length).toBeGreaterThan(1); // it is tried again until the deadline
    expect(new Set(commits.map(({ status }) => status.code))).toContain(SpanStatusCode.ERROR);
  });

  test('a credit, which is answered 400', async () => {
    await call([debit()]);
    rig.store.fail('commit', 'unknown');
    expect((await call([credit()])).status).toBe(400);
    expect((await lastCall()).status.code).toBe(SpanStatusCode.ERROR);
  });

  test('a store that throws, in both operations; its text is not told', async () => {
    rig.store.fail('accounts', 'throw');
    expect((await rig.send(getBalance())).status).toBe(500);
    expect((await lastCall()).status.code).toBe(SpanStatusCode.ERROR);
    rig.store.fail('commit', 'throw');
    expect((await call([debit()])).status).toBe(503);
    expect((await lastCall()).status.code).toBe(SpanStatusCode.ERROR);
    const failed = (await traced.spans()).filter(({ name }) => name.startsWith('rgs.store.'));
    expect(failed[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'failed' });
  });

  test('a call that is shed', async () => {
    await rig.close();
    await start({ maxInFlight: 1, clock: systemClock });
    rig.store.fail('commit', 'hang', 'before', 1);
    const hanging = call([debit()]).then(() => {});
    while (rig.store.hanging === 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await call([debit(1, { hash: 'd2' })])).status).toBe(503);
    expect((await lastCall()).attributes).toMatchObject({ 'rgs.outcome': 'shed' });
    expect((await lastCall()).status.code).toBe(SpanStatusCode.ERROR);
    expect((await rig.send(getBalance())).status).toBe(503);
    expect((await lastCall()).attributes).toMatchObject({ 'rgs.outcome': 'shed' });
    rig.store.heal();
    await hanging;
  });

  test('a call that was verified and is malformed is a refusal, with its code', async () => {
    expect((await rig.call([debit(10, { currency: 'eur' })])).status).toBe(400);
    const found = await lastCall();
    expect(found.attributes).toMatchObject({ 'rgs.error_code': 'INVALIDPARAMETER' });
    expect(found.status.code).toBe(SpanStatusCode.UNSET);
    expect((await rig.send(getBalance({ currency: 'USD' }))).status).toBe(400);
    expect((await lastCall()).attributes).toMatchObject({
      'rgs.error_code': 'CURRENCYNOTSUPPORTED',
    });
  });
});

describe('traceparent', () => {
  test('a valid one is the parent: the trace of the RGS continues', async () => {
    await call([debit()], { traceparent });
    const found = await lastCall();
    expect(found.spanContext().traceId).toBe(traceId);
    expect(found.parentSpanContext).toMatchObject({ spanId: callerSpan, isRemote: true });
  });

  test.each([
    ['wrong', 'hello'],
    ['too long', `${traceparent}-x`],
    ['of no trace', `00-${'0'.repeat(32)}-${callerSpan}-01`],
    ['doubled', `${traceparent}, ${traceparent}`],
  ])('one that is %s is ignored: a new trace begins', async (_, header) => {
    expect((await call([debit()], { traceparent: header })).status).toBe(200);
    const found = await lastCall();
    expect(found.spanContext().traceId).not.toBe(traceId);
    expect(found.parentSpanContext).toBeUndefined();
  });

  test('nothing of a request that is not verified is traced, nor of a signature that was used for another body', async () => {
    const request = rig.signer.doTransactions(bodyOf([debit()]));
    await rig.send(request, { traceparent, 'X-H-AUTH-SIG': 'x'.repeat(44) });
    await rig.send({ method: 'GET', path: '/nowhere', headers: { traceparent } });
    await rig.send({ ...getBalance(), headers: { traceparent } });
    expect(await traced.spans()).toEqual([]);
    const lines = log.lines.map(({ fields }) => Object.keys(fields));
    expect(lines.flat()).not.toContain('trace_id');
    await rig.send(request);
    const body = (request.body ?? '').replace('"debit"', '"credit"');
    expect((await rig.send({ ...request, body })).status).toBe(401);
    expect((await traced.tree()).filter((line) => line === 'rgs.doTransactions')).toHaveLength(1);
  });

  test('with spanParent active, the active span is the parent instead', async () => {
    await rig.close();
    await start({ spanParent: 'active' });
    context.setGlobalContextManager(new AsyncContexts());
    try {
      const { server } = rig;
      const [listener] = server.listeners('request') as ((...given: unknown[]) => void)[];
      server.removeAllListeners('request');
      // As OpenTelemetry's own instrumentation of HTTP does.
      server.on('request', (...given) => {
        traced.tracer.startActiveSpan('POST', (span) => {
          listener?.(...given);
          span.end();
        });
      });
      await call([debit()], { traceparent });
      expect(await traced.tree()).toEqual([
        'POST',
        'rgs.store.commit < rgs.doTransactions',
        'rgs.doTransactions < POST',
      ]);
    } finally {
      context.disable();
    }
  });

  test('what a store does is in the active context of its span', async () => {
    context.setGlobalContextManager(new AsyncContexts());
    try {
      const commit = rig.store.rounds.commit.bind(rig.store.rounds);
      rig.store.rounds.commit = async (...change) => {
        await Promise.resolve();
        traced.tracer.startSpan('redis evalsha').end();
        return commit(...change);
      };
      await call([debit()]);
      expect((await traced.tree())[0]).toBe('redis evalsha < rgs.store.commit');
    } finally {
      context.disable();
    }
  });
});

describe('the log', () => {
  test('each line of a call has its trace_id and span_id, whatever came of the call', async () => {
    await call([debit()], { traceparent });
    await call([debit(5000, { hash: 'd2', isFirstDebit: false })], { traceparent });
    await rig.call([debit(10, { currency: 'eur' })]);
    await rig.send(getBalance());
    rig.store.fail('commit', 'unknown');
    await call([debit(1, { hash: 'd3', isFirstDebit: false })], { traceparent });
    const calls = (await traced.spans()).filter(({ kind }) => kind === SpanKind.SERVER);
    const ids = calls.map((span) => {
      const { traceId: trace_id, spanId: span_id } = span.spanContext();
      return { trace_id, span_id };
    });
    const answered = log.lines.filter(({ message }) => message === 'call answered');
    expect(answered).toHaveLength(5);
    expect(answered.map(({ fields }) => fields)).toEqual(
      ids.map((each) => expect.objectContaining(each)),
    );
  });

  test('the lines of its transactions, and of a hook that failed after the answer, have them too', async () => {
    await rig.close();
    await start({
      logTransactions: true,
      onOutcome: async () => {
        await Promise.resolve();
        throw new Error('out of order');
      },
    });
    await call([debit()], { traceparent });
    while (log.lines.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(log.lines.map(({ message }) => message)).toEqual([
      'call answered',
      'transaction answered',
      'onOutcome failed',
    ]);
    for (const { fields } of log.lines) expect(fields).toMatchObject({ trace_id: traceId });
  });

  test('without a tracer no line has ids, and the header is not read', async () => {
    await rig.close();
    log = new KeptLog();
    rig = await createRig({ logger: log });
    await call([debit()], { traceparent });
    expect(Object.keys(log.lines[0]?.fields ?? {})).not.toContain('trace_id');
  });
});

/** A header of a trace of its own. */
function headerOf(at: number): string {
  return `00-${String(at).padStart(32, '0')}-${callerSpan}-01`;
}

test('of 100 calls at once each has its own trace, its children below it and its ids in its line', async () => {
  await rig.close();
  const store = createMemoryStore();
  log = new KeptLog();
  rig = await createRig({ tracer: traced.tracer, logger: log, store });
  const commit = rig.store.rounds.commit.bind(rig.store.rounds);
  let turn = 0;
  rig.store.rounds.commit = async (...change) => {
    turn += 1;
    // They end in another order than they began.
    for (let ticks = (turn * 7) % 13; ticks > 0; ticks -= 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return commit(...change);
  };
  const rounds = Array.from({ length: 100 }, (_, at) => at + 1);
  await Promise.all(
    rounds.map((at) => {
      const gameRound = `round-${at}`;
      const body = bodyOf([debit(0.01, { hash: gameRound })], { gameRound });
      return rig.send(rig.signer.doTransactions(body), { traceparent: headerOf(at) });
    }),
  );
  const all = await traced.spans();
  expect(all.filter(({ name }) => name === 'rgs.doTransactions')).toHaveLength(100);
  const children = all.filter(({ name }) => name.startsWith('rgs.store.'));
  expect(children.length).toBeGreaterThanOrEqual(100);
  for (const child of children) {
    const parent = parentOf(child, all);
    expect(parent?.name).toBe('rgs.doTransactions');
    expect(child.spanContext().traceId).toBe(parent?.spanContext().traceId);
  }
  const lines = log.lines.filter(({ message }) => message === 'call answered');
  expect(lines).toHaveLength(100);
  for (const { fields } of lines) {
    const { gameRound, trace_id } = fields as { gameRound: string; trace_id: string };
    expect(trace_id).toBe(gameRound.slice('round-'.length).padStart(32, '0'));
  }
});

test('a wrong tracer and a wrong spanParent are TypeErrors that name the option', async () => {
  const wrong = { startSpan: () => {} } as unknown as NonNullable<OperatorOptions['tracer']>;
  await expect(createRig({ tracer: wrong })).rejects.toThrow(
    'createOperatorRouter: tracer must be a Tracer',
  );
  await expect(createRig({ spanParent: 'header' as 'active' })).rejects.toThrow(/spanParent/);
});
