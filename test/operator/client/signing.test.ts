import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isIdentifier } from '../../../lib/protocol/identifiers';
import { parseJson } from '../../../lib/protocol/json/parse';
import { systemClock } from '../../../lib/platform';
import { isAuthentic, scriptedClient } from './scripted-fetch';

const identifier = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => isIdentifier(text));
const currency = fc.stringMatching(/^[A-Z]{3}$/);
const stake = fc.oneof(
  fc.stringMatching(/^[1-9]\d{0,9}(\.\d{1,5})?$/), // at most 2^53-1 without the point
  fc.stringMatching(/^0\.\d{0,4}[1-9]0{0,2}$/),
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const operatorId = identifier.filter((id) => id.trim() === id);

test('whatever package is assigned, the request verifies, and holds what was asked for', async () => {
  const request = fc.record({
    playerId: identifier,
    gameCode: identifier,
    serial: identifier,
    currency,
    stake,
    count: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  });
  await fc.assert(
    fc.asyncProperty(request, operatorId, async (asked, id) => {
      const reply = JSON.stringify({ serial: asked.serial, count: 1, used: 0 });
      const { client, sent } = scriptedClient([reply], { operatorId: id });
      await client.assignPlayerFreerounds(asked);
      const [only] = sent;
      if (only?.init.body === undefined) throw new Error('nothing was sent');
      expect(isAuthentic(only, 'assignPlayerFreerounds')).toBe(true);
      expect(only.url.pathname).toBe('/operator/assignPlayerFreerounds');
      const document = parseJson(only.init.body);
      expect({ ...Object(document.value) }).toEqual({ ...asked, stake: Number(asked.stake) });
      expect(document.lexeme(Object(document.value), 'stake')).toBe(String(asked.stake));
    }),
  );
});

test('whatever game is asked for, the configuration request verifies', async () => {
  await fc.assert(
    fc.asyncProperty(identifier, currency, async (gameCode, code) => {
      const reply = JSON.stringify({ gameCode, config: { stakes: [], currency: code } });
      const { client, sent } = scriptedClient([reply]);
      await client.getGameConfiguration({ gameCode, currency: code });
      const [only] = sent;
      expect(only && isAuthentic(only, 'getGameConfiguration')).toBe(true);
      expect(only?.url.searchParams.get('gameCode')).toBe(gameCode);
    }),
  );
});

test('whatever is filtered by, the statistics request verifies, and holds it', async () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1 });
  const filterBy = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(word, fc.integer()));
  await fc.assert(
    fc.asyncProperty(fc.array(word), filterBy, identifier, async (groupBy, filter, playerId) => {
      const { client, sent } = scriptedClient(['{"records":[]}']);
      await client.getStats({ groupBy, filterBy: filter, playerId });
      const [only] = sent;
      expect(only && isAuthentic(only, 'getStats')).toBe(true);
      expect(JSON.parse(only?.init.body ?? '')).toEqual({
        groupBy,
        filterBy: { ...filter },
        playerId,
      });
    }),
  );
});

test('the request for the list of games verifies', async () => {
  const { client, sent } = scriptedClient(['{"gameList":{}}']);
  await client.getGameList();
  const [only] = sent;
  expect(only && isAuthentic(only, 'getGameList')).toBe(true);
  expect(only?.url.href).toBe('https://rgs.example/operator/backoffice/getGameList');
});

test('whatever fields a further call signs, in query or body, it verifies', async () => {
  const members = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), identifier, { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(members, fc.boolean(), async (given, isGet) => {
      const message = { ...given };
      const signedFields = Object.keys(message).toReversed();
      const { client, sent } = scriptedClient(['{}']);
      const path = '/getGameURL';
      await client.call(
        isGet
          ? { method: 'GET', path, signedFields, query: message }
          : { method: 'POST', path, signedFields, body: message },
      );
      const [only] = sent;
      expect(only && isAuthentic(only, signedFields)).toBe(true);
    }),
  );
});

test('numbers of a further call are signed as they are sent', async () => {
  const { client, sent } = scriptedClient(['{}']);
  const body = { count: 5, name: 'x' };
  await client.call({ method: 'POST', path: '/x', signedFields: ['count', 'name'], body });
  const [only] = sent;
  expect(only && isAuthentic(only, ['count', 'name'])).toBe(true);
  expect(only && isAuthentic(only, ['name', 'count'])).toBe(false);
});

test('calls of one millisecond have timestamps of their own, hence signatures', async () => {
  const now = Date.UTC(2026, 2, 1);
  const clock = { ...systemClock, now: () => now, pause: () => new Promise<void>(() => {}) };
  const { client, sent } = scriptedClient(['{"records":[]}'], { clock });
  await Promise.all(['ann', 'bob', 'cid'].map((playerId) => client.getStats({ playerId })));
  const of = (name: string) => sent.map(({ init }) => init.headers[name]);
  expect(of('X-H-TIMESTAMP').map(String).toSorted()).toEqual([
    '2026-03-01T00:00:00.000Z',
    '2026-03-01T00:00:00.001Z',
    '2026-03-01T00:00:00.002Z',
  ]);
  expect(new Set(of('X-H-AUTH-SIG')).size).toBe(3);
});

test('a clock that is set back by more than a second is followed', async () => {
  let now = Date.UTC(2026, 2, 1);
  const clock = { ...systemClock, now: () => now, pause: () => new Promise<void>(() => {}) };
  const { client, sent } = scriptedClient(['{"records":[]}'], { clock });
  await client.getStats();
  now -= 3_600_000;
  await client.getStats();
  expect(sent[1]?.init.headers['X-H-TIMESTAMP']).toBe('2026-02-28T23:00:00.000Z');
});
