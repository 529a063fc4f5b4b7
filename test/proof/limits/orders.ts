import assert from 'node:assert/strict';
import { limitKinds, type LimitOrder, limitWindows } from '../../../lib/operator/wallet';
import { freshRound, open, orderOf, playerWith } from '../../../lib/proof/contracts/case';
import { debit } from '../../../lib/proof/contracts/repairs/round-play';
import { type Case, wrongText } from '../../../lib/proof/contracts/suite';
import { at, call, limited, limitsAt, setLimit, usedOf, type World } from './case';

const noon = Date.UTC(2026, 10, 25, 12); // a Wednesday
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A limit of a kind in EUR a day. */
export function limitOf(units: bigint | null, more: Partial<LimitOrder> = {}): LimitOrder {
  const amount = units === null ? null : { units };
  return { kind: 'stake', currency: 'EUR', window: 'day', ...more, amount };
}

/** The answer to an order that is refused. */
function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}

/** Orders of limits and blocks: what they answer, and what is kept of them (D13.3, D13.6). */
export function orderRules(it: Case<World>): void {
  it('a limit has its terms, UTC and the real balance unless set', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 100n);
    await limited(process, round, limitOf(50n));
    await call(process, round, [debit('d', 20n, true)]);
    const terms = { kind: 'stake', currency: 'EUR', window: 'day', zone: 'UTC', counts: 'real' };
    const { limits, changes } = await limitsAt(process, round);
    const resetsAt = noon + dayMs / 2;
    const told = { ...terms, amount: 50n, used: 20n, remaining: 30n, resetsAt };
    assert.deepEqual(Array.from(limits), [told]);
    const record = { ...terms, amount: 50n, by: null, reason: null };
    const times = Array.from(changes, (one) => one.at); // by the server's clock in some stores
    assert.deepEqual(Array.from(changes), [{ ...record, at: times[0] }]);
  });

  it('every change is kept with the person, newest first; a repeated order adds none', async (world) => {
    const [process] = at(world, noon);
    const player = await playerWith(process.store.players, 100n);
    const act = { by: { id: 'anna', name: 'Anna' }, reason: 'asked by phone' };
    for (const units of [50n, 50n, 40n, null, null]) {
      assert.deepEqual(await setLimit(process, player, limitOf(units), act), { kind: 'done' });
    }
    const { limits, changes } = await limitsAt(process, player);
    assert.equal(limits.length, 0);
    assert.deepEqual(
      Array.from(changes, ({ amount, by, reason }) => [amount, by, reason]),
      [
        [null, act.by, act.reason],
        [40n, act.by, act.reason],
        [50n, act.by, act.reason],
      ],
    );
  });

  it('an unknown player, a currency without an account and a 17th limit are refused', async (world) => {
    const [process] = at(world, noon);
    const { players } = process.store;
    assert.deepEqual(await setLimit(process, freshRound(), limitOf(1n)), { kind: 'noPlayer' });
    assert.deepEqual(await players.limits?.(freshRound()), { kind: 'noPlayer' });
    const player = await playerWith(players, 100n);
    const dollars = limitOf(1n, { currency: 'USD' });
    assert.deepEqual(await setLimit(process, player, dollars), refused('noCurrency'));
    await open(players, player, 'USD', 5n);
    const all = ['EUR', 'USD'].flatMap((currency) =>
      limitKinds.flatMap((kind) => limitWindows.map((window) => ({ kind, currency, window }))),
    );
    for (const one of all.slice(0, 16)) await limited(process, player, limitOf(9n, one));
    assert.deepEqual(await setLimit(process, player, limitOf(9n, all[16])), refused('tooMany'));
    await limited(process, player, limitOf(8n, all[3]));
    await limited(process, player, limitOf(null, all[3]));
    await limited(process, player, limitOf(9n, all[16]));
    assert.equal((await limitsAt(process, player)).limits.length, 16);
  });

  it('limits of a kind and a currency share zone and counts, which only the last one changes', async (world) => {
    const [process] = at(world, noon);
    const player = await playerWith(process.store.players, 100n);
    const terms = { zone: 'Asia/Kathmandu', counts: 'all' } as const;
    await limited(process, player, limitOf(9n, terms));
    await limited(process, player, limitOf(9n, { window: 'week' }));
    const others = [{ zone: 'UTC' }, { counts: 'real' as const }];
    for (const other of others) {
      const given = await setLimit(process, player, limitOf(9n, other));
      assert.deepEqual(given, { kind: 'refused', reason: 'otherTerms' });
    }
    await limited(process, player, limitOf(9n, { ...terms, window: 'month' }));
    await limited(process, player, limitOf(9n, { kind: 'loss', zone: 'UTC' }));
    await limited(process, player, limitOf(null, { window: 'week' }));
    await limited(process, player, limitOf(null, { window: 'month' }));
    await limited(process, player, limitOf(9n, { zone: 'UTC', counts: 'real' }));
    const { limits } = await limitsAt(process, player);
    assert.deepEqual(
      Array.from(limits, ({ kind, zone, counts }) => [kind, zone, counts]),
      [
        ['stake', 'UTC', 'real'],
        ['loss', 'UTC', 'real'],
      ],
    );
  });

  it('wrong orders are errors that name the field, and set nothing', async (world) => {
    const [process] = at(world, noon);
    const player = await playerWith(process.store.players, 100n);
    const wrong: readonly Partial<Record<keyof LimitOrder, unknown>>[] = [
      { kind: 'win' },
      { window: 'year' },
      { zone: 'Mars/Olympus' },
      { zone: '' },
      { counts: 'bonus' },
      { currency: 'eur' },
      { amount: '1.00001' },
      { amount: '-1' },
    ];
    for (const one of wrong) {
      const order = { ...limitOf(5n), ...one } as LimitOrder;
      await assert.rejects(setLimit(process, player, order), wrongText, JSON.stringify(one));
    }
    const { limits, changes } = await limitsAt(process, player);
    assert.deepEqual([limits.length, changes.length], [0, 0]);
  });

  it('a limit set in a running window counts from what is kept, and from 0 before the first (D13.6)', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 1000n);
    await call(process, round, [debit('a', 10n, true)]);
    await limited(process, round, limitOf(500n));
    await call(process, round, [debit('b', 20n)]);
    await limited(process, round, limitOf(500n, { window: 'month' }));
    await call(process, round, [debit('c', 30n)]);
    await limited(process, round, limitOf(500n, { kind: 'loss' }));
    const { limits } = await limitsAt(process, round);
    const used = Array.from(limits, (one) => [one.kind, one.window, one.used]);
    assert.deepEqual(used, [
      ['stake', 'day', 50n],
      ['stake', 'month', 50n],
      ['loss', 'day', 0n],
    ]);
  });

  it('the books of a block with an end: who set it and when it ends', async (world) => {
    const [process] = at(world, noon);
    const { players } = process.store;
    const player = await playerWith(players, 100n);
    const until = noon + minuteMs;
    for (let times = 0; times < 2; times += 1) await players.setBlocked(player, true, { until });
    const blocks = await players.blocks?.(player);
    assert.ok(blocks?.kind === 'known');
    assert.deepEqual(
      Array.from(blocks.blocks, (one) => [one.blocked, one.until]),
      [[true, until]],
    );
    for (const [now, isBlocked] of [
      [until - 1, true],
      [until + 1, false],
    ] as const) {
      at(world, now);
      const known = await players.readPlayer(player);
      assert.ok(known.kind === 'known');
      assert.deepEqual([known.blocked, known.blockedUntil], [isBlocked, isBlocked ? until : null]);
    }
    for (const wrong of [until - 1, 1.5, Number.NaN, Infinity]) {
      at(world, until + 1);
      await assert.rejects(players.setBlocked(player, true, { until: wrong }), {
        name: 'TypeError',
      });
    }
  });

  it('a deposit over its limit moves nothing and is not recorded; others are never refused', async (world) => {
    const [process] = at(world, noon);
    const { players } = process.store;
    const player = await playerWith(players, 100n);
    await limited(process, player, limitOf(50n, { kind: 'deposit' }));
    const order = orderOf(player, 51n);
    assert.deepEqual(await players.deposit(order), { kind: 'refused', reason: 'limitReached' });
    await limited(process, player, limitOf(51n, { kind: 'deposit' }));
    const done = await players.deposit(order);
    assert.ok(done.kind === 'done' && !done.replay);
    await limited(process, player, limitOf(0n, { kind: 'deposit' }));
    const again = await players.deposit(order);
    assert.ok(again.kind === 'done' && again.replay, 'a known reference is within any limit');
    const by = { id: 'anna', name: null };
    const correction = { ...orderOf(player, 7n), by, reason: 'a ticket of a player' };
    assert.equal((await players.correct?.(correction))?.kind, 'done');
    assert.equal((await players.withdraw(orderOf(player, 7n))).kind, 'done');
    assert.equal(await usedOf(process, player), 51n);
  });
}
