import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../support/until';
import { createRig, credit, debit, end, euros, playerId, type Rig, voidOfDebit } from './rig';

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

/** Calls of other rounds that stay in work until the store is healed. */
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

test('debits are shed first, above three quarters of what may be in work (D7)', async () => {
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

test('who is not known gets no place, and is told the same under overload', async () => {
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
