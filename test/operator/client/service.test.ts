import { describe, expect, test } from '@jest/globals';

import {
  type AttemptEvent,
  createRgsClient,
  type RgsClient,
  RgsClientError,
  type RgsClientOptions,
} from '../../../lib/operator/client';
import { type Clock, systemClock } from '../../../lib/platform';
import {
  closeBefore,
  holdReply,
  loseReply,
  nonsense,
  refuse,
  type RgsFault,
  say,
  times,
} from '../../rgs/load/faults';
import { type FurtherCall, RgsService } from '../../rgs/load/service';
import { until } from '../../servers/until';
import { LeapingClock } from '../../support/leaping-clock';
import { cleanupAfterEach } from '../../support/each-test';

const OPERATOR_ID = 'casino';
const SECRET = 'a-secret-of-the-client-tests';
const gift = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 'gift-1',
  currency: 'EUR',
  stake: '0.50',
  count: 5,
} as const;
const bells = { gameCode: 'bells', currency: 'EUR' } as const;
const cleanup = cleanupAfterEach();

interface Scene {
  readonly service: RgsService;
  readonly client: RgsClient;
  readonly events: readonly AttemptEvent[];
}

/** The time limit of an attempt, unless another is set. */
const ATTEMPT_MS = 10_000;

/** The machine's clock without pauses: attempts follow each other at once, and time limits work. */
const impatient: Clock = { ...systemClock, pause: (_, signal) => systemClock.pause(0, signal) };

/** A service and a client of it, which records its attempt events. */
async function openScene(
  options: Partial<RgsClientOptions> = {},
  furtherCalls: readonly FurtherCall[] = [],
): Promise<Scene> {
  const operator = { operatorId: OPERATOR_ID, secret: SECRET };
  const started = await RgsService.start({ ...operator, furtherCalls });
  const service = cleanup.after(started);
  const events: AttemptEvent[] = [];
  const onAttempt = (event: AttemptEvent) => events.push(event);
  const client = createRgsClient({ baseUrl: service.url, ...operator, onAttempt, ...options });
  return { service, client, events };
}

/**
 * The error of a rejected call, with everything that may be reported; that it reports no more is part of
 * the test.
 */
async function failureOf(call: Promise<unknown>): Promise<RgsClientError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RgsClientError)) throw new Error('no RgsClientError', { cause: error });
  const told = JSON.stringify(error) + String(error.stack) + String(error.cause);
  expect(told).not.toContain(SECRET);
  return error;
}

/** Each call that the client knows by name, as it is made. */
const calls: readonly [string, (client: RgsClient) => Promise<unknown>][] = [
  ['assignPlayerFreerounds', (client) => client.assignPlayerFreerounds(gift)],
  ['getStats', (client) => client.getStats({ filterBy: { dateFrom: '2026-03-01' } })],
  ['getGameConfiguration', (client) => client.getGameConfiguration(bells)],
  ['getGameList', (client) => client.getGameList()],
];

/** Failures after which the call is retried, each with the code of its attempt event. */
const passing: readonly [string, RgsFault, string][] = [
  ['a lost reply', loseReply, 'NETWORK_FAILURE'],
  ['a connection that is closed', closeBefore, 'NETWORK_FAILURE'],
  ['500 without a body', say(500), 'SERVICE_ERROR'],
  ['502 with a page', say(502, '<html>Bad Gateway</html>'), 'SERVICE_ERROR'],
  ['503 with an error object', refuse(503, 9007), 'SERVICE_ERROR'],
];

/** Answers that are final, each with the code that the call is rejected with. */
const final: readonly [string, RgsFault, string][] = [
  ['400 with an error object', refuse(400, 19), 'SERVICE_ERROR'],
  ['404 without a body', say(404), 'SERVICE_ERROR'],
  ['429', say(429, 'slow down'), 'SERVICE_ERROR'],
  ['an error object in a 200', refuse(200, 19), 'SERVICE_ERROR'],
  ['401 without a body', say(401), 'SIGNATURE_REFUSED'],
  ['401 with an error object', refuse(401, 1001), 'SIGNATURE_REFUSED'],
  ['id 1001 in a 400', refuse(400, 1001), 'SIGNATURE_REFUSED'],
  ['a redirect', say(302, '', { location: '/backoffice/getGameList' }), 'SERVICE_ERROR'],
  ...Object.entries(nonsense).map<[string, RgsFault, string]>(([name, fault]) => [
    `nonsense: ${name}`,
    fault,
    'INVALID_REPLY',
  ]),
];

describe.each(calls)('%s', (_, call) => {
  test('is signed as the service verifies it, and answered at the first attempt', async () => {
    const { service, client, events } = await openScene();
    await call(client);
    expect(service.requests).toMatchObject([{ isAuthentic: true }]);
    expect(events).toMatchObject([{ attempt: 1, outcome: 'answered', status: 200 }]);
  });

  test.each(passing)('is made again after %s, with a new signature', async (__, fault, code) => {
    const { service, client, events } = await openScene();
    service.failNext(times(2, fault));
    await call(client);
    expect(service.requests.map(({ isAuthentic }) => isAuthentic)).toEqual([true, true, true]);
    const signatures = service.requests.map(({ headers }) => headers['x-h-auth-sig']);
    expect(new Set(signatures).size).toBe(3);
    expect(events).toMatchObject([
      { attempt: 1, outcome: 'failed', code, willRetry: true },
      { attempt: 2, outcome: 'failed', code, willRetry: true },
      { attempt: 3, outcome: 'answered', willRetry: false },
    ]);
  });

  test.each(final)('is not made again after %s', async (__, fault, code) => {
    const { service, client } = await openScene();
    service.failNext(fault);
    expect(await failureOf(call(client))).toMatchObject({ code, attempts: 1 });
    expect(service.requests).toHaveLength(1);
  });

  test('is made again where no reply came in the time of an attempt', async () => {
    const clock = new LeapingClock();
    const { service, client, events } = await openScene({ clock, timeoutMs: 600_000 });
    service.failNext(holdReply().fault);
    const calling = call(client);
    await until('the request to come', () => service.requests.length === 1);
    clock.leap(ATTEMPT_MS);
    await calling;
    expect(events).toMatchObject([{ code: 'TIMED_OUT', willRetry: true }, { outcome: 'answered' }]);
    expect(service.requests).toHaveLength(2);
  });

  test('is given up after the last attempt, with what came of it', async () => {
    const { service, client } = await openScene({ attempts: 2, clock: impatient });
    service.failNext(times(5, refuse(503, 9007, 'busy', 'Later.')));
    expect(await failureOf(call(client))).toMatchObject({
      code: 'SERVICE_ERROR',
      status: 503,
      id: 9007,
      msg: 'busy',
      clientmsg: 'Later.',
      attempts: 2,
    });
    expect(service.requests).toHaveLength(2);
  });
});

describe('a package of free plays', () => {
  test.each<[string, RgsFault]>([
    ['its reply is lost', loseReply],
    ['its connection is closed before', closeBefore],
    ['it is refused for the moment', say(503)],
    ['it was kept, and answered 500', { kind: 'doAndSay', answer: { status: 500, body: '' } }],
  ])('is granted once where %s', async (_, fault) => {
    const { service, client } = await openScene();
    service.failNext(fault);
    const granted = await client.assignPlayerFreerounds(gift);
    expect(granted).toMatchObject({ serial: 'gift-1', count: 5, used: 0 });
    expect(service.packages.size).toBe(1);
    expect(service.packages.get('gift-1')).toMatchObject({ stake: '0.50', playerId: 'ann' });
  });

  test('is granted once where the reply is late and the caller asks anew', async () => {
    const clock = new LeapingClock();
    const { service, client } = await openScene({ clock, timeoutMs: 600_000 });
    const held = holdReply();
    service.failNext(held.fault);
    const assigning = client.assignPlayerFreerounds(gift);
    await until('the request to come', () => service.requests.length === 1);
    clock.leap(ATTEMPT_MS);
    await assigning;
    held.letGo();
    expect([service.packages.size, service.packages.assignments]).toEqual([1, 2]);
  });

  test('keeps what the first request of its serial granted', async () => {
    const { client } = await openScene();
    await client.assignPlayerFreerounds(gift);
    const again = await client.assignPlayerFreerounds({ ...gift, count: 50 });
    expect(again.count).toBe(5);
  });

  test('of another serial in the reply is no reply to this call', async () => {
    const { service, client } = await openScene();
    service.failNext(say(200, '{"serial":"gift-2","count":5,"used":0}'));
    expect(await failureOf(client.assignPlayerFreerounds(gift))).toMatchObject({
      code: 'INVALID_REPLY',
      field: '/serial',
    });
  });
});

test('numbers of a reply are what came, to the last digit', async () => {
  const { service, client } = await openScene();
  service.replies.getStats =
    '{"records":[{"DAY":"2026-03-01","currency":"EUR","games":12,"player":3,"bet":"12345678901234567890.10","win":"0.00","RTP":96.190000000000000001}]}';
  const { records } = await client.getStats();
  expect(records).toMatchObject([{ bet: '12345678901234567890.10', RTP: '96.190000000000000001' }]);
  const configuration = await client.getGameConfiguration(bells);
  expect(configuration).toMatchObject({
    expectedRtp: '96.190',
    maxPayoutOdds: '2488327800.0000000001',
  });
  expect(configuration.stakes[2]).toBe('50.00');
});

describe('the time of a call', () => {
  test('ends it amid an attempt, whatever attempts are left', async () => {
    const clock = new LeapingClock();
    const { service, client } = await openScene({ clock, attemptTimeoutMs: 600_000 });
    service.failNext(times(3, holdReply().fault));
    const failing = failureOf(client.getGameList({ timeoutMs: 300_000 }));
    await until('the request to come', () => service.requests.length === 1);
    clock.leap(300_000);
    expect(await failing).toMatchObject({
      code: 'TIMED_OUT',
      which: 'call',
      attempts: 1,
    });
    await until('the connection is gone', () => !service.isOpen(1));
  });

  test('is not outlived by a pause', async () => {
    const { service, client } = await openScene({ attempts: 10 });
    service.failNext(times(10, say(503)));
    const startedAt = Date.now();
    expect(await failureOf(client.getGameList({ timeoutMs: 500 }))).toMatchObject({
      attempts: expect.any(Number),
    });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(service.requests.length).toBeLessThan(10);
  });
});

describe('a signal', () => {
  test('cancels the request in flight, and its connection', async () => {
    const { service, client } = await openScene();
    const abort = new AbortController();
    service.failNext(holdReply().fault);
    const failure = failureOf(client.getGameList({ signal: abort.signal }));
    await until('the request', () => service.requests.length);
    abort.abort();
    expect(await failure).toMatchObject({ code: 'ABORTED', attempts: 1 });
    await until('the connection is gone', () => !service.isOpen(1));
    expect(service.requests).toHaveLength(1);
  });

  test('ends a pause between attempts, and nothing more is sent', async () => {
    const abort = new AbortController();
    const { service, client } = await openScene({ onAttempt: () => abort.abort() });
    service.failNext(say(503));
    const failure = await failureOf(client.getGameList({ signal: abort.signal }));
    expect(failure).toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect(service.requests).toHaveLength(1);
  });

  test('that is aborted already keeps the request from being sent', async () => {
    const { service, client } = await openScene();
    expect(await failureOf(client.getGameList({ signal: AbortSignal.abort() }))).toMatchObject({
      code: 'ABORTED',
    });
    expect(service.requests).toHaveLength(0);
  });
});

test('calls one after the other share connections, refusals and all', async () => {
  const { service, client } = await openScene();
  for (const [, call] of calls) await call(client);
  service.failNext(refuse(400, 19));
  await failureOf(client.getGameList());
  for (const [, call] of calls) await call(client);
  expect(service.requests).toHaveLength(9);
  // Two, not one: the end of a body is handed out a moment before its connection is free again.
  expect(service.connectionCount).toBeLessThanOrEqual(2);
});

test('many calls at once are all signed apart and answered', async () => {
  const { service, client } = await openScene();
  const gifts = Array.from({ length: 50 }, (_, at) => ({ ...gift, serial: `gift-${at}` }));
  await Promise.all(gifts.map((one) => client.assignPlayerFreerounds(one)));
  expect(service.packages.size).toBe(50);
  const signatures = service.requests.map(({ headers }) => headers['x-h-auth-sig']);
  expect(new Set(signatures).size).toBe(50);
});

test('a redirect is not followed: nothing that is signed goes where the service points', async () => {
  const { service, client } = await openScene();
  const elsewhere = await openScene();
  service.failNext(say(307, '', { location: `${elsewhere.service.url}/assignPlayerFreerounds` }));
  expect(await failureOf(client.assignPlayerFreerounds(gift))).toMatchObject({ status: 307 });
  expect(elsewhere.service.requests).toHaveLength(0);
});

test('a reply longer than may be is refused, and not read to its end', async () => {
  const { service, client } = await openScene({ maxReplyBytes: 1024 });
  service.failNext(say(200, `{"gameList":{},"filling":"${'x'.repeat(5_000_000)}"}`));
  expect(await failureOf(client.getGameList())).toMatchObject({
    code: 'INVALID_REPLY',
    status: 200,
  });
});

test('a secret that the service does not know is refused once, and named as such', async () => {
  const { service, client } = await openScene({ secret: 'another-secret-altogether' });
  expect(await failureOf(client.getGameList())).toMatchObject({
    code: 'SIGNATURE_REFUSED',
    status: 401,
    id: 1001,
  });
  expect(service.requests).toMatchObject([{ isAuthentic: false }]);
});

test('a service that is gone is not reached, at any attempt', async () => {
  const { service, client, events } = await openScene({ attempts: 2, clock: impatient });
  await client.getGameList();
  await service.close();
  expect(await failureOf(client.getGameList())).toMatchObject({
    code: 'NETWORK_FAILURE',
    reason: 'ECONNREFUSED',
    attempts: 2,
  });
  expect(events).toHaveLength(3);
});

describe('a further call', () => {
  const gameUrl = {
    method: 'POST',
    path: '/getGameURL',
    signedFields: ['currency', 'gameCode'],
    reply: '{"url":"https://games.example/1","validFor":120.0}',
  } as const;
  const { reply: _, ...named } = gameUrl;
  const request = { ...named, body: { gameCode: 'bells', currency: 'EUR', language: 'en' } };

  test('is signed by the fields that are named, in order', async () => {
    const { service, client } = await openScene({}, [gameUrl]);
    expect(await client.call(request)).toEqual({
      url: 'https://games.example/1',
      validFor: { text: '120.0' },
    });
    const signedFields = ['gameCode', 'currency'];
    expect(await failureOf(client.call({ ...request, signedFields }))).toMatchObject({
      status: 401,
    });
    expect(service.requests.map(({ isAuthentic }) => isAuthentic)).toEqual([true, false]);
  });

  test('carries a query where it is a GET', async () => {
    const call = { method: 'GET', path: '/status/of', signedFields: ['of'] } as const;
    const { service, client } = await openScene({}, [{ ...call, reply: '[1.50]' }]);
    expect(await client.call({ ...call, query: { of: 'a&b=ü +' } })).toEqual([{ text: '1.50' }]);
    expect(service.requests).toMatchObject([{ isAuthentic: true, body: '' }]);
  });

  test('is made once, unless isRepeatable is set', async () => {
    const { service, client } = await openScene({}, [gameUrl]);
    service.failNext(times(2, loseReply));
    expect(await failureOf(client.call(request))).toMatchObject({ attempts: 1 });
    expect(await client.call({ ...request, isRepeatable: true })).toMatchObject({
      url: expect.any(String),
    });
    expect(service.requests).toHaveLength(3);
  });
});
