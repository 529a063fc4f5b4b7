import { describe, expect, test } from '@jest/globals';
import { Secret, signBody } from '../../../lib/protocol/signature';
import { operatorId, playerId, rig, studioSecret, walletSecret } from './rig';

describe('a sandbox between a wallet and a provider, without a port and without a sleep', () => {
  test('a round is played: two engine calls, two wallet calls, and the books agree (B3, B5)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    await run(round.addWin({ rngCallId: 'r1', winAmount: 250, collect: true }));
    expect(round.state.balance?.totalBalance).toBe(10_150n);
    const calls = sandbox.wire().calls.filter((call) => call.round === round.id);
    expect(
      calls.map(({ line, call, status, cause }) => [line, call, status, cause !== null]),
    ).toEqual([
      ['provider-rgs', 'startGameRound', 200, false],
      ['rgs-wallet', 'doTransactions', 200, true],
      ['provider-rgs', 'addWin', 200, false],
      ['rgs-wallet', 'doTransactions', 200, true],
    ]);
    expect(calls.map(({ verdict }) => verdict)).toEqual(['verified', 'sent', 'verified', 'sent']);
    const books = await run(sandbox.books());
    expect(books).toMatchObject({ agree: true, differences: [], doubts: [] });
    expect(books.players).toMatchObject([{ playerId, start: '10000', wallet: '10150' }]);
    expect(sandbox.state().statistics).toMatchObject([
      {
        operatorId,
        game: 'bells',
        currency: 'EUR',
        bet: '100',
        win: '250',
        games: 1,
        RTP: '250.00',
      },
    ]);
    await run(sandbox.close());
  });

  test('every call that the service makes names the call that it is made for, also the second attempt (E1.5)', async () => {
    const { run, sandbox, game, connect } = await rig();
    sandbox.faults.set({ line: 'rgs-provider', kind: '503', next: 1 });
    const token = await run(connect());
    sandbox.faults.set({ line: 'rgs-wallet', kind: '503', call: 'doTransactions', next: 1 });
    const round = await run(
      game.openRound({ token, stake: 100, currency: 'EUR' }).catch(() => null),
    );
    expect(round).toBeNull();
    await run(sandbox.idle());
    const { calls } = sandbox.wire();
    const named = new Map(calls.map(({ n, call }) => [n, call]));
    const causes = calls
      .filter(({ line }) => line.startsWith('rgs-'))
      .map(({ call, cause }) => `${call} for ${named.get(cause ?? 0)}`);
    expect(causes.toSorted()).toEqual([
      'doTransactions for startGameRound',
      'doTransactions for startGameRound',
      'getBalance for connect',
      'getGameConfiguration for connect',
      'getGameConfiguration for connect',
    ]);
    await run(sandbox.close());
  });

  test('what the wire and the state show holds no secret and no token (F)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    const shown = JSON.stringify([sandbox.wire(), sandbox.state()]);
    for (const hidden of [token, studioSecret, walletSecret]) expect(shown).not.toContain(hidden);
    expect(sandbox.state().sessions).toMatchObject([{ token: token.slice(-4), playerId }]);
  });

  test('nor does it where a game mixes up its token and its round (F)', async () => {
    const { run, sandbox, connect, game, send } = await rig();
    const token = await run(connect());
    const swapped = { token, gameRound: token };
    await run(game.getGameRoundInfo(swapped).catch(() => null));
    await run(game.endGameRound(swapped).catch(() => null));
    const sent = sandbox.wire().calls.at(-1);
    expect(sent).toMatchObject({ call: 'endGameRound', status: 400 });
    const request = {
      method: 'GET',
      rawHeaders: ['Host', '127.0.0.1:8090'],
      body: Buffer.alloc(0),
    };
    for (const target of ['/', '/wire', '/sandbox/wire', '/sandbox/state', '/sandbox/findings']) {
      const { body } = await run(send({ ...request, target }));
      expect(body.toString()).not.toContain(token);
    }
  });

  test('a lost reply on a debit: it is voided, the player may bet again, and the books agree (W2)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    sandbox.faults.set({ line: 'rgs-wallet', call: 'doTransactions', kind: 'loseReply' });
    await expect(run(game.openRound({ token, stake: 100, currency: 'EUR' }))).rejects.toMatchObject(
      {
        id: 9100,
      },
    );
    await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    expect(sandbox.rounds().map(({ state }) => state)).toEqual(['cancelled', 'open']);
    expect(await run(sandbox.books())).toMatchObject({ agree: true });
  });

  test('a wallet down for two hours: the credit is pending until the janitor of a moved clock sends it', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    sandbox.faults.set({ line: 'rgs-wallet', kind: '503', probability: 1 });
    await run(round.addWin({ rngCallId: 'r1', winAmount: 250, collect: true }));
    expect(sandbox.state().rounds[0]).toMatchObject({ state: 'closed', creditPending: '250' });
    expect(await run(sandbox.books())).toMatchObject({
      agree: true,
      players: [{ verdict: 'doubt' }],
    });
    sandbox.faults.clear();
    await run(sandbox.clock.advance(2 * 3_600_000));
    expect(sandbox.state().rounds[0]).toMatchObject({ creditPending: '0', amountCredited: '250' });
    expect(sandbox.state().due).toEqual([]);
    expect(await run(sandbox.books())).toMatchObject({ agree: true, doubts: [] });
  });

  test('24 hours later a round that nobody plays is closed by its provider (E16.1)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    await run(sandbox.clock.advance(25 * 3_600_000));
    expect(sandbox.state().rounds).toMatchObject([{ gameRound: round.id, state: 'closed' }]);
    const timeline = sandbox.timeline(round.id);
    const names = timeline.steps.map((step) => (step.kind === 'call' ? step.call.call : step.kind));
    expect(names).toEqual(
      expect.arrayContaining(['doAutoClose', 'getTokenForGameRound', 'endGameRound', 'event']),
    );
    expect(timeline.round?.state).toBe('closed');
  });

  test('rounds that have left by their age are in the start of the balance: the books agree (B3, B4)', async () => {
    const { run, sandbox, game, connect } = await rig({ service: { retentionMs: 86_400_000 } });
    const play = async (win: number): Promise<void> => {
      const token = await run(connect());
      const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
      await run(round.addWin({ winAmount: win, collect: true }));
    };
    await play(250);
    await run(sandbox.clock.advance(30 * 3_600_000));
    expect(sandbox.rounds()).toEqual([]);
    await play(30);
    expect(await run(sandbox.books())).toMatchObject({
      agree: true,
      differences: [],
      players: [{ start: '10150', service: { least: '10080' }, wallet: '10080', verdict: 'agree' }],
    });
  });

  test('killed between debit and reply, it starts again and voids (B4)', async () => {
    const { clock, run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    sandbox.faults.set({ line: 'rgs-wallet', call: 'doTransactions', kind: 'late', delayMs: 2000 });
    const opened = game
      .openRound({ token, stake: 100, currency: 'EUR' })
      .catch((error: Error) => error);
    await clock.pass(1000);
    expect(sandbox.rounds()).toMatchObject([{ state: 'starting' }]);
    await run(sandbox.kill());
    await run(sandbox.idle());
    expect(sandbox.rounds()).toMatchObject([{ state: 'cancelled', queue: [] }]);
    await run(opened);
    expect(await run(sandbox.books())).toMatchObject({ agree: true, doubts: [] });
    await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    await run(sandbox.close());
  });

  test('a wrong signature is refused, and the wire says how it was made (E2.2)', async () => {
    const { clock, run, sandbox, ask } = await rig();
    const signed = Buffer.from('{"testData": 1}');
    const made = signBody(new Secret(studioSecret), 'studio-1', clock.now(), signed);
    const headers = [...Object.entries(made).flat(), 'X-Request-Id', 'one'];
    const reply = await run(ask('POST', '/gameapi/v2/testPing', { testData: 1 }, headers));
    expect(reply).toMatchObject({ status: 401, json: { errorCode: { id: 1001 } } });
    await new Promise(setImmediate);
    expect(sandbox.wire().calls.at(-1)).toMatchObject({
      verdict: 'refused',
      explanation:
        'The signature was made in another way: the JSON with a space after each comma and colon.',
    });
  });

  test('the result of a round is asked of its provider (E23.3)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    expect(await run(sandbox.gameResult(round.id))).toMatchObject({ reels: [1, 2, 3] });
    await expect(run(sandbox.gameResult('unknown'))).rejects.toThrow('no such round');
  });

  test('DEMO sends the wallet nothing (E19.1)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect('DEMO'));
    await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    expect(sandbox.wire().calls.filter(({ line }) => line === 'rgs-wallet')).toEqual([]);
  });
});

describe('the API under /sandbox', () => {
  test.each([
    ['another Host', ['Host', 'evil.example']],
    ['a name that points to loopback', ['Host', '127.0.0.1.evil.example:8090']],
    ['another Origin', ['Host', '127.0.0.1:8090', 'Origin', 'https://evil.example']],
    ['a null Origin', ['Host', '127.0.0.1:8090', 'Origin', 'null']],
  ])('%s is refused with 403', async (_, headers) => {
    const { run, ask } = await rig();
    for (const path of ['/sandbox/state', '/']) {
      expect(await run(ask('GET', path, undefined, headers))).toMatchObject({ status: 403 });
    }
    expect(await run(ask('POST', '/sandbox/kill', {}, headers))).toMatchObject({ status: 403 });
  });

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('a post without an Origin that a browser calls %s is answered %i', async (site, status) => {
    const { run, ask } = await rig();
    const headers = ['Host', '127.0.0.1:8090', 'Sec-Fetch-Site', site];
    const reply = await run(ask('POST', '/sandbox/clock', { advanceMs: 1 }, headers));
    expect(reply.status).toBe(status);
    expect((await run(ask('GET', '/sandbox/state', undefined, headers))).status).toBe(200);
  });

  test('its own Origin, and a host that was allowed, may look', async () => {
    const { run, ask } = await rig({ allowedHosts: ['box.test'] });
    const own = ['Host', 'localhost:8090', 'Origin', 'http://localhost:8090'];
    expect(await run(ask('GET', '/sandbox/state', undefined, own))).toMatchObject({ status: 200 });
    expect(await run(ask('GET', '/sandbox/state', undefined, ['Host', 'box.test']))).toMatchObject({
      status: 200,
    });
  });

  test('every view is there, and the page at /', async () => {
    const { run, ask } = await rig();
    for (const path of ['state', 'wire?since=0', 'books', 'findings', 'faults']) {
      expect(await run(ask('GET', `/sandbox/${path}`))).toMatchObject({ status: 200 });
    }
    expect(await run(ask('GET', '/openapi.json'))).toMatchObject({
      status: 200,
      json: { paths: { '/sandbox/state': {} } },
    });
    expect(await run(ask('POST', '/openapi.json', {}))).toMatchObject({ status: 405 });
    expect(await run(ask('GET', '/sandbox/round?id=x'))).toMatchObject({
      status: 404,
      json: { error: 'there is no such round' },
    });
    const page = await run(ask('GET', '/'));
    expect(page).toMatchObject({ status: 200, json: null });
    expect(page.text).toMatch(/^<!doctype html>/i);
  });

  test('faults are set and cleared; the clock is moved; a player is launched; the janitor runs', async () => {
    const { run, sandbox, ask } = await rig();
    const fault = { line: 'rgs-wallet', kind: 'cut', next: 2 };
    expect(await run(ask('POST', '/sandbox/faults', fault))).toMatchObject({
      status: 200,
      json: { id: 1, left: 2 },
    });
    expect(await run(ask('GET', '/sandbox/faults'))).toMatchObject({
      json: { faults: [fault && {}] },
    });
    await run(ask('DELETE', '/sandbox/faults'));
    expect(sandbox.faults.list()).toEqual([]);
    const moved = await run(ask('POST', '/sandbox/clock', { advanceMs: 60_000 }));
    expect(moved.json).toEqual({ now: new Date(sandbox.clock.now()).toISOString() });
    expect(sandbox.clock.aheadMs).toBe(60_000);
    const player = { playerId, gameCode: 'bells', currency: 'EUR' };
    const launched = await run(ask('POST', '/sandbox/launch', player));
    expect(launched).toMatchObject({
      status: 200,
      json: { url: expect.stringContaining('token=') },
    });
    expect(await run(ask('POST', '/sandbox/janitor', {}))).toMatchObject({ status: 200 });
    expect(await run(ask('POST', '/sandbox/kill', {}))).toMatchObject({ status: 200 });
  });

  test.each([
    ['POST', 'faults', { line: 'moon', kind: 'cut' }, 400, /line/],
    [
      'POST',
      'faults',
      { line: 'rgs-wallet', kind: 'cut', delay: 1 },
      400,
      /unknown member; the members are line, call, kind, next, probability, delayMs/,
    ],
    ['POST', 'clock', { advanceMs: -1 }, 400, /advanceMs/],
    ['POST', 'clock', [], 400, /object/],
    ['POST', 'resolve', { round: 'x', how: 'close' }, 404, /no such round/],
    ['POST', 'resolve', { round: 'x', how: 'shut' }, 400, /how/],
    ['POST', 'launch', { playerId: 'ann' }, 400, /gameCode/],
    ['POST', 'launch', { playerId: 'ann', gameCode: 'x', currency: 'EUR' }, 400, /game/],
    ['POST', 'play', { name: 'x' }, 404, /scenario/],
    ['POST', 'nothing', {}, 404, /action/],
    ['PUT', 'clock', { advanceMs: 1 }, 405, /POST/],
    ['GET', 'nothing', undefined, 404, /view/],
    ['GET', 'wire?since=x', undefined, 400, /since/],
  ])('%s %s %j is refused with %i, and says why', async (method, path, body, status, why) => {
    const { run, ask } = await rig();
    const reply = await run(ask(method, `/sandbox/${path}`, body));
    expect(reply.status).toBe(status);
    expect((reply.json as { error: string }).error).toMatch(why);
  });

  test('a scenario is played by its name', async () => {
    const scenario = {
      name: 'spin',
      shows: 'the bridge',
      play: async () => ({ isOk: true, lines: ['played'] }),
    };
    const { run, ask, sandbox } = await rig({ scenarios: [scenario] });
    expect(sandbox.state().scenarios).toEqual([{ name: 'spin', shows: 'the bridge' }]);
    expect(await run(ask('POST', '/sandbox/play', { name: 'spin' }))).toMatchObject({
      status: 200,
      json: { isOk: true, lines: ['played'] },
    });
    sandbox.faults.set({ line: 'rgs-wallet', kind: 'cut' });
    const [said] = ['Faults that were set before are removed, as by every scenario.'];
    expect(await run(ask('POST', '/sandbox/play', { name: 'spin' }))).toMatchObject({
      json: { isOk: true, lines: ['played', said] },
    });
  });
});

describe('wrong options', () => {
  const operator = { operatorId, secrets: [walletSecret], wallet: 'http://127.0.0.1:1' };
  const game = { gameCode: 'bells', name: 'Bells', launchUrl: 'https://game.example/' };
  const provider = {
    gameProviderId: 'studio-9',
    secrets: ['studio-9-secret-0123456789'],
    router: 'http://127.0.0.1:1',
    games: [game],
  };
  test.each([
    ['operators', { operators: [] }],
    ['wallet', { operators: [{ ...operator, wallet: 7 }] }],
    ['seed', { seed: 0.5 }],
    ['keepCalls', { keepCalls: 0 }],
    ['url', { url: 7 }],
    ['unknown option', { sede: 1 }],
    [
      'createSandbox: unknown option; did you mean service.collectBeforeAddedBet?',
      { collectBeforeAddedBet: true },
    ],
    ['createSandbox: service: unknown option; ', { service: { batchin: 'combined' } }],
    ['createSandbox: service.batching must be combined', { service: { batching: 'some' } }],
    ['createSandbox: walletTimeoutMs must be a whole', { walletTimeoutMs: 0 }],
    [
      'createSandbox: service.optionalMembers must be a list of commonDraw, ',
      { service: { optionalMembers: ['comonDraw'] } },
    ],
    [
      'createSandbox: service.MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS must be a whole',
      { service: { MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: 0.5 } },
    ],
    [
      'createSandbox: operators/0/wallet must',
      { operators: [{ ...operator, wallet: 'ftp://hush.example' }] },
    ],
    ['createSandbox: operators/0/secrets/0: ', { operators: [{ ...operator, secrets: ['hush'] }] }],
    [
      'createSandbox: operators/0/operatorId must not contain #',
      { operators: [{ ...operator, operatorId: 'a#hush' }] },
    ],
    [
      'createSandbox: operators/0/operatorId must be a text',
      { operators: [{ ...operator, operatorId: '' }] },
    ],
    [
      'createSandbox: operators/1/operatorId is given twice',
      { operators: [operator, { ...operator, secrets: ['wallet-2-secret-0123456789'] }] },
    ],
    [
      'createSandbox: operators/0/secrets must be a list of 1 to 8',
      { operators: [{ ...operator, secrets: [] }] },
    ],
    [
      'createSandbox: operators/1/secrets/0 is a secret of createSandbox: operators/0 too',
      { operators: [operator, { ...operator, operatorId: 'other' }] },
    ],
    [
      'createSandbox: providers/0/secrets/0 is a secret of createSandbox: operators/0 too',
      { providers: [{ ...provider, secrets: [walletSecret] }] },
    ],
    [
      'createSandbox: providers/0/router must be an https',
      { providers: [{ ...provider, router: 'ftp://hush.example' }] },
    ],
    [
      'createSandbox: providers/0/games/0/launchUrl must be a URL',
      { providers: [{ ...provider, games: [{ ...game, launchUrl: 'hush' }] }] },
    ],
    [
      'createSandbox: providers must be a list with a game',
      { providers: [{ ...provider, games: [] }] },
    ],
    ['createSandbox: voidSpelling must', { voidSpelling: 'hush' }],
    ['createSandbox: requireRequestId must', { requireRequestId: 'hush' }],
    ['createSandbox: gameUrlSignedFields must', { gameUrlSignedFields: ['hush', 'hush'] }],
    ['createSandbox: clock must have a function now', { clock: {} }],
    ['createSandbox: onFinding must be a function', { onFinding: 'hush' }],
    ['createSandbox: journal must have a function replay', { journal: {} }],
    ['createSandbox: gameUrlSignedFields must', { gameUrlSignedFields: 'some' }],
    ['createSandbox: players must be a list', { players: 'ann' }],
    ['createSandbox: players/0 must be an object', { players: [null] }],
    ['createSandbox: players/0/currency must', { players: [{ operatorId, playerId }] }],
  ])('%s is a TypeError that names it', async (name, options) => {
    await expect(rig(options as never)).rejects.toThrow(TypeError);
    await expect(rig(options as never)).rejects.toThrow(name);
    await expect(rig(options as never)).rejects.not.toThrow(/hush/);
  });
});
