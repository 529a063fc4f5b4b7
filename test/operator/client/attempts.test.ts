import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import {
  type AttemptEvent,
  AbortedError,
  NetworkError,
  RgsClientError,
  ServiceError,
  SignatureRefusedError,
  TimeoutError,
} from '../../../lib/operator/client';
import { createSeededRandom, systemClock } from '../../../lib/platform';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { type Answer, rejectionOf, scriptedClient, secret } from './scripted-fetch';

const list = '{"gameList":{}}';
const silence = () => new Promise<never>(() => {});
const broken = () =>
  Promise.reject(new TypeError('fetch failed', { cause: systemError('ECONNRESET') }));

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** What a call that is answered so is rejected with. */
async function failed(answer: Answer): Promise<unknown> {
  return rejectionOf(scriptedClient([answer], { attempts: 1 }).client.getGameList());
}

/** An error reply with this message. */
function errorWith(msg: string): string {
  return JSON.stringify({ errorCode: { id: 7, msg, clientmsg: msg }, note: 'the-body' });
}

/** The pauses of a call that fails five times, drawn from a seed. */
async function pausesOf(seed: number): Promise<(number | undefined)[]> {
  const pauses: (number | undefined)[] = [];
  const onAttempt = ({ retryInMs }: AttemptEvent) => void pauses.push(retryInMs);
  const clock = new VirtualClock();
  const random = createSeededRandom(seed);
  const { client } = scriptedClient([broken], { clock, random, attempts: 5, onAttempt });
  await clock.run(rejectionOf(client.getGameList()));
  return pauses;
}

describe('time', () => {
  test.each([
    ['back', -250_000],
    ['forward', 250_000],
  ])('a call keeps its time although the wall clock is set %s by 250 s', async (_, byMs) => {
    const clock = new VirtualClock();
    const start = clock.monotonicMs();
    const events: AttemptEvent[] = [];
    const answer = (): Promise<never> => {
      clock.setWallClock(byMs);
      return broken();
    };
    const options = { attempts: 100, timeoutMs: 20_000 };
    const onAttempt = (event: AttemptEvent) => void events.push(event);
    const { client } = scriptedClient([answer], { clock, onAttempt, ...options });
    await clock.run(client.getGameList().catch(() => {}));
    expect(clock.monotonicMs() - start).toBeGreaterThan(options.timeoutMs - 5000); // the longest pause
    expect(clock.monotonicMs() - start).toBeLessThanOrEqual(options.timeoutMs);
    expect(new Set(events.map(({ durationMs }) => durationMs))).toEqual(new Set([0]));
  });

  test('an attempt that is silent is given up after attemptTimeoutMs, and repeated', async () => {
    const clock = new VirtualClock();
    const events: AttemptEvent[] = [];
    const onAttempt = (event: AttemptEvent) => void events.push(event);
    const { client } = scriptedClient([silence, list], { clock, onAttempt });
    const call = client.getGameList();
    await clock.run(call);
    await call;
    expect(events).toMatchObject([
      {
        operation: 'getGameList',
        attempt: 1,
        outcome: 'failed',
        code: 'TIMED_OUT',
        durationMs: 10_000,
      },
      { attempt: 2, outcome: 'answered', status: 200, willRetry: false },
    ]);
    expect(events[0]?.retryInMs).toBeGreaterThanOrEqual(0);
  });

  test('a silent last attempt is reported as a time-out of the attempt', async () => {
    const clock = new VirtualClock();
    const { client, sent } = scriptedClient([silence], {
      clock,
      attempts: 2,
      attemptTimeoutMs: 100,
    });
    const call = rejectionOf(client.getGameList());
    await clock.run(call);
    expect(await call).toBeInstanceOf(TimeoutError);
    expect(await call).toMatchObject({ code: 'TIMED_OUT', which: 'attempt', attempts: 2 });
    expect(sent).toHaveLength(2);
  });

  test.each([
    [{ timeoutMs: 500 }, {}],
    [{}, { timeoutMs: 500 }],
  ])(
    'a call is over after timeoutMs, set by %j and %j, though attempts are left',
    async (options, callOptions) => {
      const clock = new VirtualClock();
      const start = clock.monotonicMs();
      const { client, sent } = scriptedClient([silence], { clock, ...options });
      const call = rejectionOf(client.getGameList(callOptions));
      await clock.run(call);
      expect(await call).toMatchObject({ code: 'TIMED_OUT', which: 'call', attempts: 1 });
      expect(clock.monotonicMs() - start).toBe(500);
      expect(sent[0]?.init.signal.aborted).toBe(true);
    },
  );

  test('no pause begins that would end after timeoutMs: the latest failure is reported', async () => {
    const clock = new VirtualClock();
    const start = clock.monotonicMs();
    const { client } = scriptedClient([[503, '']], { clock, attempts: 100, timeoutMs: 20_000 });
    const call = rejectionOf(client.getGameList());
    await clock.run(call);
    expect(await call).toMatchObject({ code: 'SERVICE_ERROR', status: 503 });
    expect(clock.monotonicMs() - start).toBeLessThan(20_000);
  });

  test('pauses are drawn with jitter, and none is longer than 5 s', async () => {
    const pauses: number[] = [];
    for (let round = 0; round < 10; round++) {
      const onAttempt = ({ retryInMs }: AttemptEvent) => void pauses.push(retryInMs ?? 0);
      const clock = new VirtualClock();
      const options = { clock, attempts: 10, timeoutMs: 3_600_000, onAttempt };
      const { client } = scriptedClient([broken], options);
      const call = rejectionOf(client.getGameList());
      await clock.run(call);
    }
    expect(new Set(pauses).size).toBeGreaterThan(20);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5000);
    expect(Math.max(...pauses)).toBeGreaterThan(500);
  });

  test('a process waits for a call that is silent', async () => {
    const aborter = new AbortController();
    const before = process.getActiveResourcesInfo().length;
    const { client } = scriptedClient([silence], { clock: systemClock });
    const call = rejectionOf(client.getGameList({ signal: aborter.signal }));
    expect(process.getActiveResourcesInfo().length).toBeGreaterThan(before);
    aborter.abort();
    expect(await call).toBeInstanceOf(AbortedError);
    expect(process.getActiveResourcesInfo().length).toBe(before);
  });

  test('the same seed draws the same pauses', async () => {
    const once = await pausesOf(1);
    expect(once).toHaveLength(5);
    expect(await pausesOf(1)).toEqual(once);
    expect(await pausesOf(2)).not.toEqual(once);
  });
});

describe('abort', () => {
  test('a call that was aborted before sends nothing', async () => {
    const { client, sent } = scriptedClient([list]);
    const error = await rejectionOf(client.getGameList({ signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(sent).toEqual([]);
  });

  test('a request in flight is cancelled, and none follows', async () => {
    const aborter = new AbortController();
    const { client, sent } = scriptedClient([silence, list]);
    const call = rejectionOf(client.getGameList({ signal: aborter.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    aborter.abort(new Error('the page was closed'));
    expect(await call).toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.init.signal.aborted).toBe(true);
  });

  test('a pause is cut short', async () => {
    const aborter = new AbortController();
    const onAttempt = () => void setImmediate(() => aborter.abort());
    const clock = new VirtualClock();
    const { client, sent } = scriptedClient([broken, list], { clock, onAttempt });
    const error = await rejectionOf(client.getGameList({ signal: aborter.signal }));
    expect(error).toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe('what is repeated', () => {
  const path = '/getGameURL';
  test.each<[string, Answer]>([
    ['a 503', [503, '']],
    ['a broken connection', broken],
  ])('a further call is sent once after %s, unless isRepeatable is set', async (_, answer) => {
    const once = scriptedClient([answer, '{}']);
    await rejectionOf(once.client.call({ method: 'POST', path }));
    expect(once.sent).toHaveLength(1);
    const again = scriptedClient([answer, '{}']);
    await again.client.call({ method: 'POST', path, isRepeatable: true });
    expect(again.sent).toHaveLength(2);
  });

  test('each attempt has a new timestamp and signature, even if the clock stands still', async () => {
    const { client, sent } = scriptedClient([[500, ''], broken, list], {
      clock: {
        now: () => 0,
        monotonicMs: () => 0,
        pause: () => Promise.resolve(),
        after: () => () => {},
      },
    });
    await client.getGameList();
    const of = (name: string) => new Set(sent.map(({ init }) => init.headers[name])).size;
    expect([sent.length, of('X-H-TIMESTAMP'), of('X-H-AUTH-SIG')]).toEqual([3, 3, 3]);
  });

  test('redirects are not followed', async () => {
    const { client, sent } = scriptedClient([[302, '']]);
    expect(await rejectionOf(client.getGameList())).toMatchObject({ status: 302 });
    expect(sent[0]?.init.redirect).toBe('manual');
  });
});

describe('onAttempt', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('of the hook');
      },
    ],
    ['rejects', (): void => Promise.reject(new Error('of the hook')) as unknown as void],
  ])('that %s is logged, and the call continues', async (_, onAttempt) => {
    const errors: string[] = [];
    const error = (fields: object, text: string) => void errors.push(`${text} ${inspect(fields)}`);
    const logger = { info: () => {}, warn: () => {}, error };
    const { client } = scriptedClient([list], { logger, onAttempt });
    await client.getGameList();
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/onAttempt failed.*of the hook/s);
  });
});

test('no error, log line or event holds the secret, a signature or a body, whatever happens', async () => {
  const echoed: Answer[] = [];
  const said: unknown[] = [];
  const say = (...told: unknown[]) => void said.push(told);
  const logger = { info: say, warn: say, error: say };
  const { client, sent } = scriptedClient(echoed, { logger, onAttempt: say, attempts: 1 });
  const echo =
    (status: number, write: (signature: string) => string) => async (): Promise<never> => {
      const signature = sent.at(-1)?.init.headers['X-H-AUTH-SIG'] ?? '';
      // The type allows what only fails; an answer built from the request is valid too.
      return new Response(write(signature), { status }) as never;
    };
  echoed.push(
    echo(400, (signature) => errorWith(`expected another than ${signature}`)),
    echo(500, () => errorWith(`signed was ${secret}#acme#2026`)),
    echo(401, (signature) => errorWith(signature)),
    echo(200, (signature) => `{"the-body":"${signature}`),
    () => Promise.reject(new Error(`the-body ${secret}`, { cause: systemError('ECONNREFUSED') })),
    () => Promise.reject(Object.assign(new Error('x'), { code: secret })),
    silence,
  );
  for (let call = 0; call < echoed.length; call++) {
    const options = call === echoed.length - 1 ? { signal: AbortSignal.timeout(5) } : {};
    const error = await rejectionOf(client.getGameList(options));
    expect(error).toBeInstanceOf(RgsClientError);
    said.push(error, String((error as Error).stack), JSON.stringify(error));
  }
  const shown = inspect(said, { depth: 20, showHidden: true, maxStringLength: null });
  const signatures = sent.map(({ init }) => init.headers['X-H-AUTH-SIG'] ?? 'none');
  for (const hidden of [secret, 'the-body', ...signatures]) expect(shown).not.toContain(hidden);
  expect(shown).toContain('[withheld]');
});

test('errors tell themselves apart by class and code, and what failed', async () => {
  const refusal = '{"errorCode":{"id":19,"msg":"for the engineer","clientmsg":"for the player"}}';
  const refused = await failed([400, refusal]);
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({
    name: 'ServiceError',
    code: 'SERVICE_ERROR',
    operation: 'getGameList',
    status: 400,
    id: 19,
    msg: 'for the engineer',
    clientmsg: 'for the player',
  });
  expect(await failed(refusal)).toMatchObject({ code: 'SERVICE_ERROR', status: 200, id: 19 });
  expect(await failed([500, '<html>'])).toMatchObject({ status: 500, id: null, msg: null });
  const unsigned = await failed([500, '{"errorCode":{"id":1001}}']);
  expect(unsigned).toBeInstanceOf(SignatureRefusedError);
  expect(unsigned).toMatchObject({ code: 'SIGNATURE_REFUSED', status: 500, id: 1001 });
  expect(await failed([401, '<html>'])).toMatchObject({ code: 'SIGNATURE_REFUSED', id: null });
  const unreached = await failed(broken);
  expect(unreached).toBeInstanceOf(NetworkError);
  expect(unreached).toMatchObject({ code: 'NETWORK_FAILURE', reason: 'ECONNRESET', attempts: 1 });
});
