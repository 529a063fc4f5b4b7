import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCatalogue } from '../../../lib/protocol/operator-api/catalogue';
import { LeapingClock } from '../../platform/leaping-clock';
import {
  createRig,
  credit,
  debit,
  end,
  euros,
  type Mount,
  mounts,
  operatorId,
  playerId,
  type Rig,
  voidOfDebit,
} from './rig';

const object = (id: number) => ({ id, msg: expect.any(String), clientmsg: expect.any(String) });
const real = (amount: number) => ({ type: 'real', amount, currency: 'EUR' });

describe.each<[Mount]>(mounts.map((mount) => [mount]))('behind %s', (mount) => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await createRig({}, mount);
  });

  afterEach(() => rig.close());

  test('all processed: 200, the hashes in order, the balances after it, and no errorCode (D6.1, D6.2)', async () => {
    const answer = await rig.call([debit(10.5), credit(0.25), end]);
    expect([answer.status, answer.type]).toEqual([200, 'application/json']);
    expect(answer.body).toEqual({
      balances: [real(89.75)],
      hashesProcessed: [{ hash: 'round-1' }, { hash: 'credit-1' }, { hash: 'end-1' }],
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  test('a resend of a call is answered the same, and moves nothing (O8, D3.1)', async () => {
    const first = await rig.call([debit(), credit(), end]);
    const again = await rig.call([debit(), credit(), end]);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await rig.balance()).toBe(euros(110));
  });

  test('a refusal: 400, each outcome in order, the first failure on top, balances with it (D6.1, D6.2, D6.3)', async () => {
    await rig.call([debit()]);
    const followUp = debit(500, { isFirstDebit: false, hash: 'debit-2' });
    const answer = await rig.call([credit(5), followUp, credit(7, { hash: 'credit-2' }), end]);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      balances: [real(95)],
      hashesProcessed: [
        { hash: 'credit-1' },
        { hash: 'debit-2', errorCode: object(9001) },
        { hash: 'credit-2', errorCode: object(9004) },
        { hash: 'end-1', errorCode: object(9004) },
      ],
      errorCode: object(9001),
    });
  });

  test('a call refused as a whole lists no hashes, and nothing of it moves (D6.3)', async () => {
    const answer = await rig.call([debit()], { transactionCount: 2 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ errorCode: object(16) });
    expect(await rig.balance()).toBe(1_000_000n);
  });

  test('a credit-only call is never answered 5xx, whatever is refused (operator-api 4.1, rule 6)', async () => {
    for (const call of [[credit()], [credit(), end], [credit(1, { currency: 'USD' })]]) {
      const answer = await rig.call(call);
      expect(answer.status).toBe(400);
    }
  });
});

describe('each refusal has its id (D8)', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await createRig();
  });

  afterEach(() => rig.close());

  const followUp = debit(1, { isFirstDebit: false, hash: 'debit-2' });
  const cases: readonly (readonly [string, readonly (readonly object[])[], number])[] = [
    ['a second initial debit', [[debit()], [debit(10, { hash: 'x' })]], 12],
    ['a credit of a round that is over', [[debit(), end], [credit()]], 13],
    ['a follow-up debit of a round never started', [[followUp]], 15],
    ['a credit of a round never started', [[credit()]], 15],
    ['a discount nobody found eligible', [[debit(10, { discountAmount: 1 })]], 33],
    ['a known hash with another amount', [[debit()], [debit(11)]], 37],
    ['a balance too low', [[debit(1000)]], 9001],
    ['a currency the player does not have', [[debit(10, { currency: 'USD' })]], 9002],
    ['a credit of a voided round', [[debit()], [voidOfDebit], [credit()]], 9003],
    ['a debit whose void came first', [[voidOfDebit], [debit()]], 9003],
    [
      'a credit after a failed debit',
      [[debit()], [{ ...followUp, amount: 500 }], [credit()]],
      9004,
    ],
    ['the void of a credit', [[debit(), credit()], [{ type: 'void', hash: 'credit-1' }]], 19],
  ];

  test.each(cases)('%s', async (_, calls, id) => {
    let last = await rig.call(calls[0] ?? []);
    for (const call of calls.slice(1)) last = await rig.call(call);
    expect(last.status).toBe(400);
    expect((last.body as { errorCode: unknown }).errorCode).toEqual(object(id));
  });

  test('an unknown player', async () => {
    const answer = await rig.call([debit()], { playerId: 'nobody' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { hashesProcessed: [{ hash: 'round-1', errorCode: object(1) }], errorCode: object(1) },
    ]);
  });

  test('a credit for an unknown player strands the running round, and is answered as final', async () => {
    const answer = await rig.call([debit(10), credit(1, { currency: 'USD' }), end]);
    expect(answer.status).toBe(400);
    expect((answer.body as { hashesProcessed: unknown[] }).hashesProcessed).toEqual([
      { hash: 'round-1' },
      { hash: 'credit-1', errorCode: object(9002) },
      { hash: 'end-1' },
    ]);
  });

  test('a blocked player: debits are refused, credits and voids go on (D4.9)', async () => {
    await rig.call([debit()]);
    await rig.store.players.setBlocked({ operatorId, playerId }, true);
    const refused = await rig.call([{ ...followUp, hash: 'debit-3' }]);
    expect((refused.body as { errorCode: { id: number } }).errorCode.id).toBe(9006);
    expect((await rig.call([voidOfDebit])).status).toBe(200);
    expect(await rig.balance()).toBe(euros(100));
  });

  test('a blocked player is paid what was played before (D4.9)', async () => {
    await rig.call([debit()]);
    await rig.store.players.setBlocked({ operatorId, playerId }, true);
    expect((await rig.call([credit(), end])).status).toBe(200);
    expect(await rig.balance()).toBe(euros(110));
  });
});

describe('the balances of a reply', () => {
  test('show real and bonus, and which is used first, if there is a bonus balance', async () => {
    const rig = await createRig({ useBonusFirst: false });
    try {
      const bonus = { real: '5', bonus: '7.5' };
      const player = { operatorId, playerId: 'two', currency: 'EUR', balances: bonus };
      await rig.store.players.openPlayer(player);
      const answer = await rig.call([debit(6)], { playerId: 'two' });
      expect(answer.body).toEqual({
        balances: [real(0), { type: 'bonus', amount: 6.5, currency: 'EUR' }],
        useBonusFirst: false,
        hashesProcessed: [{ hash: 'round-1' }],
      });
    } finally {
      await rig.close();
    }
  });

  test('are in the currency of the call, among several of the player', async () => {
    const rig = await createRig();
    try {
      const balances = { real: '3' };
      await rig.store.players.openPlayer({ operatorId, playerId, currency: 'USD', balances });
      const answer = await rig.call([debit(1, { currency: 'USD' })]);
      expect((answer.body as { balances: unknown }).balances).toEqual([
        { type: 'real', amount: 2, currency: 'USD' },
      ]);
      const ended = await rig.call([end]);
      expect((ended.body as { balances: unknown }).balances).toEqual([
        { type: 'real', amount: 2, currency: 'USD' },
      ]);
    } finally {
      await rig.close();
    }
  });

  test('come where neither the call nor the round names a currency of the player: those of the first, by its code (D6.2)', async () => {
    const rig = await createRig();
    try {
      for (const currency of ['USD', 'CHF']) {
        await rig.store.players.openPlayer({
          operatorId,
          playerId,
          currency,
          balances: { real: '3' },
        });
      }
      const francs = [{ type: 'real', amount: 3, currency: 'CHF' }];
      const early = await rig.call([voidOfDebit]);
      expect(early.body).toMatchObject({ balances: francs, hashesProcessed: [{}] });
      const declined = await rig.call([debit(1, { currency: 'SEK' })], { gameRound: 'round-2' });
      expect(declined.body).toMatchObject({ balances: francs, errorCode: object(9002) });
    } finally {
      await rig.close();
    }
  });

  test('are written to the unit, where no float could hold them', async () => {
    const rig = await createRig();
    try {
      const balances = { real: '900719925474.0991' };
      await rig.store.players.openPlayer({
        operatorId,
        playerId: 'rich',
        currency: 'EUR',
        balances,
      });
      const answer = await rig.call([debit(0)], { playerId: 'rich' });
      expect(answer.text).toContain('"amount":900719925474.0991');
    } finally {
      await rig.close();
    }
  });

  test('may be below zero after a void, and are answered so (D5.2)', async () => {
    const rig = await createRig();
    try {
      await rig.call([debit(10), credit(50)]);
      await rig.store.players.withdraw({
        operatorId,
        playerId,
        currency: 'EUR',
        amount: '140',
        reference: 'w',
      });
      const answer = await rig.call([voidOfDebit]);
      expect([answer.status, (answer.body as { balances: unknown }).balances]).toEqual([
        200,
        [real(-40)],
      ]);
    } finally {
      await rig.close();
    }
  });
});

test('a refused currency has a reason: the gameround has another one, or there is no account', async () => {
  const rig = await createRig();
  await rig.store.players.openPlayer({
    operatorId,
    playerId,
    currency: 'USD',
    balances: { real: '5' },
  });
  await rig.call([debit()]);
  const inDollars = await rig.call([credit(1, { currency: 'USD' })]);
  const other = await rig.call([debit(1, { currency: 'CHF' })], { gameRound: 'round-2' });
  const parameters = { playerId, currency: 'CHF' };
  const balance = await rig.send(rig.signer.getBalance(parameters));
  const reasons = [inDollars, other, balance].map(({ status, body }) => {
    const { errorCode } = body as { errorCode: { id: number; msg: string } };
    return [status, errorCode.id, errorCode.msg];
  });
  const none = 'The currency is not supported. The player has no account in this currency.';
  expect(reasons).toEqual([
    [400, 9002, 'The currency is not supported. The gameround has another currency.'],
    [400, 9002, none],
    [400, 9002, none],
  ]);
  await rig.close();
});

test('ids and texts of errors can be set, and all others stay (D8)', async () => {
  const errors = {
    BALANCETOOLOW: { id: 4711, msg: 'm', clientmsg: 'c' },
    SIGNATUREWRONG: { id: 7 },
  };
  const rig = await createRig({ errors });
  try {
    // What was given is not what is used: it is read once.
    errors.BALANCETOOLOW.id = 1;
    const answer = await rig.call([debit(1000), credit()]);
    const [first, second] = (answer.body as { hashesProcessed: { errorCode: object }[] })
      .hashesProcessed;
    expect(first?.errorCode).toEqual({ id: 4711, msg: 'm', clientmsg: 'c' });
    const { id, msg, clientmsg } = errorCatalogue.DEBITFAILEDBEFORE;
    expect(second?.errorCode).toEqual({ id, msg, clientmsg });
    const { body } = await rig.send({
      method: 'GET',
      path: '/getBalance?playerId=a&currency=EUR',
      headers: {},
    });
    expect((body as { errorCode: object }).errorCode).toMatchObject({
      id: 7,
      msg: errorCatalogue.SIGNATUREWRONG.msg,
    });
  } finally {
    await rig.close();
  }
});

test('credits go where the debits came from, if asked to', async () => {
  const rig = await createRig({ creditTo: 'stakeShares' });
  try {
    const balances = { real: '8', bonus: '7' };
    await rig.store.players.openPlayer({ operatorId, playerId: 'two', currency: 'EUR', balances });
    const answer = await rig.call([debit(10), credit(9)], { playerId: 'two' });
    expect((answer.body as { balances: object[] }).balances).toEqual([
      { type: 'real', amount: 7.7, currency: 'EUR' },
      { type: 'bonus', amount: 6.3, currency: 'EUR' },
    ]);
  } finally {
    await rig.close();
  }
});

test('a round that opened is cancelled after a 5xx and voided by its void, as the store tells (D7)', async () => {
  const rig = await createRig({ clock: new LeapingClock() });
  try {
    rig.store.fail('commit', 'unknown', 'after', 1);
    rig.store.fail('load', 'unknown');
    expect((await rig.call([debit()])).status).toBe(503);
    rig.store.heal();
    expect((await rig.call([voidOfDebit])).status).toBe(200);
    expect(await rig.balance()).toBe(euros(100));
  } finally {
    await rig.close();
  }
});
