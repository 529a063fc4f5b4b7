import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { type Errand, Overload, type Place } from '../../../lib/operator/http/overload';
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

/** Debits of other rounds, or other calls, that stay in flight until the store is healed; no further one hangs. */
async function hold(count: number, transactions: readonly object[] = [debit()]): Promise<void> {
  const before = rig.store.hanging;
  // A call that opens its round is written at once; any other loads it.
  const isDebit = (transactions[0] as { type?: string }).type === 'debit';
  rig.store.fail(isDebit ? 'commit' : 'load', 'hang', 'before', count);
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

/** Questions for a balance that stay in flight until the store is healed. */
async function holdBalances(count: number): Promise<void> {
  const before = rig.store.hanging;
  rig.store.fail('accounts', 'hang', 'before', count);
  const calls = Array.from({ length: count }, () =>
    rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' })).then(({ status }) => status),
  );
  held.push(...calls);
  await until('the questions in work', () => rig.store.hanging === before + count);
}

test('debits are shed first, above three quarters of maxInFlight (D7)', async () => {
  await hold(3);
  const shed = await rig.call([debit()]);
  expect(shed.status).toBe(503);
  expect(shed.body).toEqual({
    hashesProcessed: [],
    errorCode: expect.objectContaining({ id: 9007 }),
  });
  await holdBalances(1);
  expect(rig.store.hanging).toBe(4);
});

test('a debit with a credit and an end is shed as a debit (D7)', async () => {
  await hold(3);
  expect((await rig.call([debit(), credit(), end])).status).toBe(503);
});

test.each([
  ['voids', [voidOfDebit], 200],
  ['ends', [end], 200],
  ['credits', [credit()], 200],
  ['credits and an end', [credit(), end], 200],
  ['voids and a credit', [voidOfDebit, credit()], 400],
])('above the limit a call of %s is processed (D7)', async (_, call, status) => {
  expect((await rig.call([debit()])).status).toBe(200);
  await hold(3);
  await holdBalances(1);
  const answer = await rig.call(call);
  expect(answer.status).toBe(status);
  expect((answer.body as Body).hashesProcessed).toHaveLength(call.length);
});

test('voids and credits in flight, however many, take no place of a debit (D7)', async () => {
  await hold(20, [voidOfDebit]);
  await hold(20, [credit()]);
  expect((await rig.call([debit()])).status).toBe(200);
  const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  expect(answer.status).toBe(200);
});

test('above the limit getBalance is answered 503', async () => {
  await hold(3);
  await holdBalances(1);
  const answer = await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  expect([answer.status, (answer.body as Body).errorCode.id]).toEqual([503, 9007]);
});

test('an unknown caller gets no place, and the same answer under overload', async () => {
  await hold(3);
  const answer = await rig.send(
    rig.signer.doTransactions('{"playerId":"a","gameCode":"b","gameRound":"c","transactions":[]}'),
    {
      'X-H-AUTH-ID': 'nobody',
    },
  );
  expect(answer.status).toBe(401);
});

test('a call that was shed did nothing, and is processed when it comes again', async () => {
  await hold(3);
  expect((await rig.call([debit()])).status).toBe(503);
  rig.store.heal();
  await Promise.all(held);
  const before = await rig.balance();
  expect((await rig.call([debit()])).status).toBe(200);
  expect(await rig.balance()).toBe(before - euros(10));
});

test('places are given back, also by calls that fail', async () => {
  rig.store.fail('load', 'throw');
  for (let at = 0; at < 10; at++) await rig.call([debit()]);
  rig.store.fail('accounts', 'throw');
  for (let at = 0; at < 10; at++)
    await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  rig.store.heal();
  expect((await rig.call([debit()])).status).toBe(200);
});

test("debits leave a quarter of an operator's share, and of the places for all, to other calls (D7)", () => {
  const overload = new Overload(48, ['a', 'b', 'c']); // 8 places each, 24 for all
  const placesFor = (errand: Errand): number => {
    let count = 0;
    while (overload.enter('a', errand) !== null) count++;
    return count;
  };
  expect(placesFor('debit')).toBe(6 + 18);
  expect(placesFor('balance')).toBe(2 + 6);
});

describe('with several operators', () => {
  const others = ['other', 'third'];
  const signers = others.map((id) => createRequestSigner({ operatorId: id, secret }));

  beforeEach(async () => {
    await rig.close();
    const operators = [operatorId, ...others].map((id) => ({ operatorId: id, secrets: [secret] }));
    rig = await createRig({ maxInFlight: 12, operators });
    const balances = { real: '100' };
    for (const id of others) {
      await rig.store.players.openPlayer({ operatorId: id, playerId, currency: 'EUR', balances });
    }
  });

  test('one that takes all it gets leaves the others their shares (12 places: 2 each, 6 for all)', async () => {
    await holdBalances(8);
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
    await holdBalances(8);
    expect(rig.store.hanging).toBe(8);
  });
});

describe('the places', () => {
  const ids = ['a', 'b', 'c'];

  test('are never more than maxInFlight, and every operator has its share, whatever the others took', () => {
    const event = record({
      id: constantFrom(...ids),
      errand: constantFrom<Errand>('debit', 'balance'),
      leaves: boolean(),
    });
    assert(
      property(integer({ min: 6, max: 60 }), array(event, { maxLength: 200 }), (max, events) => {
        const overload = new Overload(max, ids);
        const taken: Record<string, Place[]> = { a: [], b: [], c: [] };
        for (const { id, errand, leaves } of events) {
          const place = leaves ? taken[id]?.pop() : overload.enter(id, errand);
          if (leaves) place?.leave();
          else if (place) taken[id]?.push(place);
        }
        const count = () => ids.reduce((sum, id) => sum + (taken[id]?.length ?? 0), 0);
        expect(count()).toBeLessThanOrEqual(max);
        for (const id of ids) {
          for (
            let place = overload.enter(id, 'balance');
            place;
            place = overload.enter(id, 'balance')
          ) {
            taken[id]?.push(place);
          }
          expect(taken[id]?.length).toBeGreaterThanOrEqual(Math.floor(max / 2 / ids.length));
        }
        expect(count()).toBe(max);
        expect(ids.some((id) => overload.enter(id, 'debit') !== null)).toBe(false);
      }),
    );
  });

  test('are all for the only operator', () => {
    const overload = new Overload(4, ['a']);
    const debits = [1, 2, 3, 4].map(() => overload.enter('a', 'debit') !== null);
    expect(debits).toEqual([true, true, true, false]);
    expect(overload.enter('a', 'balance')).not.toBeNull();
    expect(overload.enter('a', 'balance')).toBeNull();
  });
});
