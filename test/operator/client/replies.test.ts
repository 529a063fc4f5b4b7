import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ExactNumber,
  InvalidReplyError,
  readExactAmount,
  type RgsClient,
  ServiceError,
} from '../../../lib/operator/client';
import { writeJson } from '../../../lib/protocol/json/write';
import { rejectionOf, scriptedClient, secret } from './scripted-fetch';

const gift = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 's',
  currency: 'EUR',
  stake: '1',
  count: 5,
} as const;
const calls = {
  package: (client: RgsClient) => client.assignPlayerFreerounds(gift),
  statistics: (client: RgsClient) => client.getStats(),
  configuration: (client: RgsClient) =>
    client.getGameConfiguration({ gameCode: 'bells', currency: 'EUR' }),
  list: (client: RgsClient) => client.getGameList(),
  further: (client: RgsClient) => client.call({ method: 'GET', path: '/x' }),
} as const;

const decimal = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?([eE][+-]?\d{1,2})?$/);

test('a package keeps what came, counts as integers and the rest exactly', async () => {
  const { client } = scriptedClient([
    '{"serial":"s","internalid":"i","count":5.0,"used":1e0,"expires":"2026-04-01T00:00:00Z","worth":[2.50],"errorCode":null}',
  ]);
  const { further, ...known } = await calls.package(client);
  expect(known).toEqual({
    serial: 's',
    internalid: 'i',
    count: 5,
    used: 1,
    expires: '2026-04-01T00:00:00Z',
  });
  expect({ ...further }).toEqual({ worth: [new ExactNumber('2.50')] });
});

test('what a package does not have is null', async () => {
  const { client } = scriptedClient(['{"serial":"s","count":5,"used":0}']);
  expect(await calls.package(client)).toMatchObject({ internalid: null, expires: null });
});

test('statistics keep amounts as the texts that came, games below zero for voids of another day, and whatever further keys there are', async () => {
  const { client } = scriptedClient([
    `{"records":[{"DAY":"2026-03-01","currency":"EUR","games":-3,"player":2,"bet":"10.50","win":"-3.20",
      "betInEuro":"10.50","winInEuro":"-3.20","RTP":96.190,"margin":0.10000000000000000001},{}],"page":1}`,
  ]);
  const { records, further } = await calls.statistics(client);
  expect(records[0]).toMatchObject({
    DAY: '2026-03-01',
    currency: 'EUR',
    games: -3,
    player: 2,
    bet: '10.50',
    win: '-3.20',
    betInEuro: '10.50',
    winInEuro: '-3.20',
    RTP: '96.190',
  });
  expect(records[0]?.further).toMatchObject({ margin: { text: '0.10000000000000000001' } });
  expect(records[1]).toMatchObject({ DAY: null, games: null, bet: null, RTP: null });
  expect(further).toMatchObject({ page: { text: '1' } });
});

test.each(['nested', 'flat'])(
  'every number of a %s configuration keeps its text',
  async (shape) => {
    await fc.assert(
      fc.asyncProperty(fc.array(decimal), decimal, decimal, async (stakes, odds, more) => {
        const config = `"stakes":[${stakes.join()}],"currency":"EUR","maxWinOdds":${odds},"more":${more}`;
        const nested = shape === 'nested' ? `"config":{${config}}` : config;
        const { client } = scriptedClient([`{"gameCode":"bells",${nested}}`]);
        const reply = await calls.configuration(client);
        expect(reply).toMatchObject({ gameCode: 'bells', maxWinOdds: odds, maxPayout: null });
        expect(reply.stakes).toEqual(stakes);
        expect({ ...reply.further }).toEqual({ more: new ExactNumber(more) });
      }),
    );
  },
);

test('the list of games has names and studios by gameCode', async () => {
  const { client } = scriptedClient([
    '{"gameList":{"bells":"Bells"},"extendedGameList":{"bells":{"name":"Bells","studio":"North","rtp":96.0}}}',
  ]);
  const { gameList, extendedGameList } = await calls.list(client);
  expect({ ...gameList }).toEqual({ bells: 'Bells' });
  expect(extendedGameList['bells']).toMatchObject({ name: 'Bells', studio: 'North' });
  expect(extendedGameList['bells']?.further).toMatchObject({ rtp: { text: '96.0' } });
});

test('whatever JSON a further call is answered, it is written again as it came', async () => {
  const json = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      decimal,
      fc.constantFrom('true', 'false', 'null', '"x"', '""'),
      fc.array(tie('any'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
      fc
        .array(tie('any'), { maxLength: 3 })
        .map((items) => `{${items.map((item, index) => `"k${index}":${item}`).join()}}`),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(json, async (text) => {
      const { client } = scriptedClient([text]);
      expect(writeJson(await calls.further(client))).toBe(text);
    }),
  );
});

test('a further call that is answered nothing resolves to null', async () => {
  const { client } = scriptedClient([[204, '']]);
  expect(await calls.further(client)).toBeNull();
});

describe('a reply that does not fit the call is refused, naming the wrong field without repeating it', () => {
  test.each<[keyof typeof calls, string, string]>([
    ['package', '{"count":5,"used":0}', '/serial'],
    ['package', '{"serial":"another","count":5,"used":0}', '/serial'],
    ['package', '{"serial":"s","count":"5","used":0}', '/count'],
    ['package', '{"serial":"s","count":9007199254740993,"used":0}', '/count'],
    ['package', '{"serial":"s","count":5.00000000000000000001,"used":0}', '/count'],
    ['package', '{"serial":"s","count":5,"used":-1}', '/used'],
    ['package', '{"serial":"s","count":5,"used":0.5}', '/used'],
    ['package', '', ''],
    ['statistics', '{}', '/records'],
    ['statistics', '{"records":[{},{"games":1.5}]}', '/records/1/games'],
    ['statistics', '{"records":[{"bet":10.5}]}', '/records/0/bet'],
    ['statistics', '{"records":[{"RTP":"96"}]}', '/records/0/RTP'],
    ['statistics', '{"records":[1]}', '/records/0'],
    ['configuration', '{"config":{"stakes":[],"currency":"EUR"}}', '/gameCode'],
    ['configuration', '{"gameCode":"b","config":[]}', '/config'],
    ['configuration', '{"gameCode":"b","config":{"currency":"EUR"}}', '/config/stakes'],
    [
      'configuration',
      '{"gameCode":"b","config":{"stakes":["1"],"currency":"EUR"}}',
      '/config/stakes/0',
    ],
    ['configuration', '{"gameCode":"b","stakes":[],"currency":"USD"}', '/currency'],
    ['list', '{}', '/extendedGameList'],
    ['list', '{"gameList":{"bells":1}}', '/gameList/bells'],
    ['list', '{"extendedGameList":{"bells":{}}}', '/extendedGameList/bells/name'],
    ['list', '{"gameList":{},"gameList":{}}', ''],
    ['list', '{"gameList":{"__proto__":"x"}}', ''],
    ['further', '{"a":', ''],
    ['further', '{"errorCode":{"msg":"x"}}', '/errorCode'],
  ])('%s %s', async (name, text, field) => {
    const { client, sent } = scriptedClient([text]);
    const error = await rejectionOf(calls[name](client));
    expect(error).toBeInstanceOf(InvalidReplyError);
    expect(error).toMatchObject({ code: 'INVALID_REPLY', status: 200, field, attempts: 1 });
    expect(sent).toHaveLength(1);
  });
});

test('no control character of a reply reaches an error (they can be logged as they are)', async () => {
  const steering = 'a\u009b31m\u0007\r\n\u2028b';
  const escaped = String.raw`a\u009b31m\u0007\u000d\u000a\u2028b`;
  const said = { id: 7, msg: steering, clientmsg: `${steering}\nc` };
  const { client } = scriptedClient([[400, JSON.stringify({ errorCode: said })]]);
  const error = (await rejectionOf(client.getGameList())) as ServiceError;
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.message).toBe(`getGameList: the service answered 400, error 7: ${escaped}`);
  expect(error.msg).toBe(escaped);
  // For the player: line breaks are kept.
  expect(error.clientmsg).toBe(`${escaped.replace(String.raw`\u000a`, '\n')}\nc`);

  const named = scriptedClient([JSON.stringify({ gameList: { [steering]: 1 } })]).client;
  const fault = (await rejectionOf(named.getGameList())) as InvalidReplyError;
  expect(fault).toMatchObject({ field: `/gameList/${escaped}` });
  expect(fault.message).not.toMatch(/[\p{Cc}\u2028]/u);
});

test('a place in a reply that holds the secret is withheld, a long one is cut', async () => {
  for (const key of [secret, 'x'.repeat(100_000)]) {
    const { client } = scriptedClient([JSON.stringify({ gameList: { [key]: 1 } })]);
    const fault = (await rejectionOf(client.getGameList())) as InvalidReplyError;
    expect(fault.message).not.toContain(secret);
    expect(fault.message.length).toBeLessThan(600);
  }
});

test('a reply above maxReplyBytes is refused, one of as many bytes is read', async () => {
  const reply = `{"gameList":{"a":"${'x'.repeat(1024 - 20)}"}}`;
  const size = Buffer.byteLength(reply);
  expect(await scriptedClient([reply], { maxReplyBytes: size }).client.getGameList()).toBeDefined();
  const { client } = scriptedClient([reply], { maxReplyBytes: size - 1 });
  expect(await rejectionOf(client.getGameList())).toMatchObject({
    code: 'INVALID_REPLY',
    field: '',
  });
});

test('an amount of a reply is read into units, below zero too, and never rounded', () => {
  expect(readExactAmount('10.50', 2)).toBe(1050n);
  expect(readExactAmount('-3.20', 4)).toBe(-32_000n);
  expect(readExactAmount('-0', 2)).toBe(0n);
  for (const text of ['1.005', '', '-', '--1', 'x', '1e30', '9007199254740992']) {
    expect(() => readExactAmount(text, 2)).toThrow(TypeError);
  }
});
