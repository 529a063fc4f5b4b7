import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BalanceRequest } from '../../../lib/operator/http/hooks';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import type { CallEvent } from '../../../lib/operator/http/outcome-hook';
import { LeapingClock } from '../../platform/leaping-clock';
import { until } from '../../servers/until';
import {
  createRig,
  credit,
  debit,
  end,
  euros,
  operatorId,
  playerId,
  type Rig,
  voidOfDebit,
} from './rig';

let rig: Rig | undefined;
let clock: LeapingClock;

beforeEach(() => {
  clock = new LeapingClock();
});

afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

async function rigWith(options: Partial<Omit<OperatorOptions, 'store'>>): Promise<Rig> {
  rig = await createRig({ clock, ...options });
  return rig;
}

/** A hook that hangs: its time passes at once. */
const never = (): Promise<never> => {
  clock.leapSoon();
  return new Promise(() => {});
};
const fail = () => {
  throw new Error('the hook is broken');
};

/** Sends a getBalance with these parameters beside player and currency. */
function ask(from: Rig, more: Readonly<Record<string, string>> = {}) {
  return from.send(from.signer.getBalance({ playerId, currency: 'EUR', ...more }));
}

describe('onOutcome', () => {
  test('is called for every call, with the outcome of each transaction', async () => {
    const events: CallEvent[] = [];
    const made = await rigWith({ onOutcome: (event) => void events.push(event) });
    await made.call([debit(10.5), credit()]);
    await made.call([debit(10.5)]);
    await made.call([debit(5, { isFirstDebit: false, hash: 'd2', amount: 999 }), end]);
    await until('the events', () => events.length === 3);
    const key = { operatorId, playerId, gameRound: 'round-1', gameCode: 'bells' };
    expect(events[0]).toEqual({
      ...key,
      status: 200,
      state: 'open',
      durationMs: expect.any(Number),
      transactions: [
        {
          transaction: expect.objectContaining({ type: 'debit', amount: 105_000n }),
          outcome: 'processed',
          replay: false,
        },
        {
          transaction: expect.objectContaining({ type: 'credit' }),
          outcome: 'processed',
          replay: false,
        },
      ],
    });
    expect(events[1]).toMatchObject({ transactions: [{ outcome: 'processed', replay: true }] });
    expect(events[2]).toMatchObject({
      status: 400,
      transactions: [
        { outcome: 'refused', code: 'BALANCETOOLOW' },
        { outcome: 'refused', code: 'DEBITFAILEDBEFORE' },
      ],
    });
  });

  test('is called for an unknown outcome', async () => {
    const events: CallEvent[] = [];
    const made = await rigWith({ onOutcome: (event) => void events.push(event) });
    made.store.fail('commit', 'unknown');
    await made.call([debit(), credit()]);
    await until('the event', () => events.length === 1);
    expect(events[0]).toMatchObject({
      status: 503,
      state: null,
      transactions: [{ outcome: 'unknown' }, { outcome: 'unknown' }],
    });
  });

  test('is not called for a call that was refused as a whole', async () => {
    const events: CallEvent[] = [];
    const made = await rigWith({ onOutcome: (event) => void events.push(event) });
    await made.call([debit()], { transactionCount: 2 });
    await made.call([debit()]);
    await until('the event', () => events.length === 1);
    expect(events[0]?.status).toBe(200);
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('the hook is broken'))],
    ['hangs', never],
    ['rejects with nothing', () => Promise.reject(undefined as unknown as Error)],
  ])(
    'changes no answer where it %s, and does not keep the wallet from closing',
    async (_, onOutcome) => {
      const made = await rigWith({ onOutcome });
      expect((await made.call([debit()])).status).toBe(200);
      expect((await made.call([voidOfDebit])).status).toBe(200);
      expect(await made.balance()).toBe(euros(100));
    },
  );
});

describe('session', () => {
  test('sees who asks, with the session that was given', async () => {
    const seen: BalanceRequest[] = [];
    const made = await rigWith({ session: (request) => void seen.push(request) });
    expect((await ask(made, { externalSessionId: 's-1' })).status).toBe(200);
    expect(seen).toEqual([
      { operatorId, playerId, currency: 'EUR', gameCode: null, externalSessionId: 's-1' },
    ]);
  });

  test('answers with the error whose code it returns', async () => {
    const made = await rigWith({ session: () => Promise.resolve('PLAYERNOTFOUND' as const) });
    const answer = await ask(made);
    expect([answer.status, answer.body]).toMatchObject([400, { errorCode: { id: 1 } }]);
  });

  test('is not asked by who is not known', async () => {
    const seen: BalanceRequest[] = [];
    const made = await rigWith({ session: (request) => void seen.push(request) });
    const request = made.signer.getBalance({ playerId, currency: 'EUR' });
    expect((await made.send(request, { 'X-H-AUTH-ID': 'nobody' })).status).toBe(401);
    expect(seen).toEqual([]);
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('the hook is broken'))],
    ['hangs', never],
    ['returns null', () => null as never],
    ['returns a boolean', () => true as never],
    ['returns no code of the catalogue', () => 'BROKEN' as never],
    ['returns the name of what every object has', () => 'constructor' as never],
  ])('is answered 503 where it %s, telling nothing of why', async (_, session) => {
    const answer = await ask(await rigWith({ session }));
    expect([answer.status, answer.body]).toMatchObject([503, { errorCode: { id: 9007 } }]);
    expect(answer.text).not.toContain('broken');
  });

  test('does not touch doTransactions (D4.9)', async () => {
    const made = await rigWith({ session: () => 'PLAYERNOTFOUND' });
    expect((await made.call([debit()])).status).toBe(200);
  });
});

describe('freePlays', () => {
  const balances = [{ type: 'real', amount: 100, currency: 'EUR' }];

  test('is laid over the reply where a game is named, and the balances stay (D9)', async () => {
    const hooked = { freePlays: [{ serial: 's', count: 5 }], balances: 'mine' };
    const made = await rigWith({ freePlays: () => hooked });
    expect((await ask(made, { gameCode: 'bells' })).body).toEqual({
      balances,
      freePlays: [{ serial: 's', count: 5 }],
    });
  });

  test('is written as JSON.stringify writes it, so that the reply is always JSON', async () => {
    const expires = new Date(0);
    const free = { expires, left: undefined, list: () => 5, all: [Symbol('five')] };
    const made = await rigWith({ freePlays: () => free as never });
    expect((await ask(made, { gameCode: 'bells' })).body).toEqual({
      balances,
      expires: '1970-01-01T00:00:00.000Z',
      all: [null],
    });
  });

  test('is not asked where no game is named', async () => {
    const made = await rigWith({ freePlays: fail });
    expect((await ask(made)).body).toEqual({ balances });
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('the hook is broken'))],
    ['hangs', never],
    ['has nothing', () => null],
    ['holds a bigint', () => ({ count: 5n as never })],
    ['is a list', () => [1] as never],
    ['is a text', () => 'five' as never],
    [
      'cannot be read',
      () => ({
        get count() {
          return fail();
        },
      }),
    ],
  ])('is left out if it %s, and the balance is still answered', async (_, freePlays) => {
    const answer = await ask(await rigWith({ freePlays }), { gameCode: 'bells' });
    expect([answer.status, answer.body]).toEqual([200, { balances }]);
  });
});

describe('discountCheck', () => {
  const discounted = debit(100, { discountAmount: 10 });

  test('lets the wallet take the amount less the discount where it says so', async () => {
    const asked: unknown[] = [];
    const made = await rigWith({
      discountCheck: ({ round, call, debit: { discount, amount } }) => {
        asked.push([round.gameRound, call.gameCode, discount, amount]);
        return true;
      },
    });
    expect((await made.call([discounted])).status).toBe(200);
    expect(await made.balance()).toBe(euros(10));
    expect(asked).toEqual([['round-1', 'bells', euros(10), euros(100)]]);
  });

  test('is answered as 33 if it says no; nothing is taken and no round starts', async () => {
    const made = await rigWith({ discountCheck: async () => false });
    const answer = await made.call([discounted]);
    expect([answer.status, answer.body]).toMatchObject([400, { errorCode: { id: 33 } }]);
    expect(await made.balance()).toBe(euros(100));
    const later = await made.call([debit(100, { hash: 'other' })]);
    expect(later.status).toBe(200);
  });

  test('is not asked for a debit without a discount', async () => {
    const made = await rigWith({ discountCheck: fail });
    expect((await made.call([debit()])).status).toBe(200);
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('the hook is broken'))],
    ['hangs', never],
    ['answers an object', () => ({ eligible: false }) as never],
    ['answers a text', () => 'false' as never],
    ['answers nothing', () => undefined as never],
  ])(
    'leaves the outcome unknown where it %s: 5xx, and nothing once voided (D7)',
    async (_, discountCheck) => {
      const made = await rigWith({ discountCheck });
      const answer = await made.call([discounted]);
      expect([answer.status, answer.body]).toMatchObject([503, { hashesProcessed: [] }]);
      expect(answer.text).not.toContain('broken');
      expect((await made.call([{ ...voidOfDebit, amount: 100 }])).status).toBe(200);
      expect(await made.balance()).toBe(euros(100));
    },
  );
});

test('hooks that are functions alone are called as they were given, not as members of the options', async () => {
  const receivers: unknown[] = [];
  function session(this: unknown): void {
    receivers.push(this);
  }
  const made = await rigWith({ session });
  await made.send(made.signer.getBalance({ playerId, currency: 'EUR' }));
  expect(receivers).toEqual([undefined]);
});
