import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LeapingClock } from '../../platform/leaping-clock';
import { createRig, headersFor, type Mount, mounts, operatorId, playerId, type Rig } from './rig';

describe.each<[Mount]>(mounts.map((mount) => [mount]))('getBalance behind %s', (mount) => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig({ clock: new LeapingClock() }, mount);
    const balances = { real: '1.5', bonus: '0' };
    await rig.store.players.openPlayer({
      operatorId,
      playerId: 'spieler é+&=',
      currency: 'EUR',
      balances,
    });
  });

  afterAll(() => rig.close());

  const get = (query: string, rest: string) =>
    rig.send({ method: 'GET', path: `/getBalance?${query}`, headers: headersFor(rest) });

  test('tells the balances of a player in a currency', async () => {
    const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
    expect([answer.status, answer.body]).toEqual([
      200,
      { balances: [{ type: 'real', amount: 100, currency: 'EUR' }] },
    ]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  test('tells bonus and which is used first, for an id that has to be encoded', async () => {
    const parameters = { playerId: 'spieler é+&=', currency: 'EUR', externalSessionId: 's' };
    const answer = await rig.send(rig.signer.getBalance(parameters));
    expect(answer.body).toEqual({
      balances: [
        { type: 'real', amount: 1.5, currency: 'EUR' },
        { type: 'bonus', amount: 0, currency: 'EUR' },
      ],
      useBonusFirst: true,
    });
  });

  test('takes the parameters in any order, and one that it does not know', async () => {
    const query = `more=1&gameCode=bells&currency=EUR&playerId=${playerId}`;
    expect((await get(query, `#${playerId}#EUR#bells`)).status).toBe(200);
  });

  test.each([
    ['an unknown player', 'playerId=nobody&currency=EUR', '#nobody#EUR', 1],
    [
      'a currency the player does not have',
      `playerId=${playerId}&currency=USD`,
      `#${playerId}#USD`,
      9002,
    ],
    ['a currency that is none', `playerId=${playerId}&currency=eur`, `#${playerId}#eur`, 19],
    ['no playerId', 'currency=EUR', '#EUR', 19],
    ['no currency', `playerId=${playerId}`, `#${playerId}`, 19],
    ['an empty playerId', 'playerId=&currency=EUR', '##EUR', 19],
    ['an empty gameCode', `playerId=${playerId}&currency=EUR&gameCode=`, `#${playerId}#EUR#`, 19],
    [
      'a playerId of 129 characters',
      `playerId=${'a'.repeat(129)}&currency=EUR`,
      `#${'a'.repeat(129)}#EUR`,
      19,
    ],
    ['a playerId with #', 'playerId=a%23b&currency=EUR', '#a#b#EUR', 19],
    ['a playerId with NUL', 'playerId=a%00&currency=EUR', '#a\u0000#EUR', 19],
    ['a parameter twice', `playerId=${playerId}&playerId=x&currency=EUR`, `#${playerId}#EUR`, 19],
    [
      'a parameter twice, once encoded',
      `playerId=${playerId}&player%49d=x&currency=EUR`,
      `#${playerId}#EUR`,
      19,
    ],
    ['playerId as a list', `playerId[]=${playerId}&currency=EUR`, `#${playerId}#EUR`, 19],
    ['an escape that is none', 'playerId=%zz&currency=EUR', '#%zz#EUR', 19],
    ['an escape that is no UTF-8', 'playerId=%ff&currency=EUR', '#\u00ff#EUR', 19],
    [
      'a session of 1025 characters',
      `playerId=${playerId}&currency=EUR&externalSessionId=${'s'.repeat(1025)}`,
      `#${playerId}#EUR`,
      19,
    ],
  ])('answers 400 to %s (D9)', async (_, query, rest, id) => {
    const answer = await get(query, rest);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      errorCode: { id, msg: expect.any(String), clientmsg: expect.any(String) },
    });
  });

  test.each(['unknown', 'hang'] as const)(
    'answers 503 with a store that is silent: %s (D9)',
    async (fault) => {
      rig.store.fail('accounts', fault);
      const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
      rig.store.heal();
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual({ errorCode: expect.objectContaining({ id: 9007 }) });
    },
  );

  test('answers 500 with a store that is broken, and tells nothing of it', async () => {
    rig.store.fail('accounts', 'throw');
    const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
    rig.store.heal();
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ errorCode: expect.objectContaining({ id: 9000 }) });
    expect(answer.text).not.toContain('broken');
  });

  test('a refusal keeps the connection: there is no body of which something was not read', async () => {
    const { port } = rig.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/getBalance?playerId=${playerId}&currency=EUR`;
    const reply = await fetch(url);
    expect([reply.status, reply.headers.get('connection')]).toEqual([401, 'keep-alive']);
  });

  test('answers 405 to another method, naming the right one', async () => {
    const answer = await rig.send({ method: 'POST', path: '/getBalance', headers: {}, body: '{}' });
    expect([answer.status, answer.headers]).toMatchObject([405, { allow: 'GET' }]);
    expect(answer.body).toEqual({ errorCode: expect.objectContaining({ id: 19 }) });
    const other = await rig.send({ method: 'GET', path: '/doTransactions', headers: {} });
    expect([other.status, other.headers]).toMatchObject([405, { allow: 'POST' }]);
  });
});
