import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../lib/platform';
import {
  createGameProviderHandler,
  createGameProviderRouter,
  type GameProviderOptions,
  type ProviderCallEvent,
  scaleStakes,
} from '../../../lib/provider';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { failingHook, fullLogs } from '../../platform/full-logger';
import { unhandledIn } from '../../support/unhandled';
import {
  autoCloseCall,
  type Call,
  configurationCall,
  gameProviderId,
  headersFor,
  resultCall,
  secret,
  send,
} from './call';

const providers = [{ gameProviderId, secrets: [secret] }];
const config = {
  stakes: [10, 20],
  currency: 'EUR',
  currencyMultiplier: '6',
  expectedRtp: 91.67,
  maxPayoutOdds: 36,
};

function handler(options: Partial<GameProviderOptions>) {
  return createGameProviderHandler({ providers, ...options });
}

const everything = {
  getGameConfiguration: () => config,
  doAutoClose: () => {},
  getGameResult: () => ({ reels: [1, 2, 3] }),
  health: () => ({ up: true }),
  certifiedFiles: () => [{ file: 'reels.js', hash: 'ab' }],
} satisfies Partial<GameProviderOptions>;

describe('who calls is verified over secret#id#timestamp#field (D1.1 to D1.6, E2.8)', () => {
  const certified: Call = { method: 'GET', path: '/certifiedfiles', signed: [] };
  const signedCalls = [configurationCall(), resultCall(), autoCloseCall(), certified];

  test.each(signedCalls.map((call) => [call.path, call]))('%s is answered', async (_, call) => {
    expect(await send(handler(everything).handle, call as Call)).toMatchObject({ status: 200 });
  });

  const now = Date.now();
  const frozen = { ...systemClock, now: () => now };

  test.each([
    ['another secret', { key: 'another-secret-0123456789', atMs: now }],
    ['an unknown id', { id: 'studio-2', atMs: now }],
    ['a timestamp that is too old', { atMs: now - 300_001 }],
    ['a timestamp that is too far ahead', { atMs: now + 300_001 }],
  ])('%s is the one 401', async (_, how) => {
    const { handle } = handler({ ...everything, clock: frozen });
    for (const call of signedCalls) {
      const answer = await send(handle, call, headersFor(call.signed, how));
      expect(answer).toMatchObject({ status: 401, json: { errorCode: { id: 1001 } } });
      const { errorCode } = answer.json as { errorCode: { msg: string } };
      expect(errorCode.msg).toBe('The request could not be authenticated.');
    }
  });

  test.each(['X-H-AUTH-ID', 'X-H-AUTH-SIG', 'X-H-TIMESTAMP'])(
    'without %s it is 401',
    async (name) => {
      const { [name]: _, ...headers } = headersFor(['round-1']);
      expect(await send(handler(everything).handle, autoCloseCall(), headers)).toMatchObject({
        status: 401,
      });
    },
  );

  test('the signature of another round, currency or nothing is 401', async () => {
    const { handle } = handler(everything);
    expect((await send(handle, autoCloseCall(), headersFor(['round-2']))).status).toBe(401);
    expect((await send(handle, configurationCall(), headersFor(['SEK']))).status).toBe(401);
    expect((await send(handle, configurationCall(), headersFor([]))).status).toBe(401);
  });

  test('several secrets of a provider are tried (D1.2), and several providers are known', async () => {
    const older = 'older-secret-0123456789ab';
    const { handle } = createGameProviderHandler({
      ...everything,
      providers: [
        { gameProviderId, secrets: [secret, older] },
        { gameProviderId: 'studio-2', secrets: ['secret-of-studio-2-0123'] },
      ],
      getGameResult: ({ gameProviderId: who }) => who,
    });
    const of = async (how: { key?: string; id?: string }) =>
      (await send(handle, resultCall(), headersFor(['round-1'], how))).json;
    expect(await of({ key: older })).toMatchObject({ result: gameProviderId });
    expect(await of({ id: 'studio-2', key: 'secret-of-studio-2-0123' })).toMatchObject({
      result: 'studio-2',
    });
  });

  test('health is not verified unless verifyHealth is set', async () => {
    const call: Call = { method: 'GET', path: '/health', signed: [] };
    expect(await send(handler(everything).handle, call, {})).toMatchObject({
      status: 200,
      json: { up: true },
    });
    const { handle } = handler({ ...everything, verifyHealth: true });
    expect((await send(handle, call, {})).status).toBe(401);
    expect((await send(handle, call)).status).toBe(200);
  });

  test('other signed fields can be named, where an RGS signs others (E2.8)', async () => {
    const { handle } = handler({
      ...everything,
      signedFields: { doAutoClose: ['gameRound', 'gameCode'], health: [] },
    });
    expect((await send(handle, autoCloseCall())).status).toBe(401);
    const both = { ...autoCloseCall(), signed: ['round-1', 'bells'] };
    expect((await send(handle, both)).status).toBe(200);
  });

  test('the vectors of the Game Engine API verify', async () => {
    const text = readFileSync(join(__dirname, '../../../vectors/engine.json'), 'utf8');
    const { vectors } = JSON.parse(text) as { vectors: Vector[] };
    const ours = vectors.filter(({ direction }) => direction === 'toProvider');
    expect(ours.length).toBeGreaterThan(2);
    for (const vector of ours) {
      const clock = new VirtualClock(Date.parse(vector.timestamp));
      const id = vector.gameProviderId;
      const { handle } = createGameProviderHandler({
        ...everything,
        clock,
        verifyHealth: true,
        providers: [{ gameProviderId: id, secrets: [vector.secret] }],
        getGameConfiguration: (asked) => ({ ...config, ...asked, stakes: [1] }),
      });
      const query = vector.query === undefined ? '' : `?${vector.query}`;
      const call: Call = {
        method: vector.method,
        path: `/${vector.call}${query}`,
        signed: [],
        ...(vector.body === undefined ? {} : { body: vector.body }),
      };
      const answer = await send(handle, call, {
        'X-H-AUTH-ID': id,
        'X-H-TIMESTAMP': vector.timestamp,
        'X-H-AUTH-SIG': vector.signature,
      });
      expect([vector.why, answer.status !== 401]).toEqual([vector.why, vector.valid]);
    }
  });
});

interface Vector {
  readonly direction: string;
  readonly call: string;
  readonly method: 'GET' | 'POST';
  readonly why: string;
  readonly valid: boolean;
  readonly secret: string;
  readonly gameProviderId: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body?: string;
  readonly query?: string;
}

describe('a captured signature (0.1, S3)', () => {
  test('of getGameResult cannot be sent as a doAutoClose, nor the other way round', async () => {
    const { handle } = handler(everything);
    const headers = headersFor(['round-1']);
    expect((await send(handle, resultCall(), headers)).status).toBe(200);
    expect((await send(handle, autoCloseCall(), headers)).status).toBe(401);
  });

  test('does not fit another gameCode or multiplier, which are not signed', async () => {
    const { handle } = handler(everything);
    const headers = headersFor(['EUR']);
    expect((await send(handle, configurationCall(), headers)).status).toBe(200);
    for (const other of [{ gameCode: 'reels' }, { currencyMultiplier: '7' }]) {
      expect((await send(handle, configurationCall(other), headers)).status).toBe(401);
    }
  });

  test('sent again unchanged is answered again: the RGS may repeat', async () => {
    const { handle } = handler(everything);
    const headers = headersFor(['round-1']);
    expect((await send(handle, autoCloseCall(), headers)).status).toBe(200);
    expect((await send(handle, autoCloseCall(), headers)).status).toBe(200);
  });
});

describe('getGameConfiguration', () => {
  test('gets what was asked, with the multiplier as it was written', async () => {
    const asked: unknown[] = [];
    const { handle } = handler({
      getGameConfiguration: (question) => {
        asked.push(question);
        return { ...config, currencyMultiplier: question.currencyMultiplier };
      },
    });
    await send(handle, configurationCall({ currencyMultiplier: '0.50' }));
    expect(asked).toEqual([
      { gameProviderId, gameCode: 'bells', currency: 'EUR', currencyMultiplier: '0.50' },
    ]);
  });

  test('numbers are written digit by digit, with the gameCode beside the config', async () => {
    const { handle } = handler({
      getGameConfiguration: ({ currency, currencyMultiplier }) => ({
        stakes: [9007199254740991n, ...scaleStakes(['2.5'], currencyMultiplier)],
        currency,
        currencyMultiplier,
        expectedRtp: '96.190',
        maxPayoutOdds: 5000n,
        volatility: 'high',
      }),
    });
    const { text } = await send(handle, configurationCall({ currencyMultiplier: '2.00' }));
    expect(text).toBe(
      '{"gameCode":"bells","config":{"stakes":[9007199254740991,5],"currency":"EUR",' +
        '"currencyMultiplier":2.00,"expectedRtp":96.190,"maxPayoutOdds":5000,"volatility":"high"}}',
    );
  });

  test("stakes that are not whole in a currency are the handler's error: 500", async () => {
    const { handle } = handler({
      getGameConfiguration: ({ currencyMultiplier }) => ({
        ...config,
        stakes: scaleStakes([5], currencyMultiplier),
      }),
    });
    expect((await send(handle, configurationCall({ currencyMultiplier: '0.5' }))).status).toBe(500);
  });

  test.each([null, undefined])('%s is 400 with error 9106', async (nothing) => {
    const { handle } = handler({ getGameConfiguration: () => nothing as null });
    const answer = await send(handle, configurationCall());
    expect(answer).toMatchObject({ status: 400, json: { errorCode: { id: 9106 } } });
  });

  test.each([
    ['stakes', { stakes: [] }],
    ['stakes', { stakes: [1.5] }],
    ['stakes', { stakes: undefined }],
    ['currency', { currency: 'SEK' }],
    ['currencyMultiplier', { currencyMultiplier: '5' }],
    ['expectedRtp', { expectedRtp: 'high' }],
    ['maxPayoutOdds', { maxPayoutOdds: Number.NaN }],
  ])(
    'a config whose %s is wrong (%j) is 500 and a line in the log, never half a config',
    async (name, wrong) => {
      const lines: object[] = [];
      const logger = {
        info: () => {},
        warn: () => {},
        error: (fields: object) => void lines.push(fields),
      };
      const { handle } = handler({
        getGameConfiguration: () => ({ ...config, ...wrong }) as typeof config,
        logger,
      });
      const answer = await send(handle, configurationCall());
      expect(answer).toMatchObject({ status: 500, json: { errorCode: { id: 9000 } } });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({
        operation: 'getGameConfiguration',
        errorReference: answer.headers['x-h-error-id'],
      });
      expect(String((lines[0] as { err: Error }).err)).toContain(name);
    },
  );

  test.each([
    ['currency', { currency: 'eur' }],
    ['gameCode', { gameCode: '' }],
    ['currencyMultiplier', { currencyMultiplier: '1e2' }],
    ['currencyMultiplier', { currencyMultiplier: '0' }],
    ['currencyMultiplier', { currencyMultiplier: '-1' }],
  ])('a query with a wrong %s (%j) is 400 with error 19', async (name, wrong) => {
    const answer = await send(handler(everything).handle, configurationCall(wrong));
    expect(answer).toMatchObject({ status: 400, json: { errorCode: { id: 19 } } });
    expect(answer.text).toContain(name);
  });
});

describe('getGameResult', () => {
  test('gets round, game and language; its result is sent with the round', async () => {
    const { handle } = handler({ getGameResult: (question) => ({ ...question, total: 7n }) });
    expect((await send(handle, resultCall())).json).toEqual({
      gameRound: 'round-1',
      result: { gameProviderId, gameRound: 'round-1', gameCode: 'bells', language: 'DE', total: 7 },
    });
  });

  test('null is 400 with error 14', async () => {
    const { handle } = handler({ getGameResult: () => null });
    expect(await send(handle, resultCall())).toMatchObject({
      status: 400,
      json: { errorCode: { id: 14 } },
    });
  });

  test('what JSON cannot hold is 500', async () => {
    const circle: Record<string, unknown> = {};
    for (let at = 0; at < 20; at++) circle[`again${at}`] = circle;
    for (const result of [{ draw: () => 1 }, Number.NaN, circle]) {
      const { handle } = handler({ getGameResult: () => result });
      expect((await send(handle, resultCall())).status).toBe(500);
    }
  });
});

describe('doAutoClose', () => {
  test('gets round and game, and is answered 200 once it is done', async () => {
    const closed: unknown[] = [];
    const { handle } = handler({ doAutoClose: async (round) => void closed.push(round) });
    expect((await send(handle, autoCloseCall())).status).toBe(200);
    expect(closed).toEqual([{ gameProviderId, gameRound: 'round-1', gameCode: 'bells' }]);
  });

  test('what it throws stays in the log: 500, and the RGS sends it again in an hour', async () => {
    const { handle } = handler({ doAutoClose: () => Promise.reject(new Error('db is down')) });
    const answer = await send(handle, autoCloseCall());
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('db is down');
    expect((await send(handle, autoCloseCall())).status).toBe(500);
  });

  test('a second call for a round waits for the first one and gets its result', async () => {
    let runs = 0;
    const waiting: (() => void)[] = [];
    const finish = () => waiting.splice(0).forEach((resolve) => resolve());
    const { handle } = handler({
      doAutoClose: () => {
        runs++;
        return new Promise<void>((resolve) => void waiting.push(resolve));
      },
    });
    const both = [send(handle, autoCloseCall()), send(handle, autoCloseCall())];
    await new Promise(setImmediate);
    expect(runs).toBe(1);
    finish();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    const third = send(handle, autoCloseCall());
    await new Promise(setImmediate);
    finish();
    expect([(await third).status, runs]).toEqual([200, 2]);
  });

  test('rounds do not wait for each other', async () => {
    const { handle } = handler({
      doAutoClose: ({ gameRound }) => (gameRound === 'slow' ? new Promise(() => {}) : null),
    });
    void send(handle, autoCloseCall('slow'));
    expect((await send(handle, autoCloseCall('fast'))).status).toBe(200);
  });

  test('once it is closed, each answer closes its connection, so that a caller who never pauses does not hold the server', async () => {
    const { handle, close } = handler(everything);
    const open = await send(handle, configurationCall());
    await close();
    const last = await send(handle, configurationCall());
    expect([open, last].map(({ headers }) => headers.connection)).toEqual([undefined, 'close']);
    expect(last.status).toBe(200);
  });

  test('after deadlineMs it is 503; the work continues, and close waits for it', async () => {
    const clock = new VirtualClock();
    const done: string[] = [];
    const { handle, close } = handler({
      clock,
      deadlineMs: 4000,
      doAutoClose: async () => {
        await clock.pause(10_000);
        done.push('closed');
      },
    });
    const answer = await clock.run(send(handle, autoCloseCall()));
    expect([answer.status, done]).toEqual([503, []]);
    await clock.run(close());
    expect(done).toEqual(['closed']);
  });
});

describe('what is not as C3 has it', () => {
  test('a path without a handler is 404; the router leaves it to the app', async () => {
    const { handle } = handler({ doAutoClose: () => {} });
    expect((await send(handle, resultCall())).status).toBe(404);
    let left = 0;
    const router = createGameProviderRouter({ providers, doAutoClose: () => {} });
    const next = () => void left++;
    void send((request, response) => router(request, response, next), resultCall());
    expect(left).toBe(1);
  });

  test('another method is 405, another content type 415, a body that is too long 413', async () => {
    const { handle } = handler({ ...everything, maxBodyBytes: 1024 });
    const get: Call = { method: 'GET', path: '/doAutoClose', signed: ['round-1'] };
    expect((await send(handle, get)).status).toBe(405);
    const headers = { ...headersFor(['round-1']), 'Content-Type': 'text/plain' };
    expect((await send(handle, autoCloseCall(), headers)).status).toBe(415);
    const long = { ...autoCloseCall(), body: JSON.stringify({ gameRound: 'x'.repeat(2000) }) };
    expect((await send(handle, long)).status).toBe(413);
  });

  test.each(['{"gameRound":"round-1","gameRound":"round-1"}', '{', '[]', '{}', '{"gameRound":7}x'])(
    'the body %s is 400 with error 19, or 401',
    async (body) => {
      const answer = await send(handler(everything).handle, { ...autoCloseCall(), body });
      expect([400, 401]).toContain(answer.status);
    },
  );

  test('a repeated parameter is 400', async () => {
    const call = configurationCall();
    const twice = { ...call, path: `${call.path}&currency=EUR` };
    expect((await send(handler(everything).handle, twice)).status).toBe(400);
  });

  test('your own ids and texts are used for errors, by code', async () => {
    const { handle } = handler({
      getGameResult: () => null,
      errors: { GAMEROUNDNOTFOUND: { id: 4014, clientmsg: 'No such game.' } },
    });
    const { json } = await send(handle, resultCall());
    expect(json).toEqual({
      errorCode: { id: 4014, msg: expect.any(String), clientmsg: 'No such game.' },
    });
  });
});

describe('onCall and the log', () => {
  test('every answer is reported with names, status and the reference of the reply', async () => {
    const events: ProviderCallEvent[] = [];
    const { handle } = handler({ ...everything, onCall: (event) => void events.push(event) });
    await send(handle, autoCloseCall());
    const refused = await send(handle, autoCloseCall(), {});
    expect(events).toEqual([
      {
        operation: 'doAutoClose',
        gameProviderId,
        gameRound: 'round-1',
        gameCode: 'bells',
        status: 200,
        errorReference: null,
        durationMs: expect.any(Number),
      },
      {
        operation: 'doAutoClose',
        gameProviderId: null,
        gameRound: null,
        gameCode: null,
        status: 401,
        errorReference: refused.headers['x-h-error-id'],
        durationMs: expect.any(Number),
      },
    ]);
  });

  test('a hook that throws changes no answer', async () => {
    const { handle } = handler({
      ...everything,
      onCall: () => {
        throw new Error('no');
      },
    });
    expect((await send(handle, autoCloseCall())).status).toBe(200);
  });

  test('of callers who are not verified twenty lines a second are written, and the others counted', async () => {
    const lines: unknown[] = [];
    const line = (fields: object) => void lines.push(fields);
    const clock = new VirtualClock();
    const logger = { info: line, warn: line, error: line };
    const { handle } = handler({ ...everything, clock, logger });
    for (let at = 0; at < 30; at++) await send(handle, autoCloseCall(), {});
    expect(lines).toHaveLength(20);
    await clock.pass(10_000);
    expect(lines).toHaveLength(21);
    expect(lines[20]).toEqual({ leftOut: 10 });
  });

  test.each(fullLogs)('a logger whose functions %s fails no call', async (_, logger) => {
    const clock = new VirtualClock();
    const { handle } = handler({ ...everything, clock, logger, onCall: failingHook });
    const unhandled = await unhandledIn(async () => {
      expect((await send(handle, autoCloseCall())).status).toBe(200);
      for (let at = 0; at < 30; at++) await send(handle, autoCloseCall(), {});
      await clock.pass(10_000);
    });
    expect(unhandled).toEqual([]);
  });

  test('no secret and no signature is logged', async () => {
    const lines: unknown[] = [];
    const line = (fields: object, text: string) => void lines.push([fields, text]);
    const { handle } = handler({ ...everything, logger: { info: line, warn: line, error: line } });
    const headers = headersFor(['round-2']);
    await send(handle, autoCloseCall(), headers);
    await send(handle, autoCloseCall(), { ...headers, 'X-H-AUTH-ID': secret });
    expect(lines).toHaveLength(2);
    const logged = JSON.stringify(lines);
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(headers['X-H-AUTH-SIG']);
  });
});

describe('options are checked at creation', () => {
  test.each([
    [{}, 'at least one of'],
    [{ doAutoClose: 1 }, 'doAutoClose must be a function'],
    [{ doAutoclose: () => {} }, 'did you mean doAutoClose?'],
    [{ ...everything, deadlineMs: 0 }, 'deadlineMs'],
    [{ ...everything, signedFields: { health: 'x' } }, 'signedFields/health'],
    [{ ...everything, errors: { NOPE: {} } }, 'errors has an unknown code'],
    [{ ...everything, clock: {} }, 'clock must have a function now'],
    [{ ...everything, providers: [] }, 'providers'],
    [
      { ...everything, providers: [{ gameProviderId: 'a#b', secrets: [secret] }] },
      'gameProviderId',
    ],
    [{ ...everything, providers: [{ gameProviderId: 'a', secrets: ['short'] }] }, 'secrets/0'],
  ])('%j', (options, problem) => {
    const create = () =>
      createGameProviderRouter({ providers, ...options } as unknown as GameProviderOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(problem);
  });
});
