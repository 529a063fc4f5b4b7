import assert from 'node:assert/strict';
import { systemRandom } from '../../../lib/platform';
import { freshDelivery } from '../../../lib/proof/subject/runner';
import { anotherRound, playerWith, purseOf, snapshotOf } from '../../../lib/proof/contracts/case';
import { credit, debit, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import type { Case } from '../../../lib/proof/contracts/suite';
import { at, call, limited, twice, usedOf, type World } from './case';
import { limitOf } from './orders';

const noon = Date.UTC(2026, 10, 25, 12);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What is sent, or written, more than once (D3.1). */
export function repeatRules(it: Case<World>): void {
  it('a commit that runs twice counts once', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 1000n);
    await limited(process, round, limitOf(100n, { kind: 'loss' }));
    const rounds = twice(process.store.rounds);
    await call(process, round, [debit('a', 40n, true), credit('b', 10n)], { rounds });
    assert.equal(await usedOf(process, round), 30n);
    await call(process, round, [debit('c', 50n), credit('d', 5n)], { rounds });
    assert.equal(await usedOf(process, round), 75n);
    assert.deepEqual(await call(process, round, [debit('e', 26n)], { rounds }), ['LIMITREACHED']);
    await call(process, round, [voidOf('e')], { rounds });
    await call(process, round, [voidOf('c')], { rounds });
    assert.equal(await usedOf(process, round), 30n);
    await call(process, round, [voidOf('a')], { rounds });
    assert.equal(await usedOf(process, round), 0n);
  });

  it('a call that is resent under its signature counts once, in another process too', async (world) => {
    const [one, other] = at(world, noon);
    const round = await playerWith(one.store.players, 1000n);
    await limited(one, round, limitOf(100n));
    const fingerprint = systemRandom.bytes(9).toString('base64url');
    const transactions = [debit('a', 60n, true), credit('b', 10n)];
    for (const process of [one, other, one]) {
      const delivery = { ...freshDelivery(), fingerprint };
      const words = await call(process, round, transactions, { delivery });
      assert.deepEqual(words, ['processed', 'processed']);
    }
    assert.equal(await usedOf(other, round), 60n);
    assert.equal((await purseOf(one.store, round)).real, 950n);
  });

  it('an accepted debit stays so after the limit was lowered at once, and after a block (D13.7)', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 1000n);
    await limited(process, round, limitOf(100n));
    const later = debit('b', 30n);
    await call(process, round, [debit('a', 60n, true)]);
    await call(process, round, [later]);
    await limited(process, round, limitOf(10n));
    assert.deepEqual(await call(process, round, [later]), ['processed']);
    assert.deepEqual(await call(process, round, [debit('a', 60n, true)]), ['processed']);
    await process.store.players.setBlocked(round, true, { until: noon + hourMs });
    assert.deepEqual(await call(process, round, [later]), ['processed']);
    assert.equal(await usedOf(process, round), 90n);
  });

  it('LIMITREACHED is final for the hash: with room again, the same debit is declined', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 1000n);
    const other = anotherRound(round);
    await limited(process, round, limitOf(100n));
    await call(process, round, [debit('a', 60n, true)]);
    const over = [debit('b', 41n), credit('c', 5n)];
    const declined = ['LIMITREACHED', 'DEBITFAILEDBEFORE'];
    assert.deepEqual(await call(process, round, over), declined);
    assert.deepEqual(await call(process, other, [debit('first', 41n, true)]), ['LIMITREACHED']);
    await limited(process, round, limitOf(null));
    assert.deepEqual(await call(process, round, over), declined);
    assert.deepEqual(await call(process, other, [debit('first', 41n, true)]), ['LIMITREACHED']);
    const states = [round, other].map(
      async (key) => (await snapshotOf(process.store, key)).head.state,
    );
    assert.deepEqual(await Promise.all(states), ['open', 'closed']);
    assert.deepEqual(await call(process, round, [debit('d', 41n)]), ['processed']);
  });

  it('a debit may use up a limit to the unit; the debits of a call stand or fall together', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 1000n);
    await limited(process, round, limitOf(100n));
    const both = [debit('a', 50n, true), debit('b', 51n)];
    assert.deepEqual(await call(process, round, both), ['DEBITFAILEDBEFORE', 'LIMITREACHED']);
    assert.equal(await usedOf(process, round), 0n);
    const next = anotherRound(round);
    const fits = [debit('a', 50n, true), debit('b', 50n)];
    assert.deepEqual(await call(process, next, fits), ['processed', 'processed']);
    assert.deepEqual(await call(process, next, [debit('c', 1n)]), ['LIMITREACHED']);
    assert.deepEqual(await call(process, next, [voidOf('c')]), ['processed']);
    assert.deepEqual(await call(process, next, [credit('w', 5n)]), ['processed']);
    assert.deepEqual(await call(process, next, [voidOf('a')]), ['processed']);
    assert.equal(await usedOf(process, round), 0n);
  });
}
