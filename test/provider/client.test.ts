import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  createGameEngineClient,
  type EngineCall,
  type GameEngineClient,
  type GameEngineClientOptions,
  GameEngineError,
} from '../../lib/provider';
import { VirtualClock } from '../../lib/platform/virtual-clock';
import type { AttemptEvent } from '../../lib/protocol/client/ports';
import { failingHook, fullLogs } from '../platform/full-logger';
import { unhandledIn } from '../support/unhandled';
import { type Fault, gameProviderId, ScriptedRgs, secret } from './scripted-rgs';

const round = { token: 't', gameRound: 'round-1' };
const debitInformation = {
  debitAmount: 100,
  currency: 'EUR',
  externalGameProviderTransactionId: 'bet-1',
};
const start = {
  token: 't',
  rngResult: {},
  debitInformation,
  endGame: false,
  externalGameProviderRoundId: 'round-1',
};

/** A valid request of each call. */
const requests: { readonly [Name in EngineCall]: Parameters<GameEngineClient[Name]>[0] } = {
  startGameRound: start,
  startGameOrAddBet: start,
  addWin: { ...round, rngResult: { winAmount: 250 } },
  endGameRound: round,
  voidGameRound: round,
  collectWin: round,
  wagerWin: {
    ...round,
    rngResult: { winAmount: 0n },
    wagerInformation: { wagerAmount: '5', currency: 'EUR' },
  },
  addSpinCounterGameState: {
    ...round,
    counterType: 'customspin',
    rngResult: { rngCallId: 'r', result: { awarded: 1 } },
    gameStateResult: {},
  },
  getGameRoundInfo: round,
  getGameRoundHistoryInfo: round,
  getUncollectedAmount: round,
  getAvailableSpinCounter: { ...round, counterType: 'customspin' },
  getTokenForGameRound: { gameRound: 'round-1' },
  getBalance: { token: 't' },
  getTokenData: { token: 't' },
  getLastGameRounds: { token: 't' },
  getPlayerData: { token: 't' },
  setPlayerData: { token: 't', data: { data: { level: 3 } } },
  getRandomResult: { token: 't', rngEndPoint: 'getIntegers', rngPayload: { max: 6 } },
  testPing: { testData: 'hello' },
  getOperatorSettings: { game: 'bells', operator: 'casino', currency: 'EUR' },
};

/** Calls a method by its name. */
function make(client: GameEngineClient, name: EngineCall): Promise<unknown> {
  const method = client[name] as (request: unknown) => Promise<unknown>;
  return method(requests[name]);
}

async function attemptsAfter(name: EngineCall, fault: Fault): Promise<number> {
  const rgs = new ScriptedRgs();
  rgs.faults = [fault, fault, fault, fault];
  const error = await rgs.failure(make(rgs.client(), name));
  expect(error).toBeInstanceOf(GameEngineError);
  expect(error).toMatchObject({ outcome: 'unknown' });
  return rgs.sent.length;
}

describe('classes of repetition (S1)', () => {
  const repeated: EngineCall[] = [
    'getGameRoundInfo',
    'getGameRoundHistoryInfo',
    'getBalance',
    'getPlayerData',
    'getOperatorSettings',
    'getAvailableSpinCounter',
    'getUncollectedAmount',
    'getTokenData',
    'getLastGameRounds',
    'testPing',
    'setPlayerData',
    'getTokenForGameRound',
    'voidGameRound',
  ];
  const once: EngineCall[] = [
    'startGameRound',
    'startGameOrAddBet',
    'addWin',
    'wagerWin',
    'addSpinCounterGameState',
    'endGameRound',
    'collectWin',
    'getRandomResult',
  ];

  test('every call is in one class', () => {
    expect([...repeated, ...once].toSorted()).toEqual(Object.keys(requests).toSorted());
  });

  test.each(repeated)('%s is sent three times after 5xx and network failures', async (name) => {
    expect(await attemptsAfter(name, 'busy')).toBe(3);
    expect(await attemptsAfter(name, 'lost')).toBe(3);
  });

  test.each(once)('%s is sent once, after any failure', async (name) => {
    for (const fault of ['busy', 'lost', 'replyLost', 'broken', 'nonsense'] as const) {
      expect(await attemptsAfter(name, fault)).toBe(1);
    }
  });

  test.each(repeated)('%s is not repeated after a 4xx', async (name) => {
    const rgs = new ScriptedRgs();
    rgs.answers.set(name, [[400, { errorCode: { id: 1008, msg: 'no' } }]]);
    const error = await rgs.failure(make(rgs.client(), name));
    expect(error).toMatchObject({ outcome: 'refused', attempts: 1, id: 1008 });
    expect(rgs.sent).toHaveLength(1);
  });
});

describe('a signature (E2.2, E2.3)', () => {
  test('covers the bytes that are sent, and is new at each attempt', async () => {
    const rgs = new ScriptedRgs();
    rgs.faults = ['busy', 'lost'];
    await rgs.failure(rgs.client().getGameRoundInfo(round));
    expect(rgs.sent).toHaveLength(3);
    const of = (name: string) => new Set(rgs.sent.map(({ headers }) => headers[name]));
    expect(new Set(rgs.sent.map(({ text }) => text)).size).toBe(1);
    expect([of('X-H-AUTH-SIG').size, of('X-H-TIMESTAMP').size]).toEqual([3, 3]);
    expect(of('X-H-AUTH-ID')).toEqual(new Set([gameProviderId]));
  });

  test('is that of the vectors', async () => {
    const text = readFileSync(join(__dirname, '../../vectors/engine.json'), 'utf8');
    const { vectors } = JSON.parse(text) as { vectors: Vector[] };
    const pings = vectors.filter(({ call, body, valid }) => {
      return valid && call === 'testPing' && body === JSON.stringify(JSON.parse(body ?? '0'));
    });
    expect(pings.length).toBeGreaterThan(1);
    for (const { timestamp, body = '', signature, ...vector } of pings) {
      const sent: Record<string, string>[] = [];
      const client = createGameEngineClient({
        baseUrl: 'https://rgs.example',
        gameProviderId: vector.gameProviderId,
        secret: vector.secret,
        clock: new VirtualClock(Date.parse(timestamp)),
        fetch: async (_, { headers, body: bytes }) => {
          sent.push({ ...headers, body: String(bytes) });
          return new Response('{"testDataReceived":1}');
        },
      });
      const { testData } = JSON.parse(body) as { testData: string };
      await client.testPing({ testData });
      expect(sent).toMatchObject([{ 'X-H-AUTH-SIG': signature, body }]);
    }
  });

  test.each(['', '{}'] as const)(
    'of a GET covers %j by the option emptyBodyAs',
    async (emptyBodyAs) => {
      const rgs = new ScriptedRgs();
      const client = rgs.client({ emptyBodyAs });
      await rgs.failure(client.getOperatorSettings(requests.getOperatorSettings));
      const signed = rgs.sent[0]?.headers['X-H-AUTH-SIG'];
      const other = new ScriptedRgs();
      const settings = other.client({ emptyBodyAs: emptyBodyAs === '' ? '{}' : '' });
      await other.failure(settings.getOperatorSettings(requests.getOperatorSettings));
      expect(signed).not.toBe(other.sent[0]?.headers['X-H-AUTH-SIG']);
      expect(rgs.sent[0]?.url.search).toBe('?game=bells&operator=casino&currency=EUR');
    },
  );
});

interface Vector {
  readonly call: string;
  readonly valid: boolean;
  readonly secret: string;
  readonly gameProviderId: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body?: string;
}

test.each(fullLogs)('a logger whose functions %s fails no call', async (_, logger) => {
  const rgs = new ScriptedRgs();
  rgs.faults = ['busy'];
  const client = rgs.client({ logger, onAttempt: failingHook });
  const unhandled = await unhandledIn(async () => {
    expect(await rgs.failure(client.getBalance({ token: 't' }))).toMatchObject({ attempts: 2 });
  });
  expect(unhandled).toEqual([]);
});

test('X-Request-Id is a fresh UUID at each attempt, reported by onAttempt (E2.5)', async () => {
  const rgs = new ScriptedRgs();
  rgs.faults = ['busy'];
  const events: AttemptEvent[] = [];
  const client = rgs.client({ onAttempt: (event) => void events.push(event) });
  await rgs.failure(client.getBalance({ token: 't' }));
  const ids = rgs.sent.map(({ headers }) => headers['X-Request-Id']);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/);
  expect(events.map(({ requestId }) => requestId)).toEqual(ids);
  expect(events).toMatchObject([
    { outcome: 'failed', status: 503, willRetry: true },
    { outcome: 'failed', status: 400, willRetry: false },
  ]);
});

describe('amounts (E4.1)', () => {
  test.each([[250n], [250], ['250']])('%p is sent as the integer 250', async (winAmount) => {
    const rgs = new ScriptedRgs();
    await rgs.run(rgs.client().startGameRound(start));
    await rgs.run(rgs.client().addWin({ ...round, rngResult: { winAmount } }));
    expect(rgs.sent[1]?.text).toContain('"winAmount":250}');
  });

  test('an amount above 2^53 keeps every digit in replies and is a bigint', async () => {
    const rgs = new ScriptedRgs();
    rgs.answers.set('getUncollectedAmount', []);
    const client = rgs.client({
      fetch: async () =>
        new Response(
          '{"tokenData":{"operatorId":"o","playerId":"p","gameId":"g","mode":"REAL","currency":"EUR","currentToken":"t"},' +
            '"amountToCollect":9007199254740991,"later":9007199254740993.10}',
        ),
    });
    const reply = await rgs.run(client.getUncollectedAmount(round));
    expect(reply.amountToCollect).toBe(9007199254740991n);
  });

  test.each([[-1], [0.5], ['1.5'], [2 ** 53], ['-1'], ['1e3'], [Number.NaN], [null]])(
    '%p is refused before anything is sent',
    async (winAmount) => {
      const rgs = new ScriptedRgs();
      const call = rgs.client().addWin({ ...round, rngResult: { winAmount: winAmount as number } });
      const error = await rgs.failure(call);
      expect(error).toMatchObject({ code: 'INVALID_REQUEST', outcome: 'nothing', attempts: 0 });
      expect(error.message).toContain('winAmount');
      expect(rgs.sent).toEqual([]);
    },
  );
});

describe('a request is checked before it is sent (E4.2)', () => {
  const long = 'x'.repeat(33);
  test.each<[EngineCall, object, string]>([
    [
      'startGameRound',
      { ...start, externalGameProviderRoundId: long },
      'externalGameProviderRoundId',
    ],
    [
      'addWin',
      { ...requests.addWin, externalGameProviderTransactionId: long },
      'externalGameProviderTransactionId',
    ],
    ['addWin', { ...requests.addWin, gameRound: undefined }, 'gameRound'],
    ['addWin', { ...requests.addWin, gameRound: 'a#b' }, 'gameRound'],
    ['getBalance', {}, 'token'],
    ['getOperatorSettings', { game: 'bells', operator: 'casino' }, 'currency'],
    ['setPlayerData', { token: 't', data: {} }, 'data'],
  ])('%s %j names %s', async (name, request, field) => {
    const rgs = new ScriptedRgs();
    const method = rgs.client()[name] as (given: unknown) => Promise<unknown>;
    const error = await rgs.failure(method(request));
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', outcome: 'nothing' });
    expect(error.message).toContain(field);
    expect(rgs.sent).toEqual([]);
  });

  test.each([[null], [undefined], ['text'], [[]]])('%p is not a request', async (request) => {
    const rgs = new ScriptedRgs();
    const method = rgs.client().getBalance as (given: unknown) => Promise<unknown>;
    expect(await rgs.failure(method(request))).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('errors (S1, E3)', () => {
  test.each([
    ['a 4xx', [400, { errorCode: { id: 13, msg: 'm', clientmsg: 'c' } }], 'refused', 13],
    ['{error: {id, message}}', [400, { error: { id: 13, message: 'm' } }], 'refused', 13],
    ['{error: {code, message}}', [400, { error: { code: 13, message: 'm' } }], 'refused', 13],
    ['{id, msg}', [400, { id: 13, msg: 'm' }], 'refused', 13],
    ['{code, message}', [400, { code: 13, message: 'm' }], 'refused', 13],
    ['no body that can be read', [404, 'nothing here'], 'refused', null],
    ['a 5xx', [500, { errorCode: { id: 13, msg: 'm' } }], 'unknown', 13],
    ['an error beside 200', [200, { errorCode: { id: 13, msg: 'm' } }], 'unknown', 13],
  ] as const)('%s', async (_, answer, outcome, id) => {
    const rgs = new ScriptedRgs();
    rgs.answers.set('addWin', [answer]);
    const error = await rgs.failure(make(rgs.client(), 'addWin'));
    expect(error).toMatchObject({
      code: 'SERVICE_ERROR',
      status: answer[0],
      outcome,
      id,
      serviceCode: id === 13 ? 'GAMEROUNDNOTACTIVE' : null,
      errorReference: 'ref-1',
    });
  });

  test('a 401 is a refused signature, and says what to check', async () => {
    const rgs = new ScriptedRgs();
    const error = await rgs.failure(
      make(rgs.client({ secret: 'another-secret-0123456' }), 'addWin'),
    );
    expect(error).toMatchObject({ code: 'SIGNATURE_REFUSED', outcome: 'refused', status: 401 });
    expect(error.message).toContain('game provider ID');
  });

  test('a reply that is not as C2 has it leaves the outcome unknown', async () => {
    const rgs = new ScriptedRgs();
    rgs.answers.set('addWin', [[200, { gameRoundInfo: {} }]]);
    const error = await rgs.failure(make(rgs.client(), 'addWin'));
    expect(error).toMatchObject({ code: 'INVALID_REPLY', outcome: 'unknown' });
  });

  test('silence is a time-out of unknown outcome', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client({ fetch: () => new Promise(() => {}), attemptTimeoutMs: 500 });
    const error = await rgs.failure(make(client, 'addWin'));
    expect(error).toMatchObject({ code: 'TIMED_OUT', outcome: 'unknown', attempts: 1 });
  });

  test('an abort before anything is sent did nothing; after that it is unknown', async () => {
    const rgs = new ScriptedRgs();
    const before = AbortSignal.abort();
    const call = rgs.client().endGameRound(round, { signal: before });
    expect(await rgs.failure(call)).toMatchObject({ code: 'ABORTED', outcome: 'nothing' });
    const aborter = new AbortController();
    const client = rgs.client({ fetch: () => new Promise(() => aborter.abort()) });
    const sent = client.endGameRound(round, { signal: aborter.signal });
    expect(await rgs.failure(sent)).toMatchObject({ code: 'ABORTED', outcome: 'unknown' });
  });

  test('no error holds the secret, a signature or a token', async () => {
    const rgs = new ScriptedRgs();
    rgs.answers.set('addWin', [[400, { errorCode: { id: 19, msg: `bad ${secret}` } }]]);
    const error = await rgs.failure(make(rgs.client(), 'addWin'));
    expect(JSON.stringify([Object.entries(error), error.message])).not.toContain(secret);
  });
});

/** A server with the round open. */
async function opened(): Promise<ScriptedRgs> {
  const rgs = new ScriptedRgs();
  await rgs.run(rgs.client().startGameRound(start));
  return rgs;
}

describe('voidGameRound (S1, G 7.3)', () => {
  test('a 13 after a lost attempt that voided is success, by the history', async () => {
    const rgs = await opened();
    rgs.faults = ['replyLost'];
    const reply = await rgs.run(rgs.client().voidGameRound(round));
    expect(reply.passThroughData).toMatchObject({ outcome: 'voided' });
    expect(rgs.names.slice(1)).toEqual([
      'voidGameRound',
      'voidGameRound',
      'getGameRoundHistoryInfo',
    ]);
  });

  test('a 13 at the first attempt is thrown', async () => {
    const rgs = await opened();
    await rgs.run(rgs.client().voidGameRound(round));
    const error = await rgs.failure(rgs.client().voidGameRound(round));
    expect(error).toMatchObject({ id: 13, outcome: 'refused' });
    expect(rgs.names.slice(1)).toEqual(['voidGameRound', 'voidGameRound']);
  });

  test('a 13 after a lost attempt is thrown where the round was ended and not voided', async () => {
    const rgs = await opened();
    await rgs.run(rgs.client().endGameRound(round));
    rgs.faults = ['lost'];
    const error = await rgs.failure(rgs.client().voidGameRound(round));
    expect(error).toMatchObject({ id: 13, outcome: 'refused' });
  });

  test.each([
    [429, 9107],
    [400, 1008],
    [401, 1001],
  ])(
    'a refusal by %i and %i after a lost attempt does not say that nothing happened',
    async (status, id) => {
      const rgs = await opened();
      rgs.faults = ['replyLost'];
      const refuse = () => rgs.answers.set('voidGameRound', [[status, { errorCode: { id } }]]);
      const error = await rgs.failure(rgs.client({ onAttempt: refuse }).voidGameRound(round));
      expect(error).toMatchObject({ id, attempts: 2, outcome: 'unknown' });
    },
  );

  test('a refused history after a 13 leaves the outcome unknown; of a bet that was never taken it is known', async () => {
    for (const [id, outcome] of [
      [1008, 'unknown'],
      [9107, 'unknown'],
      [15, 'refused'],
    ] as const) {
      const rgs = await opened();
      rgs.faults = ['replyLost'];
      rgs.answers.set('getGameRoundHistoryInfo', [[400, { errorCode: { id } }]]);
      const error = await rgs.failure(rgs.client().voidGameRound(round));
      expect(error).toMatchObject({ id: 13, outcome });
    }
  });

  test('a round in play asks for the outcome of a void that was lost, and then refused (S2)', async () => {
    const rgs = new ScriptedRgs();
    const refusals = [[429, { errorCode: { id: 9107 } }]] as const;
    let voids = 0;
    const onAttempt = ({ operation }: { readonly operation: string }) => {
      if (operation === 'voidGameRound' && ++voids === 1) rgs.answers.set(operation, [...refusals]);
    };
    const client = rgs.client({ onAttempt });
    const played = await rgs.run(client.openRound({ token: 't', stake: 100, currency: 'EUR' }));
    rgs.faults = ['replyLost'];
    const reply = await rgs.run(played.void());
    expect(reply.passThroughData).toMatchObject({ outcome: 'voided' });
    expect(played.lost).toBeNull();
  });

  test('a history that cannot be read leaves the outcome unknown', async () => {
    const rgs = await opened();
    rgs.faults = ['replyLost', 'none', 'lost', 'lost', 'lost'];
    const error = await rgs.failure(rgs.client().voidGameRound(round));
    expect(error).toMatchObject({ code: 'NETWORK_FAILURE', outcome: 'unknown' });
  });
});

describe('options are checked at creation', () => {
  test.each([
    [{ baseUrl: 'http://rgs.example' }, 'baseUrl must be https://'],
    [{ baseUrl: 'ftp://rgs.example' }, 'baseUrl must be an https:// address'],
    [{ gameProviderId: 'a#b' }, 'gameProviderId must not contain #'],
    [{ gameProviderId: '' }, 'gameProviderId'],
    [{ secret: 'short' }, 'secret'],
    [{ attempts: 0 }, 'attempts'],
    [{ emptyBodyAs: 'null' }, 'emptyBodyAs'],
    [{ newId: 'x' }, 'newId must be a function'],
    [{ attemptTimeout: 5 }, 'did you mean attemptTimeoutMs?'],
  ])('%j', (wrong, problem) => {
    const options = { baseUrl: 'https://rgs.example', gameProviderId, secret, ...wrong };
    const create = () => createGameEngineClient(options as GameEngineClientOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(problem);
  });

  test.each(['http://127.0.0.1:8090/gameapi/v2', 'http://localhost:1'])(
    '%s may be http',
    (baseUrl) => {
      expect(() => createGameEngineClient({ baseUrl, gameProviderId, secret })).not.toThrow();
    },
  );
});
