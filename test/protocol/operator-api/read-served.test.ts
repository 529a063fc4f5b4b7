import { describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import { parseJson } from '../../../lib/protocol/json/parse';
import {
  readConfigurationQuery,
  readFreePlays,
  readLaunch,
  readStatisticsQuery,
} from '../../../lib/protocol/operator-api/read-served';

const launch = { currency: 'EUR', gameCode: 'game-bells', language: 'en-US', mode: 'REAL' };
const freePlays = {
  playerId: 'ann',
  gameCode: 'game-bells',
  serial: 'serial-1',
  currency: 'EUR',
  stake: 100,
  count: 5,
};

/** `msg` of the refusal; throws if there is none. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineRefusedError && error.status === 400) return error.errorObject.msg;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A message with its members changed, parsed; the text of a number is its own. */
function bodyOf(message: object, change: string): ReturnType<typeof parseJson> {
  const members = parseJson(change).value as object;
  const others = Object.fromEntries(Object.entries(message).filter(([key]) => !(key in members)));
  const text = JSON.stringify(others).slice(1, -1);
  return parseJson(`{${[text, change.slice(1, -1)].filter((part) => part !== '').join(',')}}`);
}

describe('getGameURL (E24.2)', () => {
  test('what is absent or null is null, and unknown members are ignored', () => {
    const body = bodyOf(launch, '{"playerId":"ann","profile":null,"unknown":1}');
    expect(readLaunch(body)).toEqual({
      ...launch,
      playerId: 'ann',
      profile: null,
      options: {},
      externalSessionId: null,
      device: null,
    });
  });

  test('options are kept as they came, and DEMO needs no player', () => {
    const body = bodyOf(launch, '{"mode":"DEMO","options":{"rcInterval":60,"homeURL":null}}');
    const request = readLaunch(body);
    expect({ ...request.options }).toEqual({ rcInterval: 60, homeURL: null });
    expect(request.playerId).toBeNull();
  });

  test.each([
    '{}',
    '{"playerId":null}',
    '{"playerId":"a#b"}',
    '{"playerId":"ann","mode":"real"}',
    '{"playerId":"ann","language":"english"}',
    '{"playerId":"ann","currency":"eur"}',
    '{"playerId":"ann","gameCode":""}',
    '{"playerId":"ann","options":[]}',
    '{"playerId":7}',
  ])('%s is refused', (change) => {
    expect(refusalOf(() => readLaunch(bodyOf(launch, change)))).toContain('(E24.2)');
  });
});

describe('assignPlayerFreerounds (E18.4)', () => {
  test('it is read in exact terms', () => {
    const body = bodyOf(freePlays, '{"stake":"100","expires":"2026-03-01T12:00:00Z"}');
    const expires = Date.UTC(2026, 2, 1, 12);
    expect(readFreePlays(body)).toEqual({ ...freePlays, stake: 100n, expires });
    expect(readFreePlays(bodyOf(freePlays, '{"expires":null}')).expires).toBeNull();
  });

  test.each([
    '{"stake":0}',
    '{"stake":0.5}',
    '{"stake":100.0}',
    '{"stake":1e2}',
    '{"stake":-1}',
    '{"stake":9007199254740992}',
    '{"stake":null}',
    '{"count":0}',
    '{"count":10001}',
    '{"count":1.0}',
    '{"count":"5"}',
    '{"serial":""}',
    '{"serial":"a\\u0007"}',
    '{"playerId":null}',
    '{"currency":"EU"}',
    '{"expires":"tomorrow"}',
    '{"expires":"2026-02-30T12:00:00Z"}',
    '{"expires":1}',
  ])('%s is refused', (change) => {
    expect(refusalOf(() => readFreePlays(bodyOf(freePlays, change)))).toContain('(E18.4)');
  });
});

describe('getStats (E24.3)', () => {
  test('groups are in any letter case, each once; the player may be beside the filter', () => {
    const body = parseJson(
      '{"groupBy":["day","Currency","DAY"],"filterBy":{"dateFrom":"2026-03-01","further":1},"playerId":"ann"}',
    );
    expect(readStatisticsQuery(body)).toEqual({
      groupBy: ['DAY', 'currency'],
      dateFrom: '2026-03-01',
      dateToIncluding: null,
      currency: null,
      gameCode: null,
      playerId: 'ann',
      showTotals: false,
    });
  });

  test('an empty body asks for everything', () => {
    expect(readStatisticsQuery(parseJson('{}'))).toMatchObject({ groupBy: [], playerId: null });
  });

  test.each([
    '[]',
    '{"groupBy":"DAY"}',
    '{"groupBy":["month"]}',
    '{"groupBy":[null]}',
    '{"filterBy":{"dateFrom":"2026-02-30"}}',
    '{"filterBy":{"dateFrom":"1.3.2026"}}',
    '{"filterBy":{"dateFrom":"2026-03-02","dateToIncluding":"2026-03-01"}}',
    '{"filterBy":{"currency":"euro"}}',
    '{"filterBy":{"playerId":"ann"},"playerId":"bob"}',
    '{"showTotals":1}',
  ])('%s is refused', (body) => {
    expect(refusalOf(() => readStatisticsQuery(parseJson(body)))).toContain('(E24.3)');
  });
});

test('the query of getGameConfiguration needs both names, each once (E21.3)', () => {
  const query = new Map([
    ['gameCode', 'game-bells'],
    ['currency', 'EUR'],
    ['further', 'x'],
  ]);
  expect(readConfigurationQuery(query)).toEqual({ gameCode: 'game-bells', currency: 'EUR' });
  expect(refusalOf(() => readConfigurationQuery(null))).toContain('(E21.3)');
  query.delete('currency');
  expect(refusalOf(() => readConfigurationQuery(query))).toContain('currency is missing');
});
