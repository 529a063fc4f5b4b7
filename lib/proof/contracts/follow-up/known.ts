import assert from 'node:assert/strict';
import { decideCancel } from '../../../operator/gameround';
import type { FollowUp } from '../../../operator/gameround/follow-up';
import type { RoundKey, WalletStore } from '../../../operator/wallet';
import type { Debit } from '../../../protocol/operator-api/transaction';
import { emptyPurse } from '../../../protocol/money/purse';
import { anotherRound, assertCommitted, playerWith, purseOf, snapshotOf } from '../case';
import { freshDelivery } from '../../subject/runner';
import {
  type ChangePart,
  creditRecord,
  debitRecord,
  end,
  give,
  note,
  real,
  take,
  takeMore,
  voidRecord,
  commitVoids,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import { oddIds } from '../samples';
import type { Case } from '../suite';
import {
  assertFollowed,
  assertOther,
  assertOthers,
  follow,
  followUpOf,
  runningRound,
} from './case';

/** What a round may know of the hash `1`, each as it is in a round that is of the class. */
const known: Readonly<Record<string, readonly ChangePart[]>> = {
  'a debit': [takeMore('1', 5n)],
  'a debit that was refused': [note('1', debitRecord(5n, { outcome: 'BALANCETOOLOW' }))],
  'a debit that was answered 5xx': [note('1', debitRecord(5n, { outcome: 'unanswered' }))],
  'a credit': [give('1', real(5n))],
  'a credit that was refused': [
    note('1', creditRecord(emptyPurse, { amount: 5n, outcome: 'DEBITFAILEDBEFORE' })),
  ],
  'an end': [end('1')],
  'a void': [note('1', voidRecord(emptyPurse))],
  'a debit and its void': [
    note('1', debitRecord(5n, { first: false })),
    note('1', voidRecord(real(5n))),
  ],
};

const parts: readonly ChangePart[] = [takeMore('1', 5n), give('1', real(5n)), end('1')];

/** A hash is written once, whatever is known of it. */
export function knownRules(it: Case<ContractWallet>): void {
  for (const [what, records] of Object.entries(known)) {
    it(`nothing is added under the hash of ${what}`, async (wallet) => {
      const { store, players } = wallet;
      const later = await runningRound(wallet);
      await commitNext(store, later, records);
      const first = await playerWith(players, 100n);
      await commitFirst(store, first, [take('d', 10n), ...records]);
      const long = await playerWith(players, 100n);
      const many = Array.from({ length: 30 }, (_, at) => give(`long ${at}`, real(1n)));
      await commitFirst(store, long, [take('d', 10n), ...many, ...records]);
      for (const [where, round] of Object.entries({ later, first, long })) {
        const followUps = parts.flatMap((part) => [
          followUpOf([part]),
          followUpOf([give('0', real(1n)), part]),
          followUpOf([part, give('2', real(1n))]),
        ]);
        await assertOthers(wallet, round, followUps, `${what} of the ${where} call`);
        assertFollowed(await follow(store, round, followUpOf([give('0', real(1n)), end('2')])));
      }
    });
  }

  it('hashes are compared byte for byte, in a first call and in a later one', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 1000n);
    const [odd, even] = [0, 1].map((rest) => oddIds.filter((_, at) => at % 2 === rest));
    const few = (odd ?? []).slice(0, 7);
    const rest = [...(even ?? []), ...(odd ?? []).slice(7)];
    const opening = few.map((hash, at) => (at === 0 ? take(hash, 1n) : give(hash, real(1n))));
    await commitFirst(store, round, opening);
    await assertOthers(wallet, round, endsOf(few), 'a hash of the first call');
    for (const hash of rest) {
      assertFollowed(await follow(store, round, followUpOf([give(hash, real(1n))])));
    }
    await assertOthers(wallet, round, endsOf(oddIds), 'a hash of any call');
    const { head, entries } = await snapshotOf(store, round, oddIds);
    assert.equal(entries.size, oddIds.length);
    assert.equal(head.credits.real, BigInt(oddIds.length - 1));
  });

  it('what only looks like a hash is not one', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const first = note('h', creditRecord(emptyPurse, { serial: '1', outcome: 'CREDITREFUSED' }));
    await commitFirst(store, round, [take('accepted', 10n), first], { gameCode: 'game' });
    for (const hash of ['1', 'EUR', 'd', 'c', 't', 'v', 'game', 'Ab-_', 'accepte', 'ccepted']) {
      assertFollowed(await follow(store, round, followUpOf([give(hash, real(1n))])));
    }
  });

  it('the hashes of another round are its own', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const other = anotherRound(round);
    await commitFirst(store, other, [take('d', 10n), give('1', real(1n))]);
    assertFollowed(await follow(store, round, followUpOf([give('1', real(1n))])));
    await assertOther(wallet, other, followUpOf([give('1', real(1n))]), 'its own');
  });

  it('a debit that comes after the mark of its call takes nothing (D7)', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const late = followUpOf([takeMore('e', 20n), give('c', real(3n))]);
    await mark(store, round, 'e', 20n);
    await assertOther(wallet, round, late, 'after the mark');
    await commitVoids(store, round, 'e');
    assert.equal((await snapshotOf(store, round)).head.state, 'open');
    await assertOther(wallet, round, late, 'after its void');
    assert.deepEqual(await purseOf(store, round), real(90n));
    assertFollowed(await follow(store, round, followUpOf([takeMore('f', 20n)])));
  });

  it('a mark that comes after its debit holds what was taken (D7)', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const played = [takeMore('e', 20n), give('c', real(3n))];
    assertFollowed(await follow(store, round, followUpOf(played)));
    await mark(store, round, 'e', 20n);
    const { head } = await snapshotOf(store, round);
    assert.deepEqual([head.state, head.unanswered, head.debits], ['cancelled', 1, real(30n)]);
    await assertOther(wallet, round, followUpOf(played), 'after the mark');
    await commitVoids(store, round, 'e');
    assert.deepEqual((await snapshotOf(store, round)).head.debits, real(10n));
  });

  it('a debit that comes after its void takes nothing (D5.5)', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    await commitVoids(store, round, 'e');
    await assertOther(wallet, round, followUpOf([takeMore('e', 20n)]), 'void before its debit');
    await commitVoids(store, round, 'd');
    await assertOther(wallet, round, followUpOf([takeMore('f', 20n)]), 'the round is voided');
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('what a follow-up wrote is voided as what a commit wrote', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    assertFollowed(await follow(store, round, followUpOf([takeMore('e', 20n)])));
    assertFollowed(await follow(store, round, followUpOf([takeMore('f', 30n)])));
    await commitVoids(store, round, 'e');
    assert.deepEqual(await purseOf(store, round), real(60n));
    await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, round), real(100n));
  });
}

/** A follow-up with an end under each of these hashes. */
function endsOf(hashes: readonly string[]): FollowUp[] {
  return hashes.map((hash) => followUpOf([end(hash)]));
}

/** Marks the round as one whose call with this debit was answered 5xx. */
async function mark(
  store: WalletStore,
  round: RoundKey,
  hash: string,
  amount: bigint,
): Promise<void> {
  const usual = { currency: 'EUR', discount: 0n, isFirstDebit: false, serial: null };
  const debit: Debit = { type: 'debit', hash, amount, ...usual };
  const view = await snapshotOf(store, round, [hash]);
  // The samples have this writer.
  const delivery = { ...freshDelivery(), id: 'Ab-_' };
  const context = { gameCode: 'game', now: 1_700_000_000_000, delivery };
  const change = decideCancel([debit], view, context);
  assert.ok(change !== null, 'the debit must be marked');
  assertCommitted(await store.rounds.commit(round, change));
}
