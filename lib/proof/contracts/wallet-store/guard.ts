import assert from 'node:assert/strict';
import { unseenRound } from '../../../operator/gameround';
import {
  accountsOf,
  assertCommitted,
  assertHead,
  countKinds,
  freshRound,
  open,
  playerWith,
  purseOf,
  snapshotOf,
} from '../case';
import { changeOf, give, openingOf, real, take, takeMore, commitFirst } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import type { Debit } from '../../../protocol/operator-api/transaction';
import type { RoundKey } from '../../../operator/wallet';
import { voidOf, sendCall } from '../../subject/voided-call';

/** The guard: a commit counts once, and only on the version that was decided on. */
export function guardRules(it: Case<ContractWallet>): void {
  it('nothing is known of a round that was never committed', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const { head, entries } = await snapshotOf(store, round, ['a', 'b']);
    assert.deepEqual([head, entries], [unseenRound, new Map()]);
    assert.equal(await store.rounds.readRound(round), null);
    const accounts = [{ currency: 'EUR', real: 100n, bonus: null }];
    assert.deepEqual(await accountsOf(store, round), accounts);
  });

  it('an unknown player has null accounts, also beside a round', async ({ store }) => {
    const round = freshRound();
    assert.deepEqual(await store.rounds.accounts(round), { kind: 'known', accounts: null });
    const { accounts = null } = await snapshotOf(store, round);
    assert.equal(accounts, null);
    const result = await store.rounds.commit(round, openingOf([], { state: 'closed' }));
    assert.ok(result.kind === 'committed' && (result.accounts ?? null) === null);
    assert.deepEqual(await store.rounds.accounts(round), { kind: 'known', accounts: null });
  });

  it('the accounts after a commit are its result, and the round loads with them', async ({
    store,
    players,
  }) => {
    const round = await playerWith(players, 100n);
    await open(players, round, 'USD', 7n);
    const change = openingOf([take('d', 30n)]);
    const returned = assertCommitted(await store.rounds.commit(round, change));
    const accounts = [
      { currency: 'EUR', real: 70n, bonus: null },
      { currency: 'USD', real: 7n, bonus: null },
    ];
    assert.deepEqual(await accountsOf(store, round), accounts);
    if (returned.length > 0) assert.deepEqual(returned, accounts);
    const { head, entries } = await snapshotOf(store, round, ['d', 'unknown']);
    assertHead(head, { ...change.after, debits: real(30n) });
    assert.deepEqual([...entries.keys()], ['d']);
  });

  it('the version rises with each commit', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    let { head } = await snapshotOf(store, round);
    for (const part of [take('d', 1n), takeMore('e', 1n), give('c', real(1n)), null]) {
      const { version } = head;
      const change = changeOf(head, part === null ? [] : [part]);
      assertCommitted(await store.rounds.commit(round, change));
      head = (await snapshotOf(store, round)).head;
      assert.ok(head.version > version, `${head.version} must be above ${version}`);
    }
  });

  it('a commit on another version is stale, and nothing is written', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const { after: first } = openingOf([]);
    const early = changeOf(first, [take('early', 1n)]);
    assert.deepEqual(await store.rounds.commit(round, early), { kind: 'stale' });
    assert.equal(await store.rounds.readRound(round), null);
    await commitFirst(store, round, [take('d', 1n)]);
    const before = (await snapshotOf(store, round)).head;
    assertCommitted(await store.rounds.commit(round, changeOf(before, [takeMore('e', 1n)])));
    const { head } = await snapshotOf(store, round);
    for (const version of [0, before.version, head.version + 1, head.version * 10 + 2]) {
      for (const parts of [[takeMore('late', 1n)], []]) {
        const change = changeOf({ ...head, version }, parts);
        assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
      }
    }
    const after = await snapshotOf(store, round, ['early', 'late']);
    assert.deepEqual([after.head, after.entries.size], [head, 0]);
    assert.equal((await purseOf(store, round)).real, 98n);
  });

  it('a stale commit is stale even if its movement would be refused', async ({
    store,
    players,
  }) => {
    const round = await playerWith(players, 0n);
    await commitFirst(store, round, []);
    const change = openingOf([take('d', 1n)]);
    assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
  });

  it('the same commit executed twice changes nothing', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const change = openingOf([take('d', 30n), give('c', real(3n))]);
    assertCommitted(await store.rounds.commit(round, change));
    const once = [await store.rounds.readRound(round), await purseOf(store, round)];
    assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
    assert.deepEqual([await store.rounds.readRound(round), await purseOf(store, round)], once);
    assert.deepEqual(once[1], real(73n));
  });

  it('of concurrent commits on one version exactly one is written', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    let before = unseenRound;
    for (const turn of [1, 2, 3]) {
      const changes = Array.from({ length: 8 }, (_, at) =>
        changeOf(before, [take(`${turn}-${at}`, 1n)]),
      );
      const results = await Promise.all(
        changes.map((change) => store.rounds.commit(round, change)),
      );
      assert.deepEqual(countKinds(results), { committed: 1, stale: 7 });
      before = (await snapshotOf(store, round)).head;
      assert.deepEqual(before.debits, real(BigInt(turn)));
    }
    const report = await store.rounds.readRound(round);
    assert.equal(report?.entries.size, 3);
    assert.equal((await purseOf(store, round)).real, 97n);
  });
}

const plain = Object.freeze({ useBonusFirst: false, creditTo: 'real' });

/** Debits without `isFirstDebit`: the first, where the round has no accepted first debit (D2.3). */
export function unsaidRules(it: Case<ContractWallet>): void {
  it('a debit that does not say so is the first one after a first debit that is declined (D2.3, D5.4)', async (wallet) => {
    const round = await playerWith(wallet.players, 100n);
    const call = [debit('d', 101n, true), debit('e', 20n, null)];
    const declined = ['BALANCETOOLOW', 'DEBITFAILEDBEFORE'];
    assert.deepEqual(await answersTo(wallet, round, call), declined);
    assert.equal((await snapshotOf(wallet.store, round)).head.state, 'closed');
    for (const [isFirst, answer] of [
      [true, 'DEBITFAILEDBEFORE'],
      [false, 'TRANSACTIONALREADYEXISTS'],
    ] as const) {
      assert.deepEqual(await answersTo(wallet, round, [debit('e', 20n, isFirst)]), [answer]);
    }
    assert.deepEqual(await answersTo(wallet, round, [voidOf('e')]), ['processed']);
    assert.equal((await snapshotOf(wallet.store, round)).head.state, 'voided');
    const late = await answersTo(wallet, round, [debit('f', 5n, true)]);
    assert.deepEqual(late, ['GAMEROUNDVOIDED']);
    assert.deepEqual(await purseOf(wallet.store, round), real(100n));
  });

  it('a debit that does not say so is a follow-up after a first debit that is accepted (D2.3)', async (wallet) => {
    const round = await playerWith(wallet.players, 100n);
    for (const amount of [20n, 500n]) {
      const call = [debit('d', 50n, true), debit(`e${amount}`, amount, null)];
      const answer = amount === 20n ? 'processed' : 'BALANCETOOLOW';
      assert.deepEqual(await answersTo(wallet, round, call), ['processed', answer]);
      await answersTo(wallet, round, [voidOf(`e${amount}`)]);
      assert.equal((await snapshotOf(wallet.store, round)).head.state, 'open');
      assert.deepEqual(await purseOf(wallet.store, round), real(50n));
    }
  });
}

async function answersTo(
  wallet: ContractWallet,
  round: RoundKey,
  transactions: Parameters<typeof sendCall>[2],
): Promise<string[]> {
  const { verdicts, unknown } = await sendCall(wallet, round, transactions, plain);
  assert.equal(unknown?.cause.message ?? null, null, 'the call must be answered');
  return verdicts.map((one) => (one.outcome === 'refused' ? one.code : one.outcome));
}

function debit(hash: string, amount: bigint, isFirstDebit: boolean | null): Debit {
  const usual = { currency: 'EUR', discount: 0n, serial: null };
  return { type: 'debit', hash, amount, isFirstDebit, ...usual };
}
