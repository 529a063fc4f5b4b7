import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AccountStore, RoundJson } from '../../../lib/operator/wallet';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  createRig,
  credit,
  debit,
  end,
  operatorId,
  playerId,
  type Rig,
  voidOfDebit,
} from '../http/rig';

const round = { operatorId, playerId, gameRound: 'round-1' };
let store: AccountStore;
let rig: Rig;

beforeEach(async () => {
  store = createMemoryStore();
  rig = await createRig({ store, discountCheck: () => true });
});

afterEach(() => rig.close());

/** The round as somebody reads it who was sent it as JSON. */
async function roundJson(): Promise<RoundJson> {
  return JSON.parse(JSON.stringify(await store.rounds.readRound(round))) as RoundJson;
}

test('a round is JSON with its transactions in order, times as texts and amounts as decimals', async () => {
  await rig.call([debit(2.5, { discountAmount: 0.5 }), credit(7.75, { serial: 'gift' }), end]);
  const json = await roundJson();
  const at = json.stateSince;
  expect(new Date(at).toISOString()).toBe(at);
  expect(json).toEqual({
    ...round,
    gameCode: 'bells',
    state: 'closed',
    stateSince: at,
    currency: 'EUR',
    debits: { real: '2', bonus: '0' },
    credits: { real: '7.75', bonus: '0' },
    unanswered: 0,
    declined: null,
    pending: null,
    transactions: [
      {
        at,
        type: 'debit',
        hash: 'round-1',
        outcome: 'accepted',
        currency: 'EUR',
        amount: '2.5',
        discount: '0.5',
        isFirstDebit: true,
        moved: { real: '-2', bonus: '0' },
      },
      {
        at,
        type: 'credit',
        hash: 'credit-1',
        outcome: 'accepted',
        currency: 'EUR',
        amount: '7.75',
        serial: 'gift',
        moved: { real: '7.75', bonus: '0' },
      },
      { at, type: 'end', hash: 'end-1', outcome: 'accepted' },
    ],
  });
});

test('a refusal is there with its code, and has moved nothing', async () => {
  await rig.call([debit(1000)]);
  const { transactions } = await roundJson();
  expect(transactions).toMatchObject([
    { hash: 'round-1', outcome: 'BALANCETOOLOW', amount: '1000', moved: { real: '0', bonus: '0' } },
  ]);
});

test('a void shows what it gave back, less the credits that it took back (D5.2)', async () => {
  await rig.call([debit(10), credit(4)]);
  await rig.call([voidOfDebit]);
  const { transactions, ...json } = await roundJson();
  expect(transactions.map(({ type }) => type)).toEqual(['debit', 'credit', 'void']);
  expect(transactions.at(-1)).toMatchObject({ hash: 'round-1', moved: { real: '6', bonus: '0' } });
  expect(json).toMatchObject({ state: 'voided', debits: { real: '0' }, credits: { real: '0' } });
});

test('a credit that a void took back with its debit shows 0, and the sums of the round are right (D5.3)', async () => {
  await rig.call([debit(10)]);
  const again = { type: 'debit', hash: 'debit-2', currency: 'EUR', amount: 5 };
  await rig.call([again, credit(20)]);
  await rig.call([{ type: 'void', hash: 'debit-2' }]);
  const { transactions, ...json } = await roundJson();
  const taken = transactions.find(({ hash }) => hash === 'credit-1');
  expect(taken).toMatchObject({ outcome: 'DEBITFAILEDBEFORE', moved: { real: '0' } });
  expect(transactions.at(-1)).toMatchObject({ type: 'void', moved: { real: '-15' } });
  expect(json).toMatchObject({ debits: { real: '10' }, credits: { real: '0' } });
  expect(await rig.balance()).toBe(900_000n);
});
