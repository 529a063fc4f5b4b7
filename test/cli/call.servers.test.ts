import { describe, expect, test } from '@jest/globals';

import { freePort } from '../servers/ports';
import { loseReply, refuse, say, times } from '../rgs/load/faults';
import { bodiesOf, callCli, done, failed, useRgs } from './call-rig';
import { OPERATOR_ID, runCli, SECRET, temporaryFile } from './cli';

const rgs = useRgs();
const gift = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 'gift-1',
  currency: 'EUR',
  count: 5,
  expires: '2026-12-31T23:59:59Z',
};
const assign =
  'assign-freerounds --player-id ann --game-code bells --serial gift-1 --currency EUR --stake 0.50 --count 5 --expires 2026-12-31T23:59:59Z'.split(
    ' ',
  );
const granted = `{"serial":"gift-1","internalid":"package-1","count":5,"used":0,"expires":"2026-12-31T23:59:59Z"}\n`;

describe('assign-freerounds', () => {
  test('grants by flags, the stake sent as it stands', async () => {
    expect(await callCli(rgs(), assign)).toEqual(done(granted));
    expect(bodiesOf(rgs())).toEqual([{ ...gift, stake: 0.5 }]);
    expect(rgs().requests[0]).toMatchObject({ isAuthentic: true });
    expect(rgs().requests[0]?.body).toContain('"stake":0.50,');
  });

  test.each<[string, () => Promise<[string, string]>]>([
    ['in a file', async () => [await temporaryFile('gift.json', body), '']],
    ['on stdin', async () => ['-', body]],
  ])('grants by a body %s, its numbers as they stand', async (_, given) => {
    const [file, stdin] = await given();
    const result = await callCli(rgs(), ['assign-freerounds', '--body', file], { stdin });
    expect(result).toEqual(done(granted));
    expect(rgs().requests[0]?.body).toContain('"stake":0.50,');
  });

  test('grants once, though it is sent again and a reply is lost', async () => {
    rgs().failNext(loseReply);
    expect(await callCli(rgs(), assign)).toEqual(done(granted));
    expect(await callCli(rgs(), assign)).toEqual(done(granted));
    expect([rgs().packages.size, rgs().packages.assignments]).toEqual([1, 3]);
  });
});

const body = `{ "playerId": "ann", "gameCode": "bells", "serial": "gift-1", "currency": "EUR",
  "stake": 0.50, "count": 5, "expires": "2026-12-31T23:59:59Z" }`;

test('game-configuration prints the numbers that came, to the last digit', async () => {
  const args = ['game-configuration', '--game-code', 'bells', '--currency', 'EUR'];
  const { code, stdout } = await callCli(rgs(), args);
  expect(code).toBe(0);
  expect(stdout).toContain('"expectedRtp":96.190,');
  expect(stdout).toContain('"maxPayoutOdds":2488327800.0000000001,');
  expect(stdout).toContain('"stakes":[10,20,50.00,100,');
  expect(JSON.parse(stdout)).toMatchObject({
    gameCode: 'game-bells',
    operator: expect.any(String),
  });
  const target = '/backoffice/getGameConfiguration?gameCode=bells&currency=EUR';
  expect(rgs().requests).toMatchObject([{ target, isAuthentic: true }]);
});

test('game-list prints both lists, and what else came', async () => {
  rgs().replies.getGameList =
    '{"gameList":{"bells":"Bells"},"extendedGameList":{"bells":{"name":"Bells","studio":"S","rtp":96.50}},"more":1.0}';
  expect(await callCli(rgs(), ['game-list'])).toEqual(
    done(
      '{"gameList":{"bells":"Bells"},"extendedGameList":{"bells":{"name":"Bells","studio":"S","rtp":96.50}},"more":1.0}\n',
    ),
  );
});

describe('what the service does is exit code 1 and one line', () => {
  test.each([
    [
      'a refusal',
      refuse(400, 12, 'no such\nplayer \u001b[31m'),
      'getGameList: the service answered 400, error 12: no such\\u000aplayer \\u001b[31m',
    ],
    [
      'a signature that is refused',
      say(401),
      "getGameList: the service answered 401 and refuses the signature: check the operator ID, the secret and the machine's clock",
    ],
    ['a page', say(200, '<html>'), 'getGameList: the reply is not JSON that the protocol allows.'],
    [
      'a redirect',
      say(302, '', { location: '/' }),
      'getGameList: the service answered 302, without an error object',
    ],
  ])('%s', async (_, fault, line) => {
    rgs().failNext(fault);
    expect(await callCli(rgs(), ['game-list'])).toEqual(failed(1, line));
    expect(rgs().requests).toHaveLength(1);
  });

  test('a service that fails at every attempt', async () => {
    rgs().failNext(times(9, say(503)));
    const line = 'getGameList: the service answered 503, without an error object';
    expect(await callCli(rgs(), ['game-list', '--attempts', '2'])).toEqual(failed(1, line));
    expect(rgs().requests).toHaveLength(2);
  });

  test('a service that is not there', async () => {
    const RGS_URL = `http://127.0.0.1:${await freePort()}`;
    const env = { RGS_URL };
    const line = `getGameList: the service could not be reached (ECONNREFUSED) at ${RGS_URL}`;
    expect(await callCli(rgs(), ['game-list', '--attempts', '1'], { env })).toEqual(
      failed(1, line),
    );
  });

  test('a service that is silent', async () => {
    rgs().failNext({ kind: 'replyAfter', until: new Promise(() => {}) });
    const line = 'getGameList: no reply within the time limit of the call';
    expect(await callCli(rgs(), ['game-list', '--timeout-ms', '200'])).toEqual(failed(1, line));
  });
});

describe('what its user gives is exit code 2 and one line, and nothing is sent', () => {
  test.each<[string[], string]>([
    [['assign-freerounds', '--player-id', 'ann'], '--game-code is missing.'],
    [[...assign, '--body', '-'], '--body holds all fields: leave --player-id out.'],
    [
      [...assign, '--stake', '1e2'],
      "assignPlayerFreerounds: stake must be above 0: a decimal text such as '0.50', a bigint or a safe integer, at most 2^53-1 without the point and with at most 8 decimals.",
    ],
    [
      [...assign, '--expires', 'soon'],
      'assignPlayerFreerounds: expires must be a Date or a strict ISO 8601 date-time, real in the calendar.',
    ],
    [['stats', '--from', '2026-02-30'], 'getStats: filterBy/dateFrom must be a real day.'],
    [['stats', '--filter', 'x'], '--filter must be name=value.'],
    [
      ['stats', '--from', '2026-02-01', '--filter', 'dateFrom=x'],
      '--filter dateFrom is given twice.',
    ],
    [
      ['stats', '--body', '-', '--show-totals'],
      '--body holds all fields: leave --show-totals out.',
    ],
    [
      ['stats', '--body', '-'],
      '- is not valid JSON. The body has an invalid value at character 0.',
    ],
    [['game-list', '--operator', 'six'], '--operator is not among the credentials.'],
    [['game-list', '--url', 'rgs.example'], '--url must be an https:// address'],
    [
      ['game-list', '--url', 'http://rgs.example'],
      '--url must be https://; --allow-http lets it be http:// on other hosts than this',
    ],
  ])('%j', async (args, line) => {
    expect(await callCli(rgs(), args)).toEqual(failed(2, line));
    expect(rgs().requests).toEqual([]);
  });

  test.each<[string[], string]>([
    [['--attempts', '0'], 'It must be a whole number from 1 to 10.'],
    [['--timeout-ms', '1.5'], 'It must be a whole number from 1 to 600000.'],
    [['--secret', 'x'], "unknown option '--secret'"],
  ])('game-list %j', async (args, words) => {
    const { code, stderr } = await callCli(rgs(), ['game-list', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test('a call that is missing, or not known', async () => {
    expect((await callCli(rgs(), [])).stderr).toContain('error: a command is missing');
    const { code, stderr } = await callCli(rgs(), ['get-balance']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("unknown command 'get-balance'")]);
  });

  test('no address, or none of an operator', async () => {
    const noAddress = await callCli(rgs(), ['game-list'], { env: { RGS_URL: '' } });
    expect(noAddress).toEqual(failed(2, 'No RGS: set RGS_URL, or name its address with --url.'));
    const noOperator = await callCli(rgs(), ['game-list'], { env: { OPERATOR_SECRET: '' } });
    expect(noOperator.stderr).toContain('No operator: set OPERATOR_ID and OPERATOR_SECRET');
  });
});

test('the operator may be chosen among the credentials, and signs with its first secret', async () => {
  const credentials = await temporaryFile('credentials.json', [
    { operatorId: 'other', secrets: ['the-secret-of-the-other'] },
    { operatorId: OPERATOR_ID, secrets: [SECRET, 'the-secret-of-last-year'] },
  ]);
  const args = ['call', 'game-list', '--credentials', credentials, '--operator', OPERATOR_ID];
  const result = await runCli(args, { env: { RGS_URL: rgs().url } });
  expect(result).toEqual(done('{"gameList":{"bells":"Bells"},"extendedGameList":{}}\n'));
});
