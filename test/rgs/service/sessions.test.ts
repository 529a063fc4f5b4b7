import { describe, expect, test } from '@jest/globals';

import { Rig } from './rig';

const minute = 60_000;
const hour = 60 * minute;

describe('E5.1, E5.2: launch and connect', () => {
  test('a launch URL has the token, where to connect, and the language', async () => {
    const rig = await Rig.start();
    const { url } = await rig.launch('ann', 'bells', 'REAL', { language: 'de' });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe('http://g/bells');
    expect(searchParams.get('token')).toHaveLength(43);
    expect(searchParams.get('login')).toBe('http://rgs/gameapi/v2/connect');
    expect(searchParams.get('lang')).toBe('DE');
  });

  test('it works once, and for 120 seconds', async () => {
    const rig = await Rig.start();
    const once = Rig.tokenIn((await rig.launch()).url);
    const reply = await rig.run(rig.service.connect(once));
    expect(reply.balance?.totalBalance).toBe(1_000n);
    expect(reply.tokenData).toMatchObject({ playerId: 'ann', gameId: 'bells', gameRound: null });
    expect(reply.logoutUrl).toBe(`http://rgs/gameapi/v2/disconnect?token=${reply.token}`);
    expect(await rig.failure(rig.service.connect(once))).toBe('400/1008');
    const late = Rig.tokenIn((await rig.launch()).url);
    await rig.clock.pass(2 * minute);
    expect(await rig.failure(rig.service.connect(late))).toBe('400/1008');
  });

  test.each([
    ['refused' as const, '400/9020'],
    ['silent' as const, '503/9111'],
  ])('it is burned also where the operator is %s', async (balanceAnswer, told) => {
    const rig = await Rig.start();
    const token = Rig.tokenIn((await rig.launch()).url);
    rig.purse.balanceAnswer = balanceAnswer;
    expect(await rig.failure(rig.service.connect(token))).toBe(told);
    rig.purse.balanceAnswer = 'known';
    expect(await rig.failure(rig.service.connect(token))).toBe('400/1008');
  });

  test('two connects at one moment: one alone has it', async () => {
    const rig = await Rig.start();
    const token = Rig.tokenIn((await rig.launch()).url);
    const both = [rig.service.connect(token), rig.service.connect(token)].map((connected) =>
      rig.failure(connected),
    );
    expect((await Promise.all(both)).toSorted()).toEqual(['400/1008', 'no failure']);
  });

  test.each([
    ['an unknown game', { gameCode: 'nothing' }, '400/9106'],
    ['no player', { playerId: null }, '400/19'],
    ['an unknown profile', { profile: 'vip' }, '400/19'],
    ['an unknown option', { options: { nothing: true } }, '400/19'],
  ])('a launch with %s is refused', async (_, more, told) => {
    const rig = await Rig.start();
    expect(await rig.failure(rig.launch('ann', 'bells', 'REAL', more))).toBe(told);
  });
});

describe('E5.3 to E5.6: the life of a session', () => {
  test('a newer connect of the player to the game ends the older, unless multipleInstancesAllowed', async () => {
    const rig = await Rig.start();
    const older = await rig.token();
    const other = await rig.token('ann', 'wheel');
    await rig.token();
    expect(await rig.failure(rig.call('getTokenData', { token: older }))).toBe('400/1008');
    expect(await rig.failure(rig.call('getTokenData', { token: other }))).toBe('no failure');

    const many = await Rig.start({
      operators: [{ operatorId: 'casino', settings: { multipleInstancesAllowed: true } }],
    });
    const first = await many.token();
    await many.token();
    expect(await many.failure(many.call('getTokenData', { token: first }))).toBe('no failure');
  });

  test('30 minutes without a call end it; a call slides it on', async () => {
    const { rig, token } = await Rig.seated();
    await rig.clock.pass(29 * minute);
    await rig.run(rig.start(token, 'R', 100));
    await rig.clock.pass(29 * minute);
    expect(await rig.failure(rig.call('getBalance', { token }))).toBe('no failure');
    await rig.clock.pass(30 * minute);
    expect(await rig.failure(rig.call('getBalance', { token }))).toBe('400/1008');
  });

  test('getTokenData is a call too: a game that asks it alone stays at the table (E5.3)', async () => {
    const { rig, token } = await Rig.seated();
    for (let asked = 0; asked < 3; asked++) {
      await rig.clock.pass(29 * minute);
      expect(await rig.failure(rig.call('getTokenData', { token }))).toBe('no failure');
    }
  });

  test('currentToken is the token of the call, from call to call; gameRound is the open round (E5.7)', async () => {
    const { rig, token } = await Rig.seated();
    const idle = { currentToken: token, gameRound: null };
    const { tokenData: before } = await rig.run(rig.call('getTokenData', { token }));
    expect(before).toMatchObject(idle);
    const { tokenData: started } = await rig.run(rig.start(token, 'R', 100));
    expect(started).toMatchObject({ currentToken: token, gameRound: 'R', walletMode: 'real' });
    const { tokenData: ended } = await rig.run(rig.end(token, 'R'));
    expect(ended).toMatchObject(idle);
    const other = await rig.token('ann', 'wheel');
    await rig.run(rig.start(token, 'S', 100));
    const { tokenData: elsewhere } = await rig.run(rig.call('getTokenData', { token: other }));
    expect(elsewhere).toMatchObject({ currentToken: other, gameRound: null });
  });

  test('ended by time, it serves the round that it has open for ten minutes, and no other (E5.4)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    await rig.clock.pass(31 * minute);
    expect(await rig.failure(rig.start(token, 'S', 100))).toBe('400/1008');
    expect(await rig.failure(rig.info(token, 'other'))).toBe('400/1008');
    expect(await rig.told(rig.win(token, 'R', 10))).toContain('open 10');
    await rig.clock.pass(8 * minute);
    expect(await rig.told(rig.end(token, 'R'))).toContain('credited 10');
    expect(await rig.failure(rig.info(token, 'R'))).toBe('400/1008');
  });

  test('reconnect gives another token and revokes the old; disconnect revokes, and the round stays open (E5.5)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    const { token: next, tokenData } = await rig.run(rig.service.reconnect(token));
    expect(tokenData.gameRound).toBe('R');
    expect(await rig.failure(rig.service.reconnect(token))).toBe('400/1008');
    expect(await rig.failure(rig.info(token, 'R'))).toBe('400/1008');
    await rig.run(rig.service.disconnect(next));
    expect(await rig.failure(rig.info(next, 'R'))).toBe('400/1008');
    expect(rig.service.round('studio', 'R')?.state).toBe('open');
  });

  test("getTokenForGameRound revokes every token of the player and game; a janitor's starts no round (E5.6)", async () => {
    const rig = await Rig.start();
    const [bells, wheel] = [await rig.token('ann', 'bells'), await rig.token('ann', 'wheel')];
    await rig.run(rig.start(bells, 'R', 100));
    const { tokenData } = await rig.run(rig.call('getTokenForGameRound', { gameRound: 'R' }));
    expect(tokenData).toMatchObject({ playerId: 'ann', gameRound: 'R' });
    expect(await rig.failure(rig.info(bells, 'R'))).toBe('400/1008');
    expect(await rig.failure(rig.call('getTokenData', { token: wheel }))).toBe('no failure');
    const janitor = tokenData.currentToken;
    expect(await rig.told(rig.end(janitor, 'R'))).toContain('closed');
    expect(await rig.failure(rig.start(janitor, 'S', 100))).toBe('400/19');
    expect(await rig.failure(rig.call('getTokenForGameRound', { gameRound: 'R' }))).toBe('400/13');
    expect(await rig.failure(rig.call('getTokenForGameRound', { gameRound: 'X' }))).toBe('400/14');
  });

  test('tokens live through a restart, by their hashes (B4)', async () => {
    const { rig, token } = await Rig.seated();
    const launched = Rig.tokenIn((await rig.launch('ben')).url);
    await rig.run(rig.start(token, 'R', 100));
    await rig.restart(rig.reopened());
    expect(await rig.told(rig.info(token, 'R'))).toContain('open (open)');
    expect(await rig.failure(rig.service.connect(launched))).toBe('no failure');
    await rig.restart(rig.reopened());
    expect(await rig.failure(rig.service.connect(launched))).toBe('400/1008');
  });
});

describe("E2.7, E5.8: another's token and round are unknown", () => {
  test('of another provider', async () => {
    const { rig, token } = await Rig.seated();
    const dice = await rig.token('ann', 'dice');
    await rig.run(rig.start(token, 'R', 100));
    const ask = { token, gameRound: 'R' };
    expect(await rig.failure(rig.call('getGameRoundInfo', ask, 'other'))).toBe('400/1008');
    const stranger = { token: dice, gameRound: 'R' };
    expect(await rig.failure(rig.call('getGameRoundInfo', stranger, 'other'))).toBe('400/15');
    const asked = rig.call('getTokenForGameRound', { gameRound: 'R' }, 'other');
    expect(await rig.failure(asked)).toBe('400/14');
    const settings = { game: 'bells', operator: 'casino', currency: 'EUR' };
    expect(await rig.failure(rig.call('getOperatorSettings', settings, 'other'))).toBe('400/9106');
  });

  test('of another player, and of another game of the player', async () => {
    const { rig, token } = await Rig.seated();
    const [ben, wheel] = [await rig.token('ben'), await rig.token('ann', 'wheel')];
    await rig.run(rig.start(token, 'R', 100));
    for (const other of [ben, wheel]) {
      expect(await rig.told(rig.info(other, 'R'))).toBe('400/15');
      expect(await rig.told(rig.win(other, 'R', 10))).toBe('400/14');
    }
    expect(await rig.told(rig.start(wheel, 'S', 10))).toBe('400/12');
    expect(await rig.told(rig.start(ben, 'S', 10))).toContain('open');
  });
});

describe('E19: DEMO and HISTORY', () => {
  test('DEMO calls no operator; its purse declines by 9001, and is forgotten after a day', async () => {
    const rig = await Rig.start({ demoBalance: 500n });
    const { url } = await rig.launch(null, 'bells', 'DEMO');
    const { token, tokenData, balance } = await rig.run(rig.service.connect(Rig.tokenIn(url)));
    expect(tokenData.playerId).toMatch(/^demo-/);
    expect([tokenData.mode, tokenData.walletMode]).toEqual(['DEMO', 'demo']);
    expect(balance?.totalBalance).toBe(500n);
    expect(await rig.told(rig.start(token, 'R', 501))).toBe('400/9001');
    await rig.run(rig.start(token, 'S', 100));
    const { balance: after } = await rig.run(rig.win(token, 'S', 30, true));
    expect(after?.totalBalance).toBe(430n);
    await rig.run(rig.start(token, 'T', 30));
    await rig.run(rig.void(token, 'T'));
    expect((await rig.run(rig.call('getBalance', { token }))).totalBalance).toBe(430n);
    expect(rig.purse.sent).toEqual([]);
    await rig.restart(rig.reopened());
    expect((await rig.run(rig.call('getBalance', { token }))).totalBalance).toBe(430n);
    await rig.clock.pass(24 * hour);
    const again = await rig.token(tokenData.playerId, 'bells', 'DEMO');
    expect((await rig.run(rig.call('getBalance', { token: again }))).totalBalance).toBe(500n);
  });

  test('a DEMO player who won more than an amount can hold is shown the most of it: no reply is unreadable (E4.1)', async () => {
    const rig = await Rig.start();
    const token = await rig.token('dan', 'bells', 'DEMO');
    await rig.run(rig.start(token, 'R', 100));
    const { balance } = await rig.run(rig.win(token, 'R', Number.MAX_SAFE_INTEGER, true));
    expect(balance?.totalBalance).toBe(2n ** 53n - 1n);
    expect(balance?.balances.map(({ amount }) => amount)).toEqual([2n ** 53n - 1n]);
  });

  test('an open DEMO round is closed by no provider: it is forgotten after a day (E1.3, E19.1)', async () => {
    const rig = await Rig.start();
    const token = await rig.token('dan', 'bells', 'DEMO');
    await rig.run(rig.start(token, 'R', 100));
    rig.onAutoClose = async () => {
      throw new Error('it was asked');
    };
    await rig.clock.pass(48 * hour);
    expect(rig.service.round('studio', 'R')).toBeNull();
  });

  test('HISTORY only asks', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100, { endGame: true }));
    const history = await rig.token('ann', 'bells', 'HISTORY');
    const asked = await rig.run(
      rig.call('getGameRoundHistoryInfo', { token: history, gameRound: 'R' }),
    );
    expect(asked.tokenData.mode).toBe('HISTORY');
    expect(asked.protectedInfo).toEqual({});
    const { gameRounds } = await rig.run(
      rig.call('getLastGameRounds', { token: history, count: 5 }),
    );
    expect(gameRounds.map(({ hash }) => hash)).toEqual(['R']);
    expect(await rig.told(rig.start(history, 'S', 100))).toBe('400/19');
    expect(await rig.failure(rig.call('getBalance', { token: history }))).toBe('400/19');
  });
});
