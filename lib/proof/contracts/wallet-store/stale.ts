import assert from 'node:assert/strict';
import type { RoundChange } from '../../../operator/gameround';
import type { RoundKey, WalletStore } from '../../../operator/wallet';
import { emptyPurse } from '../../../protocol/money/purse';
import { assertCommitted, open, playerWith, purseOf, snapshotOf } from '../case';
import { sorted } from '../../subject/players';
import {
  type ChangePart,
  debitRecord,
  end,
  give,
  note,
  openingOf,
  real,
  take,
  takeMore,
  voidRecord,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import { oddIds } from '../samples';
import type { Case } from '../suite';

/** The resent calls, by kind. */
const calls: Readonly<Record<string, readonly ChangePart[]>> = {
  'a debit': [take('d', 5n)],
  'a whole round': [take('d', 5n), give('c', real(7n)), end('e')],
  'a debit of nothing': [take('d', 0n)],
  'a debit that was refused': [note('d', debitRecord(5n, { outcome: 'BALANCETOOLOW' }))],
  'a debit whose void came before it': [
    note('d', debitRecord(5n, { outcome: 'DEBITREFUSED' })),
    note('d', voidRecord(emptyPurse)),
  ],
  'a call of twelve credits': [take('d', 5n), ...credits(12)],
  'a call of 600 credits': [take('d', 5n), ...credits(600)],
  'a call with odd hashes': [take('d', 5n), ...oddIds.map((id) => give(id, real(1n)))],
};

/** What a stale answer may bring along, where it was asked for. A store need not bring anything. */
export function staleRules(it: Case<ContractWallet>): void {
  for (const [what, parts] of Object.entries(calls)) {
    it(`a repeated commit of ${what} may bring what a load would answer`, async (wallet) => {
      const { store, players } = wallet;
      const round = await playerWith(players, 100n);
      await open(players, round, 'USD', 7n);
      const change = openingOf(parts);
      const hashes = hashesOf(change);
      assertCommitted(await store.rounds.commit(round, change, hashes));
      await assertStale(store, round, change, hashes);
      await assertStale(store, round, change, [...hashes, 'another']);
      await assertStale(store, round, change, hashes.slice(0, 1));
      assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
    });
  }

  it('what it brings has a first debit that is the round itself', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const change = openingOf([take(round.gameRound, 5n), give('c', real(1n))]);
    assertCommitted(await store.rounds.commit(round, change));
    await assertStale(store, round, change, hashesOf(change));
  });

  it('what it brings is the round as it is now, and the money too', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const change = openingOf([take('d', 5n)]);
    assertCommitted(await store.rounds.commit(round, change));
    const more = [takeMore('e', 20n), give('c', real(1n))];
    await commitNext(store, round, more);
    await assertStale(store, round, change, ['d']);
    assert.deepEqual(await purseOf(store, round), real(76n));
  });

  it('what it brings knows no hash that the round does not know', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 5n)]);
    const other = openingOf([take('other', 30n), end('e')]);
    await assertStale(store, round, other, ['other', 'e']);
    assert.deepEqual(await purseOf(store, round), real(95n));
  });
}

async function assertStale(
  store: WalletStore,
  round: RoundKey,
  change: RoundChange,
  hashes: readonly string[],
): Promise<void> {
  const result = await store.rounds.commit(round, change, hashes);
  assert.equal(result.kind, 'stale');
  if (result.kind !== 'stale' || result.snapshot === undefined) return;
  const [returned, loaded] = [result.snapshot, await snapshotOf(store, round, hashes)];
  assert.deepEqual(returned.head, loaded.head);
  assert.deepEqual(new Map(returned.entries), new Map(loaded.entries));
  assert.deepEqual(sorted(returned.accounts ?? []), sorted(loaded.accounts ?? []));
}

function credits(count: number): ChangePart[] {
  return Array.from({ length: count }, (_, at) => give(`c${at}`, real(1n)));
}

function hashesOf({ records }: RoundChange): string[] {
  return [...new Set(records.map(({ hash }) => hash))];
}
