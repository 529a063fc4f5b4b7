import assert from 'node:assert/strict';
import type { CashMovement, CashOrder, CorrectionOrder, PlayerKey } from '../../../operator/wallet';
import { countKinds, freshRound, open, orderOf, playerWith, purseOf } from '../case';
import { freshId } from '../../subject/runner';
import { type Case, wrongText, wrongUse } from '../suite';
import { allCash, type BookStore, keyOf, maria } from './case';

const reason = 'The deposit of a clerk was typed twice.';

/** Movements of cash: what is recorded of each, and how it is listed. */
export function movementRules(it: Case<BookStore>): void {
  it('an account has an opening for each balance, also of 0', async ({ players }) => {
    const player = freshRound();
    await open(players, player, 'EUR', 100n, 0n);
    await open(players, player, 'USD', 0n);
    const movements = await allCash(players, player);
    assert.deepEqual(
      movements.map(({ kind, currency, balance, units }) => [kind, currency, balance, units]),
      [
        ['opening', 'USD', 'real', 0n],
        ['opening', 'EUR', 'bonus', 0n],
        ['opening', 'EUR', 'real', 100n],
      ].toSorted((one, other) => byPlace(movements, one, other)),
    );
  });

  it('an account that is opened again has one opening, the first', async (store) => {
    const player = { ...keyOf(freshRound()), currency: 'EUR' };
    const openWith = (units: bigint) =>
      store.players.openPlayer({ ...player, balances: { real: { units } } });
    const results = await Promise.all([1n, 2n, 3n, 4n].map(openWith));
    assert.deepEqual(countKinds(results), { opened: 1, existed: 3 });
    const movements = await allCash(store.players, player);
    assert.deepEqual(
      movements.map(({ units }) => units),
      [(await purseOf(store, player)).real],
    );
  });

  it('each movement keeps its kind, amount, time, person and reason', async ({ players }) => {
    const player = keyOf(await playerWith(players, 100n));
    await players.deposit(orderOf(player, 30n, { reference: 'd' }));
    await players.withdraw(orderOf(player, 50n, { reference: 'w', by: maria, reason: 'by phone' }));
    await players.correct(correctionOf(player, -7n, { reference: 'c' }));
    const bonus = orderOf(player, 5n, { reference: 'b', balance: 'bonus' });
    await players.deposit({ ...bonus, by: { id: 'max', name: null } });
    const movements = await allCash(players, player);
    const actual = movements.map(({ at, ...movement }) => {
      assert.ok(at !== null && Number.isSafeInteger(at) && at > 1_000_000_000_000, 'it has a time');
      return movement;
    });
    const shared = { currency: 'EUR', balance: 'real', by: null, reason: null } as const;
    assert.deepEqual(actual, [
      {
        ...shared,
        reference: 'b',
        kind: 'deposit',
        balance: 'bonus',
        units: 5n,
        by: { id: 'max', name: null },
      },
      { ...shared, reference: 'c', kind: 'correction', units: -7n, by: maria, reason },
      { ...shared, reference: 'w', kind: 'withdrawal', units: -50n, by: maria, reason: 'by phone' },
      { ...shared, reference: 'd', kind: 'deposit', units: 30n },
      { ...shared, reference: '#opening EUR real', kind: 'opening', units: 100n },
    ]);
  });

  it('an opening keeps the person and the reason', async ({ players }) => {
    const player = { ...keyOf(freshRound()), currency: 'EUR', balances: { real: '1' } };
    await players.openPlayer({ ...player, by: maria, reason: 'moved from the old platform' });
    const [opening] = await allCash(players, player);
    assert.deepEqual([opening?.by, opening?.reason], [maria, 'moved from the old platform']);
  });

  it('texts of people are kept as they are', async ({ players }) => {
    const player = keyOf(await playerWith(players, 100n));
    const odd = '<b>%20 {"a"} \' -- \u20ac \u{1f3b0} \u05d0\u202e é e\u0301';
    const readable = odd.replace('\u202e', ''); // what a person reads is not turned round
    const by = { id: `i ${readable}`, name: readable };
    await players.deposit(orderOf(player, 1n, { reference: odd, by, reason: readable }));
    const [movement] = await allCash(players, player);
    assert.deepEqual([movement?.reference, movement?.by, movement?.reason], [odd, by, readable]);
  });

  it('a refused order leaves no movement', async ({ players }) => {
    const player = keyOf(await playerWith(players, 10n));
    await players.withdraw(orderOf(player, 11n));
    await players.deposit(orderOf(player, 1n, { currency: 'USD' }));
    await players.correct(correctionOf(player, -11n));
    assert.equal((await allCash(players, player)).length, 1);
  });
}

/** Corrections, and what a repeated order is. */
export function correctionRules(it: Case<BookStore>): void {
  it('a correction adds or takes once per reference', async ({ players }) => {
    const player = keyOf(await playerWith(players, 100n));
    const up = correctionOf(player, 5n);
    const down = correctionOf(player, -25n);
    for (const replay of [false, true]) {
      const added = await players.correct(up);
      assert.ok(added.kind === 'done' && added.replay === replay);
      const taken = await players.correct(down);
      assert.ok(taken.kind === 'done' && taken.replay === replay);
      assert.equal(taken.account.real, 80n);
    }
    assert.equal((await allCash(players, player)).length, 3);
  });

  it('a correction as decimal text may have a sign', async ({ players }) => {
    const player = keyOf(await playerWith(players, 100n));
    const result = await players.correct({ ...correctionOf(player, 1n), amount: '-0.0025' });
    assert.ok(result.kind === 'done' && result.account.real === 75n);
  });

  it('a correction never takes more than the balance, and may fill one below zero', async (store) => {
    const player = keyOf(await playerWith(store.players, 100n, 10n));
    for (const [units, balance] of [
      [-101n, 'real'],
      [-11n, 'bonus'],
    ] as const) {
      const refused = await store.players.correct(correctionOf(player, units, { balance }));
      assert.deepEqual(refused, { kind: 'refused', reason: 'tooLow' });
    }
    assert.deepEqual(await purseOf(store, player), { real: 100n, bonus: 10n });
    const all = await store.players.correct(correctionOf(player, -100n));
    assert.ok(all.kind === 'done' && all.account.real === 0n);
  });

  it('a correction needs a known player and an account in the currency', async ({ players }) => {
    const nobody = await players.correct(correctionOf(keyOf(freshRound()), 1n));
    assert.deepEqual(nobody, { kind: 'refused', reason: 'noPlayer' });
    const player = keyOf(await playerWith(players, 1n));
    const abroad = await players.correct(correctionOf(player, 1n, { currency: 'USD' }));
    assert.deepEqual(abroad, { kind: 'refused', reason: 'noCurrency' });
  });

  it('a reference means one kind of movement', async (store) => {
    const player = keyOf(await playerWith(store.players, 100n));
    const refused = { kind: 'refused', reason: 'referenceReused' };
    await store.players.deposit(orderOf(player, 5n, { reference: 'one' }));
    assert.deepEqual(
      await store.players.correct(correctionOf(player, 5n, { reference: 'one' })),
      refused,
    );
    await store.players.correct(correctionOf(player, -5n, { reference: 'two' }));
    assert.deepEqual(
      await store.players.withdraw(orderOf(player, 5n, { reference: 'two' })),
      refused,
    );
    assert.equal((await purseOf(store, player)).real, 100n);
  });

  it('an order that another person repeats moves nothing, and keeps the first', async ({
    players,
  }) => {
    const player = keyOf(await playerWith(players, 100n));
    const order = orderOf(player, 5n, { reference: 'r', by: maria, reason: 'first' });
    await players.deposit(order);
    const [first] = await allCash(players, player);
    for (const other of [{ by: { id: 'max', name: 'Max' }, reason: 'second' }, {}]) {
      const { by: _, reason: __, ...bare } = order;
      const again = await players.deposit({ ...bare, ...other });
      assert.ok(again.kind === 'done' && again.replay);
    }
    const [kept, opening, ...more] = await allCash(players, player);
    assert.deepEqual([kept, opening?.kind, more], [first, 'opening', []]);
  });

  it('a wrong text in a correction is an InvalidInputError, another mistake a TypeError, and nothing moves', async ({
    players,
  }) => {
    const player = keyOf(await playerWith(players, 100n));
    const order = correctionOf(player, 1n);
    const inText: Partial<Record<keyof CorrectionOrder, unknown>>[] = [
      ...['', '--1', '+1', '-', '-1e1', '1.00001', '-0'].map((amount) => ({ amount })),
      ...['', 'too short', 'x'.repeat(501), `with a\nline break`].map((text) => ({ reason: text })),
      ...[{ id: '' }, { id: 'a', name: '' }, { id: 'a\n', name: null }].map((by) => ({ by })),
      { reference: '#opening EUR real' },
    ];
    const inUse: Partial<Record<keyof CorrectionOrder, unknown>>[] = [
      ...[{ units: 1 }, { units: 0n }, 5n].map((amount) => ({ amount })),
      ...[undefined, 7].map((value) => ({ reason: value })),
      ...[undefined, 'maria', { id: 'a', name: 7 }].map((by) => ({ by })),
    ];
    for (const [mistakes, fault] of [
      [inText, wrongText],
      [inUse, wrongUse],
    ] as const) {
      for (const mistake of mistakes) {
        const wrong = players.correct({ ...order, ...mistake } as CorrectionOrder);
        await assert.rejects(wrong, fault, JSON.stringify(Object.keys(mistake)));
      }
    }
    for (const mistake of [{ by: { id: '' } }, { reason: '' }]) {
      const wrong = players.deposit({ ...orderOf(player, 1n), ...mistake } as CashOrder);
      await assert.rejects(wrong, wrongText);
    }
    assert.equal((await allCash(players, player)).length, 1);
  });
}

function correctionOf(
  { operatorId, playerId }: PlayerKey,
  units: bigint,
  more: Partial<CorrectionOrder> = {},
): CorrectionOrder {
  return {
    operatorId,
    playerId,
    currency: 'EUR',
    amount: { units },
    reference: freshId('reference'),
    by: maria,
    reason,
    ...more,
  };
}

/** Openings of one moment have no order among themselves: expect that of the list. */
function byPlace(
  movements: readonly CashMovement[],
  one: readonly unknown[],
  other: readonly unknown[],
): number {
  const place = ([, currency, balance]: readonly unknown[]) =>
    movements.findIndex((known) => known.currency === currency && known.balance === balance);
  return place(one) - place(other);
}
