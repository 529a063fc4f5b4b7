import assert from 'node:assert/strict';
import type { HashEntry } from '../../../operator/gameround';
import type { RoundKey, WalletStore } from '../../../operator/wallet';
import { systemRandom } from '../../../platform';
import { assertCommitted, inTurns, open, orderOf, playerWith, purseOf, snapshotOf } from '../case';
import { freshId } from '../../subject/runner';
import {
  debitRecord,
  note,
  openingOf,
  real,
  take,
  takeMore,
  commitVoids,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import { entryOf, oddIds } from '../samples';
import type { Case } from '../suite';

/** Identifiers and tenants never reach each other. */
export function identifierRules(it: Case<ContractWallet>): void {
  it('odd players, rounds and hashes are kept apart in every place', async ({ store, players }) => {
    const operatorId = freshId('operator');
    const rounds = oddIds.map((id) => ({ operatorId, playerId: id, gameRound: id }));
    for (const [at, round] of rounds.entries()) {
      const id = round.playerId;
      await open(players, round, 'EUR', 1000n);
      await players.deposit(orderOf(round, BigInt(at + 1), { reference: id }));
      await commitFirst(store, round, partsOf(at), { gameCode: id, state: 'stranded' });
    }
    for (const [at, round] of rounds.entries()) {
      assert.deepEqual(await purseOf(store, round), real(1000n));
      const { head, entries } = await snapshotOf(store, round, oddIds);
      const known = partsOf(at).map(({ record: { hash, record } }): [string, HashEntry] => {
        if (record.type !== 'debit' || record.outcome !== 'accepted') {
          return [hash, entryOf(record)];
        }
        return [hash, { transaction: { ...record, purse: real(BigInt(at + 1)) } }];
      });
      assert.deepEqual([head.gameCode, entries], [round.gameRound, new Map(known)]);
      const { balances: _, ...report } = { ...(await store.rounds.readRound(round)) };
      assert.deepEqual(report, { ...round, head, entries });
    }
    const listed = await listOf(store, operatorId);
    const expected = oddIds.map((id) => ({ playerId: id, gameRound: id }));
    assert.deepEqual(byName(listed), byName(expected));
  });

  it('odd hashes of one round each move their own money', async ({ store, players }) => {
    const round = await playerWith(players, 1000n);
    const first = openingOf([take('first', 1n), ...oddIds.map((hash) => takeMore(hash, 2n))]);
    assertCommitted(await store.rounds.commit(round, first));
    assert.deepEqual(await purseOf(store, round), real(999n - 2n * BigInt(oddIds.length)));
    const some = oddIds.filter((_, at) => at % 2 === 0);
    await commitVoids(store, round, ...some);
    const left = oddIds.length - some.length;
    assert.deepEqual(await purseOf(store, round), real(999n - 2n * BigInt(left)));
    const { entries } = await snapshotOf(store, round, oddIds);
    for (const [at, hash] of oddIds.entries()) {
      assert.equal(entries.get(hash)?.void !== undefined, at % 2 === 0, hash);
    }
    const alike = oddIds.map((id) => `${id}-`).filter((id) => id.length <= 128);
    const unknown = alike.filter((id) => !oddIds.includes(id));
    await commitVoids(store, round, ...unknown);
    assert.deepEqual(await purseOf(store, round), real(999n - 2n * BigInt(left)));
  });

  it('identifiers that look alike when joined are different', async ({ store }) => {
    const operatorId = freshId('operator');
    for (const mark of marks) {
      const keys: RoundKey[] = [
        { operatorId: `${operatorId}${mark}a`, playerId: 'b', gameRound: 'c' },
        { operatorId, playerId: `a${mark}b`, gameRound: 'c' },
        ...splitsOf(operatorId, mark),
      ];
      const codes = keys.map((_, at) => `game-${at}`);
      await inTurns(keys, async (round, at) => {
        const gameCode = codes[at] ?? null;
        await commitFirst(store, round, [], { gameCode });
      });
      const loaded = await inTurns(keys, (round) => snapshotOf(store, round));
      assert.deepEqual(
        loaded.map(({ head }) => head.gameCode),
        codes,
      );
    }
  });

  it('money of identifiers that look alike when joined is moved apart', async (wallet) => {
    const { store, players } = wallet;
    for (const mark of marks) {
      const operatorId = freshId('operator');
      const names = [`a${mark}b`, 'a', `a${mark}b${mark}c`];
      for (const [at, playerId] of names.entries()) {
        await open(players, { operatorId, playerId }, 'EUR', 100n * BigInt(at + 1));
      }
      const postings = [
        { playerId: `a${mark}b`, gameRound: 'c', hash: 'd' },
        { playerId: 'a', gameRound: `b${mark}c`, hash: 'd' },
        { playerId: 'a', gameRound: 'b', hash: `c${mark}d` },
        { playerId: `a${mark}b${mark}c`, gameRound: 'd', hash: 'd' },
      ];
      for (const { playerId, gameRound, hash } of postings) {
        const round = { operatorId, playerId, gameRound };
        await commitFirst(store, round, [take(hash, 10n)]);
      }
      await commitVoids(store, { operatorId, playerId: 'a', gameRound: 'b' }, `c${mark}d`);
      const purses = names.map((playerId) => purseOf(store, { operatorId, playerId }));
      assert.deepEqual(await Promise.all(purses), [real(90n), real(190n), real(290n)]);
    }
  });

  it('the same player of another operator is another player', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const other = { ...round, operatorId: freshId('operator') };
    await open(players, other, 'EUR', 5n);
    await players.setBlocked(other, true);
    await commitFirst(store, round, [take('d', 30n)]);
    assert.equal(await store.rounds.readRound(other), null);
    assert.equal((await purseOf(store, other)).real, 5n);
    await players.setBlocked(other, false);
    await commitFirst(store, other, [take('d', 1n)], { state: 'crashed' });
    assert.deepEqual(await purseOf(store, round), real(70n));
    assert.deepEqual(await purseOf(store, other), real(4n));
    assert.deepEqual(await listOf(store, round.operatorId), []);
    await commitVoids(store, other, 'd');
    assert.deepEqual(await purseOf(store, round), real(70n));
    await commitNext(store, round, [takeMore('e', 70n)]);
  });
}

const marks = [':', '/', ' ', '%', '{', '}', '-', '.', '|', ','];

/**
 * The debit of this odd id takes what was deposited; those before it are refused, identified by their
 * serial.
 */
function partsOf(at: number) {
  return oddIds.slice(0, at + 1).map((hash, index) => {
    if (index === at) return take(hash, BigInt(at + 1));
    return note(hash, debitRecord(0n, { serial: `${index}`, outcome: 'GAMEROUNDALREADYSTARTED' }));
  });
}

/**
 * Players and rounds whose names are the same text, split at each of its marks. There are so many that
 * some share a partition, however a store partitions.
 */
function splitsOf(operatorId: string, mark: string): RoundKey[] {
  return Array.from({ length: 6 }, () => {
    const letters = Array.from(systemRandom.bytes(32).toString('hex'));
    return letters.slice(1).map((_, at) => ({
      operatorId,
      playerId: letters.slice(0, at + 1).join(mark),
      gameRound: letters.slice(at + 1).join(mark),
    }));
  }).flat();
}

async function listOf(store: WalletStore, operatorId: string) {
  const entries: { playerId: string; gameRound: string }[] = [];
  for await (const { playerId, gameRound } of store.lists.attention(operatorId)) {
    entries.push({ playerId, gameRound });
  }
  return entries;
}

function byName<T extends { readonly playerId: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1));
}
