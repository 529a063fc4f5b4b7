import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { Overload, type Place } from '../../../lib/operator/http/overload';
import { until } from '../../servers/until';
import { createRequestSigner } from '../../../lib/proof';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  end,
  euros,
  playerId,
  type Rig,
  operatorId,
  secret,
  voidOfDebit,
} from './rig';

let rig: Rig;
const held: Promise<number>[] = [];

beforeEach(async () => {
  rig = await createRig({ maxInFlight: 4 });
});

afterEach(async () => {
  rig.store.heal();
  await Promise.all(held.splice(0));
  await rig.close();
});

/** Calls of other rounds that stay in flight until the store is healed. */
async function hold(count: number, transactions: readonly object[] = [credit()]): Promise<void> {
  rig.store.fail('load', 'hang');
  rig.store.fail('commit', 'hang');
  const before = rig.store.hanging;
  const calls = Array.from({ length: count }, (_, at) =>
    rig.call(transactions, { gameRound: `held-${before + at}` }).then(({ status }) => status),
  );
  held.push(...calls);
  await until('the calls in work', () => rig.store.hanging === before + count);
}

interface Body {
  readonly hashesProcessed: readonly object[];
  readonly errorCode: { readonly id: number };
}

test('debits are shed first, above three quarters of maxInFlight (D7)', async () => {
  await hold(3, [debit()]);
  const shed = await rig.call([debit()]);
  expect(shed.status).toBe(503);
  expect(shed.body).toEqual({
    hashesProcessed: [],
    errorCode: expect.objectContaining({ id: 9007 }),
  });
  await hold(1, [credit()]);
  expect(rig.store.hanging).toBe(4);
});

test('above the limit a credit is shed with 4xx, its hash left out (D7)', async () => {
  await hold(4);
  const shed = await rig.call([credit(), end]);
  expect([shed.status, (shed.body as Body).hashesProcessed]).toEqual([400, []]);
  expect((shed.body as Body).errorCode.id).toBe(9007);
});

test.each([
  ['voids', [voidOfDebit]],
  ['ends', [end]],
])('above the limit a call of %s is shed with 5xx (D7)', async (_, call) => {
  await hold(4);
  expect((await rig.call(call)).status).toBe(503);
});

test('above the limit getBalance is answered 503', async () => {
  await hold(4);
  const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  expect([answer.status, (answer.body as Body).errorCode.id]).toEqual([503, 9007]);
});

test('an unknown caller gets no place, and the same answer under overload', async () => {
  await hold(4);
  const answer = await rig.send(
    rig.signer.doTransactions('{"playerId":"a","gameCode":"b","gameRound":"c","transactions":[]}'),
    {
      'X-H-AUTH-ID': 'nobody',
    },
  );
  expect(answer.status).toBe(401);
});

test('a call that was shed did nothing, and is processed when it comes again', async () => {
  await hold(4);
  expect((await rig.call([credit()])).status).toBe(400);
  rig.store.heal();
  await Promise.all(held);
  expect((await rig.call([debit()])).status).toBe(200);
  expect((await rig.call([credit()])).status).toBe(200);
  expect(await rig.balance()).toBe(euros(110));
});

test('places are given back, also by calls that fail', async () => {
  rig.store.fail('load', 'throw');
  for (let at = 0; at < 10; at++) await rig.call([credit()]);
  rig.store.fail('accounts', 'throw');
  for (let at = 0; at < 10; at++)
    await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  rig.store.heal();
  expect((await rig.call([debit()])).status).toBe(200);
});

test("debits leave a quarter of an operator's share, and of the places for all, to other calls (D7)", () => {
  const overload = new Overload(48, ['a', 'b', 'c']); // 8 places each, 24 for all
  const placesFor = (hasDebit: boolean): number => {
    let count = 0;
    while (overload.enter('a', hasDebit) !== null) count++;
    return count;
  };
  expect(placesFor(true)).toBe(6 + 18);
  expect(placesFor(false)).toBe(2 + 6);
});

/** This many calls of the first operator that stay in flight, and no more. */
async function fill(count: number): Promise<void> {
  rig.store.fail('load', 'hang', 'before', count);
  const calls = Array.from({ length: count }, (_, at) =>
    rig.call([credit()], { gameRound: `held-${at}` }).then(({ status }) => status),
  );
  held.push(...calls);
  await until('the calls in work', () => rig.store.hanging === count);
}

describe('with several operators', () => {
  const others = ['other', 'third'];
  const signers = others.map((id) => createRequestSigner({ operatorId: id, secret }));

  beforeEach(async () => {
    await rig.close();
    const operators = [operatorId, ...others].map((id) => ({ operatorId: id, secrets: [secret] }));
    rig = await createRig({ maxInFlight: 12, operators });
    const balances = { real: '100' };
    for (const id of others) {
      await rig.store.openPlayer({ operatorId: id, playerId, currency: 'EUR', balances });
    }
  });

  test('one that takes all it gets leaves the others their shares (12 places: 2 each, 6 for all)', async () => {
    await fill(8);
    const shed = await rig.call([credit()]);
    expect([shed.status, (shed.body as Body).hashesProcessed]).toEqual([400, []]);
    expect((await rig.call([debit()])).status).toBe(503);
    for (const signer of signers) {
      for (let at = 0; at < 3; at++) {
        const gameRound = `free-${at}`;
        const body = bodyOf([debit(10, { hash: gameRound })], { gameRound });
        expect((await rig.send(signer.doTransactions(body))).status).toBe(200);
        const balance = signer.getBalance({ playerId, currency: 'EUR' });
        expect((await rig.send(balance)).status).toBe(200);
      }
    }
  });

  test('one that calls alone has its share and all that is open to all', async () => {
    await fill(8);
    expect(rig.store.hanging).toBe(8);
  });
});

describe('the places', () => {
  const ids = ['a', 'b', 'c'];

  test('are never more than maxInFlight, and every operator has its share, whatever the others took', () => {
    const event = record({
      id: constantFrom(...ids),
      hasDebit: boolean(),
      leaves: boolean(),
    });
    assert(
      property(integer({ min: 6, max: 60 }), array(event, { maxLength: 200 }), (max, events) => {
        const overload = new Overload(max, ids);
        const taken: Record<string, Place[]> = { a: [], b: [], c: [] };
        for (const { id, hasDebit, leaves } of events) {
          const place = leaves ? taken[id]?.pop() : overload.enter(id, hasDebit);
          if (leaves) place?.leave();
          else if (place) taken[id]?.push(place);
        }
        const count = () => ids.reduce((sum, id) => sum + (taken[id]?.length ?? 0), 0);
        expect(count()).toBeLessThanOrEqual(max);
        for (const id of ids) {
          for (let place = overload.enter(id, false); place; place = overload.enter(id, false)) {
            taken[id]?.push(place);
          }
          expect(taken[id]?.length).toBeGreaterThanOrEqual(Math.floor(max / 2 / ids.length));
        }
        expect(count()).toBe(max);
        expect(ids.some((id) => overload.enter(id, true) !== null)).toBe(false);
      }),
    );
  });

  test('are all for the only operator', () => {
    const overload = new Overload(4, ['a']);
    const debits = [1, 2, 3, 4].map(() => overload.enter('a', true) !== null);
    expect(debits).toEqual([true, true, true, false]);
    expect(overload.enter('a', false)).not.toBeNull();
    expect(overload.enter('a', false)).toBeNull();
  });
});
