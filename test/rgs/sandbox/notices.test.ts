import { createHmac } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { operatorId, playerId, rig, walletSecret } from './rig';

type Rig = Awaited<ReturnType<typeof rig>>;

/** A call of the operator, signed over playerId. */
async function send({ ask, clock }: Rig, path: string, body: { readonly playerId: string }) {
  const timestamp = new Date(clock.now()).toISOString();
  const text = [walletSecret, operatorId, timestamp, body.playerId].join('#');
  const signature = createHmac('sha256', walletSecret).update(text).digest('base64');
  const headers = ['X-H-AUTH-ID', operatorId, 'X-H-AUTH-SIG', signature];
  return ask('POST', `/operator/${path}`, body, [...headers, 'X-H-TIMESTAMP', timestamp]);
}

describe('registerPlayer and sendRealityCheckResponse (E24.4)', () => {
  test('are taken as they come, and shown by the state', async () => {
    const all = await rig();
    const { run, sandbox } = all;
    const registration = { playerId, country: 'SE' };
    expect(await run(send(all, 'registerPlayer', registration))).toMatchObject({
      status: 200,
      json: {},
    });
    expect(sandbox.state().notices).toMatchObject([
      { call: 'registerPlayer', operatorId, playerId, body: '{"playerId":"ann","country":"SE"}' },
    ]);
    expect(sandbox.wire().calls.at(-1)).toMatchObject({ verdict: 'verified', status: 200 });
    await run(sandbox.close());
  });

  test('without a playerId, or with a wrong signature, they are refused', async () => {
    const all = await rig();
    const { run, ask, sandbox } = all;
    const bare = await run(send(all, 'registerPlayer', {} as { playerId: string }));
    expect(bare).toMatchObject({ status: 400, json: { errorCode: { id: 19 } } });
    expect(await run(ask('POST', '/operator/registerPlayer', { playerId }))).toMatchObject({
      status: 401,
    });
    expect(sandbox.state().notices).toEqual([]);
    await run(sandbox.close());
  });

  test('a reality check fires each rcInterval seconds on the clock of the service, and the response answers the latest', async () => {
    const [operator] = (await rig()).settings.operators;
    if (operator === undefined) throw new Error('no operator');
    const settings = { rcEnabled: true, rcInterval: 600 };
    const all = await rig({
      operators: [{ ...operator, settings }],
      service: { sessionTimes: { sessionIdleMs: 86_400_000 } },
    });
    const { run, sandbox, connect } = all;
    const check = () => sandbox.state().sessions[0]?.realityCheck;
    await run(connect());
    expect(check()).toMatchObject({ fired: 0, isAnswered: true });
    await run(sandbox.clock.advance(1_250_000));
    expect(check()).toMatchObject({ fired: 2, isAnswered: false });
    await run(send(all, 'sendRealityCheckResponse', { playerId }));
    expect(check()).toMatchObject({ fired: 2, isAnswered: true });
    await run(sandbox.clock.advance(600_000));
    expect(check()).toMatchObject({ fired: 3, isAnswered: false });
    await run(sandbox.close());
  });

  test('without rcEnabled there is no reality check', async () => {
    const { run, sandbox, connect } = await rig();
    await run(connect());
    expect(sandbox.state().sessions[0]?.realityCheck).toBeNull();
    await run(sandbox.close());
  });
});

describe('optionalMembers (E14.5)', () => {
  const optionalMembers = [
    'commonDraw',
    'commonRoundHash',
    'feature',
    'promotions',
    'promoWinInfo',
  ] as const;

  test('a client meets each that is sent, and none of them unless it is asked for', async () => {
    const { run, game, connect, sandbox } = await rig({ service: { optionalMembers } });
    const token = await run(connect());
    const { state } = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    expect(state.tokenData.further).toEqual({ commonDraw: expect.any(String) });
    expect(state.gameRoundInfo.further).toEqual({ commonRoundHash: expect.any(String) });
    expect(state.further?.['promoWinInfo']).toEqual({ referenceId: expect.any(String) });
    await run(sandbox.close());

    const plain = await rig();
    const other = await plain.run(plain.connect());
    const bare = await plain.run(
      plain.game.openRound({ token: other, stake: 100, currency: 'EUR' }),
    );
    expect([bare.state.tokenData.further, bare.state.gameRoundInfo.further]).toEqual([{}, {}]);
    expect(bare.state.further?.['promoWinInfo']).toBeUndefined();
    await plain.run(plain.sandbox.close());
  });
});
