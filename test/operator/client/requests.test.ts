import { describe, expect, test } from '@jest/globals';
import {
  ExactNumber,
  type FreeroundsRequest,
  type FurtherRequest,
  type GameConfigurationRequest,
  InvalidRequestError,
  type StatisticsRequest,
} from '../../../lib/operator/client';
import { rejectionOf, scriptedClient } from './scripted-fetch';

const gift: FreeroundsRequest = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 'gift-1',
  currency: 'EUR',
  stake: '0.50',
  count: 5,
};
const granted = '{"serial":"gift-1","count":5,"used":0}';

async function expectRefusal(
  field: string,
  call: (client: ReturnType<typeof scriptedClient>['client']) => Promise<unknown>,
): Promise<void> {
  const { client, sent } = scriptedClient(['{}']);
  const error = await rejectionOf(call(client));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', field, attempts: 0 });
  expect(sent).toEqual([]);
}

describe('a package that cannot be sent as it was given is refused before anything is sent', () => {
  test.each<[string, object, string]>([
    ['no playerId', { playerId: undefined }, 'playerId'],
    ['an empty gameCode', { gameCode: '' }, 'gameCode'],
    ['a serial with #', { serial: 'a#b' }, 'serial'],
    ['a serial with a newline', { serial: 'a\nb' }, 'serial'],
    ['a playerId of 129 characters', { playerId: 'x'.repeat(129) }, 'playerId'],
    ['a lone surrogate', { playerId: '\ud800' }, 'playerId'],
    ['a currency in lower case', { currency: 'eur' }, 'currency'],
    ['a stake of 0', { stake: 0 }, 'stake'],
    ['a stake of 0.00', { stake: '0.00' }, 'stake'],
    ['a stake below 0', { stake: '-1' }, 'stake'],
    ['a float', { stake: 0.5 }, 'stake'],
    ['an integer that is not safe', { stake: 2 ** 53 }, 'stake'],
    ['a bigint that a double does not hold', { stake: 2n ** 53n }, 'stake'],
    ['a stake with an exponent', { stake: '1e2' }, 'stake'],
    ['a stake that JSON does not have', { stake: '.5' }, 'stake'],
    ['a stake with a leading zero', { stake: '05' }, 'stake'],
    ['a stake with white space', { stake: '5 ' }, 'stake'],
    ['a stake that would add a field', { stake: '5,"count":1' }, 'stake'],
    ['nine decimals', { stake: '0.000000001' }, 'stake'],
    ['no stake', { stake: undefined }, 'stake'],
    ['a count of 0', { count: 0 }, 'count'],
    ['half a count', { count: 1.5 }, 'count'],
    ['a count that is a text', { count: '5' }, 'count'],
    ['an invalid day', { expires: '2026-02-30T00:00:00Z' }, 'expires'],
    ['a day without a time', { expires: '2026-02-28' }, 'expires'],
    ['an invalid Date', { expires: new Date('x') }, 'expires'],
    ['a field that is not known', { mode: 'REAL' }, 'the request'],
  ])('%s', async (_, wrong, field) => {
    await expectRefusal(field, (client) => client.assignPlayerFreerounds({ ...gift, ...wrong }));
  });
});

test.each<[FreeroundsRequest['stake'], string]>([
  ['0.50', '0.50'],
  ['10.00', '10.00'],
  [100n, '100'],
  [100, '100'],
  ['9007199254740991', '9007199254740991'],
])('a stake of %p is sent as %s', async (stake, text) => {
  const { client, sent } = scriptedClient([granted]);
  await client.assignPlayerFreerounds({ ...gift, stake });
  expect(sent[0]?.init.body).toContain(`"stake":${text},`);
});

test.each<[NonNullable<FreeroundsRequest['expires']>, string]>([
  [new Date(Date.UTC(2026, 3, 1)), '2026-04-01T00:00:00.000Z'],
  ['2026-04-01T00:00:00+02:00', '2026-04-01T00:00:00+02:00'],
])('an end of %p is sent as %s', async (expires, text) => {
  const { client, sent } = scriptedClient([granted]);
  await client.assignPlayerFreerounds({ ...gift, expires });
  expect(sent[0]?.init.body).toContain(`"expires":"${text}"`);
});

describe('a statistics request that is not valid is refused before anything is sent', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  test.each<[string, unknown, string]>([
    ['null', null, 'the request'],
    ['groupBy that is a text', { groupBy: 'DAY' }, 'groupBy'],
    ['an invalid day', { filterBy: { dateFrom: '2026-02-30' } }, 'filterBy/dateFrom'],
    ['a day with a time', { filterBy: { dateFrom: '2026-02-03T00' } }, 'filterBy/dateFrom'],
    [
      'an end before the start',
      { filterBy: { dateFrom: '2026-02-03', dateToIncluding: '2026-02-02' } },
      'filterBy/dateToIncluding',
    ],
    ['NaN', { filterBy: { odds: Number.NaN } }, 'filterBy/odds'],
    ['an integer that is not safe', { filterBy: { id: 2 ** 60 } }, 'filterBy/id'],
    ['a Date', { filterBy: { since: new Date() } }, 'filterBy/since'],
    ['a bigint', { filterBy: { id: 1n } }, 'filterBy/id'],
    ['a number that adds a field', { filterBy: { id: new ExactNumber('1,"a":2') } }, 'filterBy/id'],
    ['a lone surrogate', { filterBy: { id: '\ud800' } }, 'filterBy/id'],
    ['a forbidden key', { filterBy: { constructor: 1 } }, 'the body'],
    ['showTotals that is a text', { showTotals: 'yes' }, 'showTotals'],
    ['a playerId with #', { playerId: '#' }, 'playerId'],
  ])('%s', async (_, request, field) => {
    await expectRefusal(field, (client) => client.getStats(request as StatisticsRequest));
  });

  test('an object that holds itself', async () => {
    const { client } = scriptedClient(['{}']);
    const request = { filterBy: cycle } as StatisticsRequest;
    expect(await rejectionOf(client.getStats(request))).toBeInstanceOf(InvalidRequestError);
  });
});

test.each<[string, object, string]>([
  ['no gameCode', { currency: 'EUR' }, 'gameCode'],
  ['no currency', { gameCode: 'bells' }, 'currency'],
  ['a further field', { gameCode: 'bells', currency: 'EUR', language: 'en' }, 'the request'],
])('a configuration request with %s is refused before it is sent', async (_, request, field) => {
  await expectRefusal(field, (client) =>
    client.getGameConfiguration(request as GameConfigurationRequest),
  );
});

describe('a further call that is not valid is refused before anything is sent', () => {
  const path = '/getGameURL';
  test.each<[string, object, string]>([
    ['a path without a slash', { method: 'GET', path: 'x' }, 'path'],
    ['a path that goes up', { method: 'GET', path: '/x/../y' }, 'path'],
    ['a path to another host', { method: 'GET', path: '//host/x' }, 'path'],
    ['a path with a query', { method: 'GET', path: '/x?a=b' }, 'path'],
    ['another method', { method: 'PUT', path }, 'method'],
    ['a GET with a body', { method: 'GET', path, body: {} }, 'body'],
    ['a POST with a query', { method: 'POST', path, query: {} }, 'query'],
    ['a query of numbers', { method: 'GET', path, query: { a: 1 } }, 'query/a'],
    ['a signed field that is not there', { method: 'POST', path, signedFields: ['a'] }, 'body/a'],
    [
      'a signed field with #',
      { method: 'POST', path, body: { a: '#' }, signedFields: ['a'] },
      'body/a',
    ],
    [
      'a signed field that is an object',
      { method: 'POST', path, body: { a: {} }, signedFields: ['a'] },
      'body/a',
    ],
    ['signedFields that are no list', { method: 'POST', path, signedFields: 'a' }, 'signedFields'],
    ['isRepeatable that is a text', { method: 'POST', path, isRepeatable: 'no' }, 'isRepeatable'],
  ])('%s', async (_, request, field) => {
    await expectRefusal(field, (client) => client.call(request as FurtherRequest));
  });
});

test.each<[string, object, string]>([
  ['a timeoutMs of 0', { timeoutMs: 0 }, 'timeoutMs'],
  ['an invalid signal', { signal: {} }, 'signal'],
])('%s is refused before anything is sent', async (_, options, field) => {
  await expectRefusal(field, (client) => client.getGameList(options));
});
