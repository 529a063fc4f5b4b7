import assert from 'node:assert/strict';
import type { PendingPost, PendingWork } from '../../../operator/gameround';
import { maxUnits } from '../../../protocol/money/amount';
import type { AccountStore, RoundKey } from '../../../operator/wallet';
import {
  anotherRound,
  assertCommitted,
  freshRound,
  inTurns,
  snapshotOf,
  forgotten,
  shortRetention,
} from '../case';
import { freshId } from '../../subject/runner';
import {
  changeOf,
  creditRecord,
  debitRecord,
  endRecord,
  note,
  openHead,
  voidRecord,
  commitFirst,
  commitNext,
} from '../changes';
import { oddIds } from '../samples';
import type { Case } from '../suite';

const since = 1_700_000_000_123;

/**
 * The store as a journal of rounds whose money is elsewhere: it keeps pending work unchanged, and finds
 * its round until nothing is pending.
 */
export function pendingRules(it: Case<AccountStore>): void {
  it('pending work comes back exactly, whatever its shape', async (store) => {
    for (const pending of everyPending()) {
      const round = freshRound();
      await commitFirst(store, round, [], { pending });
      const expected = { ...openHead, pending };
      assert.deepEqual((await snapshotOf(store, round)).head, expected);
      assert.deepEqual((await store.rounds.readRound(round))?.head, expected);
      assert.deepEqual(await linesOf(store, round.operatorId), [line(round)]);
    }
  });

  it('a round is unfinished exactly while something of it is pending', async (store) => {
    const round = freshRound();
    const other = anotherRound(round);
    await commitFirst(store, other, []);
    assert.deepEqual(await linesOf(store, round.operatorId), []);
    let { head } = await snapshotOf(store, round);
    const [first, second] = [work(['a']), work(['b'])];
    for (const pending of [first, second, second, null, null, first, null]) {
      assertCommitted(await store.rounds.commit(round, changeOf(head, [], { pending })));
      head = (await snapshotOf(store, round)).head;
      assert.deepEqual(head.pending, pending);
      const expected = pending === null ? [] : [line(round)];
      assert.deepEqual(await linesOf(store, round.operatorId), expected);
    }
  });

  it('pending work survives a commit that does not concern it', async (store) => {
    const round = freshRound();
    await commitFirst(store, round, [], { pending: work(['a'], ['r']) });
    const { head } = await snapshotOf(store, round);
    assertCommitted(
      await store.rounds.commit(
        round,
        changeOf(head, [], { state: 'cancelled', pending: head.pending }),
      ),
    );
    const kept = (await snapshotOf(store, round)).head;
    assert.deepEqual([kept.state, kept.pending], ['cancelled', head.pending]);
    assert.deepEqual(await linesOf(store, round.operatorId), [line(round)]);
  });

  it('what is given up as a round is voided is recorded with the void', async (store) => {
    const round = freshRound();
    await commitFirst(store, round, [], { pending: work(['c', 'e']) });
    const { head } = await snapshotOf(store, round);
    const credit = creditRecord(
      { real: 0n, bonus: 0n },
      { amount: 7n, outcome: 'GAMEROUNDVOIDED' },
    );
    const end = endRecord({ outcome: 'GAMEROUNDVOIDED', at: since });
    const order = voidRecord({ real: 0n, bonus: 0n });
    const parts = [note('d', order), note('c', credit), note('e', end)];
    const pending = work([], ['c', 'd']);
    assertCommitted(
      await store.rounds.commit(round, changeOf(head, parts, { state: 'voided', pending })),
    );
    const entries = new Map([
      ['d', { void: order }],
      ['c', { transaction: credit }],
      ['e', { transaction: end }],
    ]);
    const kept = await snapshotOf(store, round, ['c', 'd', 'e']);
    assert.deepEqual(
      [kept.head.state, kept.head.pending, kept.entries],
      ['voided', pending, entries],
    );
    assert.deepEqual((await store.rounds.readRound(round))?.entries, entries);
  });

  it('a commit that is not written leaves pending work unchanged', async (store) => {
    const round = freshRound();
    await commitFirst(store, round, [], { pending: work(['a']) });
    const { head } = await snapshotOf(store, round);
    const stale = changeOf({ ...head, version: 7 }, [], { pending: null });
    assert.deepEqual(await store.rounds.commit(round, stale), { kind: 'stale' });
    assert.deepEqual(await snapshotOf(store, round), { head, entries: new Map(), accounts: null });
    assert.deepEqual(await linesOf(store, round.operatorId), [line(round)]);
  });

  it('a round may be unfinished and need attention, and be listed for both', async (store) => {
    const round = freshRound();
    const more = { state: 'cancelled', pending: work(['a']) } as const;
    await commitFirst(store, round, [], more);
    for (const list of [
      store.lists.unfinished(round.operatorId),
      store.lists.attention(round.operatorId),
    ]) {
      const listed: string[] = [];
      for await (const key of list) listed.push(line(key));
      assert.deepEqual(listed, [line(round)]);
    }
  });

  it('another operator’s rounds are not listed', async (store) => {
    const round = freshRound();
    const other = { ...round, operatorId: freshId('operator') };
    await commitFirst(store, round, [], { pending: work(['a']) });
    assert.deepEqual(await linesOf(store, other.operatorId), []);
    await commitFirst(store, other, [], { pending: work(['b']) });
    await commitNext(store, round, [], { pending: null });
    assert.deepEqual(await linesOf(store, round.operatorId), []);
    assert.deepEqual(await linesOf(store, other.operatorId), [line(other)]);
  });

  it('odd players and rounds are listed once each, as they are named', async (store) => {
    const operatorId = freshId('operator');
    const one = freshRound(); // more rounds than any list reads at once
    const many = Array.from({ length: 300 }, () => ({ ...anotherRound(one), operatorId }));
    const odd = oddIds.map((id) => ({ operatorId, playerId: id, gameRound: id }));
    const rounds = [...many, ...odd];
    await inTurns(rounds, async (round) => {
      await commitFirst(store, round, [], { pending: work(['a']) });
    });
    assert.deepEqual(await linesOf(store, operatorId), rounds.map(line).toSorted());
  });

  it(
    'a round that is over is kept beyond the retention while something of it is pending',
    async (store) => {
      const [round, early] = [freshRound(), freshRound()];
      const pending = work([], ['r']);
      await commitFirst(store, round, [], { state: 'voided', pending });
      await commitFirst(store, early, [], { state: 'closed' });
      await forgotten(store, early);
      const { head } = await snapshotOf(store, round);
      assert.deepEqual([head.state, head.pending], ['voided', pending]);
      assert.deepEqual(await linesOf(store, round.operatorId), [line(round)]);
      const finished = changeOf(head, [], { state: 'voided', pending: null });
      assertCommitted(await store.rounds.commit(round, finished));
      await forgotten(store, round);
      assert.deepEqual(await linesOf(store, round.operatorId), []);
    },
    shortRetention,
  );
}

function everyPending(): PendingWork[] {
  const debits = [
    debitRecord(5n),
    debitRecord(5n, { fingerprints: ['Ab+/cd01EF23'], delivery: 'zZ09' }),
    debitRecord(maxUnits, { discount: maxUnits - 1n, first: false, serial: '', at: 0 }),
    ...oddIds.map((serial) => debitRecord(0n, { serial, currency: 'USD' })),
  ];
  const purse = { real: maxUnits, bonus: maxUnits };
  const calls = ['Ab+/cd01EF23', 'abcdefghijkl'];
  const credits = [
    creditRecord({ real: 1n, bonus: 2n }),
    creditRecord({ real: 1n, bonus: 2n }, { fingerprints: calls }),
    creditRecord(purse, { amount: maxUnits, serial: oddIds.join('') }),
  ];
  const end = { ...endRecord({ at: 8_640_000_000_000_000 }), outcome: 'pending' } as const;
  const records = [...debits, ...credits].map(
    (record) => ({ ...record, outcome: 'pending' }) as const,
  );
  const posts = [...records, end].flatMap((record, at): PendingPost[] => {
    const post = { hash: `hash-${at}`, record, bonusFirst: false, behind: null };
    return record.type === 'debit'
      ? [post, { ...post, hash: `bonus-${at}`, bonusFirst: true }]
      : [post];
  });
  const behind = posts.map((post) => ({ ...post, behind: oddIds[0] ?? null }));
  return [
    { since, posts: behind, reversals: [] },
    work(['one']),
    work([], ['one']),
    work(oddIds.toReversed(), oddIds),
    { since: 0, posts, reversals: [] },
    { since, posts: posts.toReversed(), reversals: oddIds },
    work(Array.from({ length: 600 }, (_, at) => `${'x'.repeat(120)}-${at}`)),
  ];
}

/** Pending free plays under these hashes, and reversals. */
function work(hashes: readonly string[], reversals: readonly string[] = []): PendingWork {
  const record = { ...debitRecord(0n), outcome: 'pending' } as const;
  const posts = hashes.map(
    (hash): PendingPost => ({ hash, record, bonusFirst: false, behind: null }),
  );
  return { since, posts, reversals };
}

async function linesOf(store: AccountStore, operatorId: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const key of store.lists.unfinished(operatorId)) {
    assert.equal(key.operatorId, operatorId);
    lines.push(line(key));
  }
  return lines.toSorted();
}

function line({ playerId, gameRound }: RoundKey): string {
  return JSON.stringify([playerId, gameRound]);
}
