import { describe, expect, test } from '@jest/globals';

import { rig } from './rig';

const json = ['Host', '127.0.0.1:8090', 'Content-Type', 'application/json'];
const player = { playerId: 'ann', gameCode: 'bells', currency: 'EUR' };

describe('the API under /sandbox refuses what it cannot do, by 4xx that says why (F)', () => {
  test.each<[string, string, unknown]>([
    ['resolve of a round that is an object', 'resolve', { round: {}, how: 'close' }],
    ['resolve of a round that is a list', 'resolve', { round: ['r'], how: 'close' }],
    ['resolve without a round', 'resolve', { how: 'resend' }],
    ['resolve of a way that is a list', 'resolve', { round: 'r', how: ['close'] }],
    ['launch of an operator that is not there', 'launch', { ...player, operatorId: 'nobody' }],
    ['launch of a game that is not there', 'launch', { ...player, gameCode: 'none' }],
    ['launch of a player id with a line end', 'launch', { ...player, playerId: 'ann\nREAL' }],
    ['launch of a player id that is a list', 'launch', { ...player, playerId: ['ann'] }],
    ['launch of a currency in small letters', 'launch', { ...player, currency: 'eur' }],
    ['launch of a currency that is markup', 'launch', { ...player, currency: '<b>' }],
    ['launch of a language that is markup', 'launch', { ...player, language: '<b>' }],
    ['launch of a mode that is a list', 'launch', { ...player, mode: ['REAL'] }],
    ['a clock moved by a text', 'clock', { advanceMs: '5' }],
    ['a clock moved back', 'clock', { advanceMs: -5 }],
    ['a clock moved by nothing', 'clock', {}],
    ['a fault that is a list', 'faults', []],
    ['a fault of a line that is a list', 'faults', { line: ['rgs-wallet'], kind: '503' }],
    ['a fault with an unknown member', 'faults', { line: 'rgs-wallet', kind: '503', x: 1 }],
    ['a scenario that is inherited', 'play', { name: 'toString' }],
    ['an action that is inherited', 'toString', {}],
    ['a text as the body', 'janitor', 'x'],
  ])('%s', async (_, action, body) => {
    const { run, ask, sandbox } = await rig();
    const reply = await run(ask('POST', `/sandbox/${action}`, body as object));
    expect([400, 404]).toContain(reply.status);
    expect((reply.json as { error: string }).error).not.toMatch(/log has the reason|undefined|<b>/);
    expect(sandbox.state().sessions).toEqual([]);
  });

  test.each<[string, string, number]>([
    ['a body that is not JSON', '{"a":', 400],
    ['a body with __proto__', '{"__proto__":{"isAdmin":true}}', 400],
    ['a body of a hundred levels', '['.repeat(100), 400],
    ['a body of 10 MB', `{"a":"${'x'.repeat(10_000_000)}"}`, 413],
  ])('%s', async (_, text, status) => {
    const { run, send } = await rig();
    const reply = await run(
      send({
        method: 'POST',
        target: '/sandbox/clock',
        rawHeaders: json,
        body: Buffer.from(text),
      }),
    );
    expect(reply.status).toBe(status);
  });

  test.each(['/gameapi/v2/addWin', '/operator/getGameURL'])(
    'a call of 10 MB at %s is 413 with an error of id 19, as one of 300 kB is (E2.4, E3.1)',
    async (target) => {
      const { run, send } = await rig();
      for (const length of [300_000, 10_000_000]) {
        const body = Buffer.alloc(length, 'x');
        const reply = await run(send({ method: 'POST', target, rawHeaders: json, body }));
        expect([reply.status, reply.headers['x-h-error-id']]).toEqual([413, expect.any(String)]);
        expect(JSON.parse(reply.body.toString())).toMatchObject({ errorCode: { id: 19 } });
      }
    },
  );

  test('markup in ids, keys and data is text on every page', async () => {
    const { run, sandbox, send, game } = await rig();
    const markup = '<img src=x onerror=alert(1)>';
    await run(sandbox.launch({ ...player, playerId: markup, mode: 'DEMO' }));
    const url = await run(sandbox.launch({ ...player, playerId: markup, mode: 'DEMO' }));
    const launchToken = new URL(url).searchParams.get('token') ?? '';
    const get = async (target: string): Promise<string> => {
      const reply = await run(
        send({ method: 'GET', target, rawHeaders: json, body: Buffer.alloc(0) }),
      );
      return reply.body.toString();
    };
    const reply = await get(`/gameapi/v2/connect?token=${launchToken}`);
    const { token } = JSON.parse(reply) as { token: string };
    const gameRound = markup.slice(0, 32);
    await run(
      game.startGameOrAddBet({
        token,
        externalGameProviderRoundId: gameRound,
        rngResult: { betData: { [markup]: markup } },
        debitInformation: {
          debitAmount: 3,
          currency: 'EUR',
          externalGameProviderTransactionId: markup.slice(0, 32),
        },
        endGame: false,
      }),
    );
    await get(`/${encodeURIComponent(markup)}`);
    const id = encodeURIComponent(gameRound);
    const calls = sandbox.wire().calls.map(({ n }) => `/call?n=${n}`);
    const pages = ['/', '/wire', '/books', '/faults', `/round?id=${id}`, `/?said=${id}`, ...calls];
    for (const page of pages) expect(await get(page)).not.toMatch(/<img/);
    expect(await get('/')).toContain('&lt;img src');
  });

  test('a form of 10 MB on the page is 413, not a fault of the page', async () => {
    const { run, send } = await rig();
    const body = Buffer.alloc(10_000_000, 'a');
    const form = ['Host', '127.0.0.1:8090', 'Content-Type', 'application/x-www-form-urlencoded'];
    const request = { method: 'POST', target: '/do/clock', rawHeaders: form, body };
    expect((await run(send(request))).status).toBe(413);
  });
});
