import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';

import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createOwnTablesStore, createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { WalletStore } from '../../../lib/operator/wallet';
import { cleanupAfterEach } from '../../support/each-test';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  operatorId,
  playerId,
  type Rig,
  secret,
  voidOfDebit,
} from './rig';

const cleanup = cleanupAfterEach();
const player = { operatorId, playerId };
const most = 2n ** 53n - 1n;

/** A wallet whose calls count 1/100; its player has 100 EUR. */
async function inCents(options: Partial<OperatorOptions> = {}, decimals = 4) {
  const store = createMemoryStore({ unit: '1/100', decimals, events: ['bridge'] });
  const rig = cleanup.after(await createRig({ ...options, store }));
  return { store, rig };
}

/** A body whose amount is written so, digit for digit. */
function written(transaction: object, amount: string): string {
  return bodyOf([{ ...transaction, amount: 4711 }]).replace('4711', amount);
}

function amountsOf(text: string): string[] {
  return [...text.matchAll(/"amount":([^,}]+)/g)].map(([, amount = '']) => amount);
}

async function real(rig: Rig, of = playerId): Promise<bigint | undefined> {
  const read = await rig.store.rounds.accounts({ operatorId, playerId: of });
  return read.kind === 'known' ? read.accounts?.[0]?.real : undefined;
}

describe('P19 with a unit of 1/100, 100 in a call is 1.00', () => {
  test('in the replies it is 100, and in the store, the report, the events and the log it is 1', async () => {
    let log = '';
    const logger = pino({ level: 'debug' }, { write: (line: string) => void (log += line) });
    const heard: unknown[] = [];
    const onOutcome: OperatorOptions['onOutcome'] = ({ transactions }) =>
      void heard.push(transactions[0]?.transaction);
    const { store, rig } = await inCents({ logger, onOutcome });
    const balance = () => rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
    expect((await balance()).text).toBe(
      '{"balances":[{"type":"real","amount":10000,"currency":"EUR"}]}',
    );
    const answer = await rig.call([debit(100), credit(250)]);
    expect([answer.status, amountsOf(answer.text)]).toEqual([200, ['10150']]);
    expect(await real(rig)).toBe(1_015_000n);
    expect(heard).toEqual([expect.objectContaining({ type: 'debit', amount: 10_000n })]);
    const report = await store.rounds.readRound({ ...player, gameRound: 'round-1' });
    expect(report?.toJSON().transactions).toMatchObject([
      { type: 'debit', amount: '1', moved: { real: '-1' } },
      { type: 'credit', amount: '2.5', moved: { real: '2.5' } },
    ]);
    for await (const { events } of store.events.read({ consumer: 'bridge', operatorId })) {
      expect(events.at(-1)).toMatchObject({
        accounts: [{ currency: 'EUR', real: '101.5' }],
        movements: [{ real: '-1' }, { real: '2.5' }],
        transactions: [{ amount: '1' }, { amount: '2.5' }],
      });
      break;
    }
    const lines = log.split('\n').filter((line) => line.includes('transaction answered'));
    expect(lines.map((line) => (JSON.parse(line) as { amount: string }).amount)).toEqual([
      '1',
      '2.5',
    ]);
  });

  test('the checks before a debit and of its discount are asked in units of the store', async () => {
    const asked: unknown[] = [];
    const { rig } = await inCents({
      discountCheck: ({ debit: { amount, discount } }) => asked.push([amount, discount]) > 0,
      debitCheck: ({ total, debits }) => {
        asked.push([total, debits[0]?.amount, debits[0]?.discount]);
        return { allow: true };
      },
    });
    const answer = await rig.call([debit(100, { discountAmount: 10 })]);
    expect([answer.status, amountsOf(answer.text)]).toEqual([200, ['9910']]);
    expect(await real(rig)).toBe(991_000n);
    expect(asked).toContainEqual([10_000n, 1_000n]);
    expect(asked).toContainEqual([9_000n, 10_000n, 1_000n]);
  });

  test('a stake limit of 10.00 takes 1000 and refuses 1001 (D13)', async () => {
    const { store, rig } = await inCents();
    const limit = { kind: 'stake', currency: 'EUR', window: 'day', amount: '10.00' } as const;
    expect(await store.players.setLimit(player, limit)).toMatchObject({ kind: 'done' });
    const tooMuch = await rig.call([debit(1001, { hash: 'over' })], { gameRound: 'over' });
    expect([tooMuch.status, tooMuch.body]).toMatchObject([400, { errorCode: { id: 9009 } }]);
    expect((await rig.call([debit(1000)])).status).toBe(200);
  });

  test('a bonus balance and one below zero are in replies as the real one is, and a void gives back what was taken', async () => {
    const { store, rig } = await inCents();
    const balances = { real: '0.50', bonus: '1.25' };
    await store.players.openPlayer({ operatorId, playerId: 'bea', currency: 'EUR', balances });
    const call = (...list: object[]) => rig.call(list, { playerId: 'bea' });
    expect(amountsOf((await call(debit(100))).text)).toEqual(['50', '25']);
    expect(amountsOf((await call(credit(25))).text)).toEqual(['75', '25']);
    const spent = await rig.call([debit(100, { hash: 'r2' })], {
      playerId: 'bea',
      gameRound: 'r2',
    });
    expect(amountsOf(spent.text)).toEqual(['0', '0']);
    const back = await call({ ...voidOfDebit, amount: 100 });
    expect([back.status, amountsOf(back.text)]).toEqual([200, ['-25', '100']]);
    expect(await real(rig, 'bea')).toBe(-2_500n);
  });

  test('a void of the recorded amount is no difference in the log, and one of another amount is (D5.6)', async () => {
    let log = '';
    const logger = pino({ level: 'warn' }, { write: (line: string) => void (log += line) });
    const { rig } = await inCents({ logger });
    for (const amount of [100, 1]) {
      const round = { gameRound: `round of ${amount}` };
      expect(log).toBe('');
      await rig.call([debit(100)], round);
      await rig.call([{ ...voidOfDebit, amount }], round);
    }
    expect(log).toContain('another amount');
  });

  test('a call sent again in another spelling of its amount is known, and another amount is other content (D3)', async () => {
    const { rig } = await inCents();
    for (const amount of ['100', '100.00', '1e2']) {
      const answer = await rig.send(rig.signer.doTransactions(written(debit(), amount)));
      expect([amount, answer.status, amountsOf(answer.text)]).toEqual([amount, 200, ['9900']]);
    }
    const other = await rig.send(rig.signer.doTransactions(written(debit(), '1')));
    expect(other.body).toMatchObject({ errorCode: { id: 37 } });
  });

  // With as many decimals, what a call has and what it is in the smallest unit; null: it cannot be held (D2.5).
  test.each<[number, string, bigint | null]>([
    [4, '100.0', 10_000n],
    [4, '1e2', 10_000n],
    [4, '100.25', 10_025n],
    [4, '100.250', 10_025n],
    [4, '100.251', null],
    [4, '0.01', 1n],
    [4, '1e-2', 1n],
    [4, '0.001', null],
    [2, '1', 1n],
    [2, '1.0', 1n],
    [2, '0.01', null],
    [2, '1.5', null],
    [3, '0.1', 1n],
    [3, '0.01', null],
    [8, '0.000001', 1n],
    [8, '0.0000001', null],
    [2, '9007199254740991', most],
    [2, '9007199254740992', null],
    [2, '1e16', null],
    [4, '90071992547409.91', most],
    [4, '90071992547409.92', null],
    [8, '9007199254.740991', most],
    [8, '9007199254.740992', null],
    [4, '-1', null],
    [4, '"100"', null],
  ])('with %i decimals a win of %s is %p in the smallest unit', async (decimals, amount, units) => {
    const { store, rig } = await inCents({}, decimals);
    const balances = { real: '0' };
    await store.players.openPlayer({ operatorId, playerId: 'eve', currency: 'EUR', balances });
    await rig.call([debit(0, { freePlayUsed: true })], { playerId: 'eve' });
    const body = written(credit(), amount).replace(playerId, 'eve');
    const { path, headers } = rig.signer.doTransactions(body.replace(/"100"/, '100'));
    const answer = await rig.send({ method: 'POST', path, headers, body });
    expect(await real(rig, 'eve')).toBe(units ?? 0n);
    if (units === null) expect(answer.body).toMatchObject({ errorCode: { id: 19 } });
    else expect(amountsOf(answer.text)).toEqual([shortest(amount)]);
  });
});

function shortest(amount: string): string {
  if (amount.includes('e')) return String(Number(amount));
  return amount.includes('.') ? amount.replace(/\.?0*$/, '') : amount;
}

const factories: readonly (readonly [string, (options: object) => unknown])[] = [
  ['memory', createMemoryStore],
  ['Redis', (options) => createRedisStore({ url: 'redis://127.0.0.1:1', ...options })],
  ['PostgreSQL', (options) => createPostgresStore({ url: 'postgres://127.0.0.1:1/x', ...options })],
  [
    'own tables',
    (options) => createOwnTablesStore({ url: 'postgres://127.0.0.1:1/x', ...options }),
  ],
];

describe.each(factories)('a store in %s', (_, create) => {
  test.each([
    ['100'],
    [100],
    [0.01],
    [null],
    [''],
    ['1/100 '],
    ['1/1'],
    ['1/1000'],
    [{}],
    [['1/100']],
  ])('is not made with the unit %p, which is none', (unit) => {
    expect(() => create({ unit })).toThrow(TypeError);
    expect(() => create({ unit })).toThrow(/^unit must be/);
  });

  test.each([0, 1])('of 1/100 is not made with %i decimals: 1 could not be held', (decimals) => {
    expect(() => create({ unit: '1/100', decimals })).toThrow(/decimals/);
  });
});

/** The router over a store of somebody else, with these members. */
function over(members: object): unknown {
  const { decimals, unit, rounds, lists, ready, close } = createMemoryStore();
  const store = { decimals, unit, rounds, lists, ready, close, ...members } as WalletStore;
  return createOperatorHandler({ store, operators: [{ operatorId, secrets: [secret] }] });
}

describe('the router over a store of somebody else', () => {
  test.each([['100'], [100], [null], [''], ['1/100 '], [{}]])(
    'is not made where its unit is %p, which is none',
    (unit) => {
      expect(() => over({ unit })).toThrow(TypeError);
      expect(() => over({ unit })).toThrow(/unit/);
    },
  );

  test('is not made where its unit is 1/100 and it keeps one decimal', () => {
    expect(() => over({ unit: '1/100', decimals: 1 })).toThrow(/decimals/);
  });

  // One around a store of 1/100 that leaves it out would take a hundred times the money.
  test('is not made where it says nothing of a unit', () => {
    expect(() => over({ unit: undefined })).toThrow(/^unit must be/);
  });
});
