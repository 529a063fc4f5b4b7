import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { StoreUnsafeError, type WalletStore } from '../../../lib/operator/wallet';
import { createRequestSigner } from '../../../lib/proof';
import { Cleanup } from '../../servers/cleanup';
import { callInProcess } from '../http/in-process-call';
import { bodyOf, credit, debit, secret, voidOfDebit } from '../http/rig';
import { Places, player } from './places';

const { operatorId, playerId } = player;
const places = new Places();
const cleanup = new Cleanup();
let sent = Date.now();

beforeAll(() => places.start());

afterEach(async () => {
  await cleanup.run();
  await places.tidy();
});

afterAll(() => places.stop());

/** The wallet as one process has it: answers a call with the status, the ids of errors and the amounts of the reply. */
function serve(store: WalletStore, deadlineMs = 60_000) {
  const operators = [{ operatorId, secrets: [secret] }];
  const wallet = createOperatorHandler({ store, operators, deadlineMs });
  cleanup.after(wallet);
  const signer = createRequestSigner({ operatorId, secret, now: () => ++sent });
  return async (...transactions: readonly object[]): Promise<unknown[]> => {
    const request = signer.doTransactions(bodyOf(transactions, { playerId }));
    const { status, body } = await callInProcess(wallet.handle, request);
    const { errorCode, balances = [] } = body as {
      errorCode?: { id: number };
      balances?: { amount: number }[];
    };
    return [status, ...(errorCode ? [errorCode.id] : []), ...balances.map(({ amount }) => amount)];
  };
}

async function real(store: WalletStore): Promise<bigint | undefined> {
  const read = await store.rounds.accounts(player);
  return read.kind === 'known' ? read.accounts?.[0]?.real : undefined;
}

async function refusalOf(store: WalletStore): Promise<string> {
  const refused = await store.ready().then(
    () => 'it is ready',
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  return (refused as Error).message;
}

const [cents, whole] = ['1/100', '1'] as const;

describe.each(places.kinds)('P19 in %s', (_, openPlace) => {
  test('100 in a call moves 1.00 in every process of the unit; one of another unit is refused, and moves nothing', async () => {
    const { open, fund } = await openPlace();
    const store = open({ unit: cents });
    await store.ready();
    await fund(store);
    const call = serve(store);
    expect(await call(debit(100), credit(250))).toEqual([200, 10150]);
    expect(await real(store)).toBe(1_015_000n);
    const report = await store.rounds.readRound({ ...player, gameRound: 'round-1' });
    expect(report?.toJSON()).toMatchObject({
      debits: { real: '1' },
      credits: { real: '2.5' },
      transactions: [{ amount: '1' }, { amount: '2.5' }],
    });

    const another = serve(open({ unit: cents })); // ready or not
    expect(await another(debit(100), credit(250))).toEqual([200, 10150]);
    expect(await another(debit(100, { amount: 1 }))).toEqual([400, 37, 10150]);
    const wrong = serve(open({ unit: whole }), 100);
    for (const transaction of [debit(1), voidOfDebit]) {
      expect((await wrong(transaction))[0]).toBe(503);
    }
    expect(await wrong(credit(250, { hash: 'c2' }))).toEqual([400, 9007]);
    expect(await real(store)).toBe(1_015_000n);
    expect(await call(voidOfDebit)).toEqual([200, 10000]);
  });

  test.each([
    [whole, cents, '4'],
    [cents, whole, '4 in 1/100'],
  ])(
    'data of unit %s refuse a process of %s, whatever else it is told',
    async (first, second, text) => {
      const { open, noted } = await openPlace();
      await open({ unit: first }).ready();
      expect(await noted()).toBe(text);
      for (const more of [{}, { acceptMixed: true }]) {
        expect(await refusalOf(open({ ...more, unit: second }))).toContain(
          `has decimals ${first === cents ? '4 in 1/100' : '4'}; this store is set to`,
        );
      }
      await open({ unit: first }).ready();
      expect(await noted()).toBe(text);
    },
  );

  test('data that become those of another unit under a running process are refused once it has looked, until they are back', async () => {
    const { open, fund, noted } = await openPlace();
    const store = open({ unit: whole });
    await store.ready();
    await fund(store);
    const call = serve(store, 1000);
    expect(await call(debit(10))).toEqual([200, 90]);
    await noted('4 in 1/100');
    expect(await refusalOf(store)).toContain('has decimals 4 in 1/100; this store is set to 4.');
    expect(await call(credit(20))).toEqual([400, 9007]);
    await noted('4');
    await store.ready();
    expect(await call(credit(20))).toEqual([200, 110]);
  });

  test('of two processes that start at once on empty data with different units one is refused', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { open, noted } = await openPlace();
      const outcomes = await Promise.allSettled(
        [cents, whole, cents, whole].map((unit) => open({ unit }).ready()),
      );
      const isCents = (await noted()) === '4 in 1/100';
      expect(outcomes.map(({ status }) => status)).toEqual(
        [isCents, !isCents, isCents, !isCents].map((won) => (won ? 'fulfilled' : 'rejected')),
      );
    }
  });
});

test.each([
  ['Redis', places.inRedis],
  ['PostgreSQL', places.inPostgres],
] as const)(
  'data in %s whose decimals and unit cannot be read refuse every process, in words',
  async (_, openPlace) => {
    const { open, noted } = await openPlace();
    await open({}).ready();
    for (const text of [
      '4 in 1/1000',
      '4 in 1',
      '4 in 1/100 ',
      '2 in 1/100',
      '1/100',
      'x',
      '04',
      '',
    ]) {
      await noted(text);
      for (const unit of [cents, whole]) {
        expect(await refusalOf(open({ unit }))).toMatch(
          new RegExp(`^The data .* has decimals ${text}; this store is set to 4( in 1/100)?\\.`),
        );
      }
      expect(await noted()).toBe(text);
    }
  },
);
