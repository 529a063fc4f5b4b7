import assert from 'node:assert/strict';
import type { RoundsQuery } from '../../../operator/wallet';
import { anotherRound, freshRound, inTurns } from '../case';
import { freshId } from '../../subject/runner';
import { commitNext, end, endRecord, note } from '../changes';
import { type Case, faultOf, wrongUse } from '../suite';
import { allRounds, type HistoryWallet, namesOf, openRound, pageOf } from './case';

/** Pages of a player's rounds, and their cursors. */
export function pagingRules(it: Case<HistoryWallet>): void {
  it('pages of any size have all rounds, each once, in the same order', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 23 }, () => anotherRound(player));
    for (const round of rounds) await openRound(store, round);
    const expected = rounds.map(({ gameRound }) => gameRound).toReversed();
    for (const limit of [1, 2, 7, 22, 23, 24, 200]) {
      assert.deepEqual(await namesOf(store, player, limit), expected, `pages of ${limit}`);
    }
  });

  it('the last page has no next one', async ({ store }) => {
    const player = freshRound();
    for (let made = 0; made < 4; made++) await openRound(store, anotherRound(player));
    const first = await pageOf(store, player, { limit: 2 });
    const last = await pageOf(store, player, { limit: 2, cursor: first.next ?? '' });
    assert.deepEqual([first.rounds.length, last.rounds.length, last.next], [2, 2, null]);
  });

  it('a page has 50 rounds unless asked', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 51 }, () => anotherRound(player));
    await inTurns(rounds, (round) => openRound(store, round));
    assert.equal((await pageOf(store, player)).rounds.length, 50);
  });

  it('rounds that are opened at once are listed once each', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 150 }, () => anotherRound(player));
    await inTurns(rounds, (round, at) =>
      openRound(store, round, { state: at % 2 === 0 ? 'open' : 'closed' }),
    );
    const listed = await namesOf(store, player, 40);
    const expected = rounds.map(({ gameRound }) => gameRound);
    assert.deepEqual(listed.toSorted(), expected.toSorted());
  });

  it('what is written between two pages neither hides nor doubles a round that was there', async ({
    store,
  }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 30 }, () => anotherRound(player));
    for (const [at, round] of rounds.entries()) {
      await openRound(store, round, { state: at % 3 === 0 ? 'closed' : 'open' });
    }
    const open = rounds.filter((_, at) => at % 3 !== 0);
    const listed = await allRounds(store, player, 4, async () => {
      await openRound(store, anotherRound(player), { state: 'open' });
      for (const round of [open.pop(), open.shift()]) {
        if (round === undefined) continue;
        await commitNext(store, round, [end('late')], { state: 'closed' });
      }
    });
    const expected = rounds.map(({ gameRound }) => gameRound).toReversed();
    assert.deepEqual(
      listed.map(({ gameRound }) => gameRound),
      expected,
    );
  });

  it('rounds are listed by time, game, state and what was won', async ({ store }) => {
    const player = freshRound();
    const hour = 3_600_000;
    const start = 1_700_000_000_000;
    const rounds = Array.from({ length: 40 }, () => anotherRound(player));
    for (const [at, round] of rounds.entries()) {
      const record = { ...endRecord(), at: start + at * hour };
      const credits = { real: BigInt(at), bonus: at % 5 === 0 ? 3n : 0n };
      const state = at % 2 === 0 ? 'open' : 'closed';
      const gameCode = at % 3 === 0 ? 'bells' : 'game';
      await openRound(store, round, { state, gameCode, credits }, [note(`end of ${at}`, record)]);
    }
    const all = rounds.map(({ gameRound }, at) => ({ gameRound, at })).toReversed();
    const cases: [RoundsQuery, (at: number) => boolean][] = [
      [{ from: start + 10 * hour, to: start + 20 * hour }, (at) => at >= 10 && at < 20],
      [{ to: start + 5 * hour }, (at) => at < 5],
      [{ from: start + 38 * hour + 1 }, (at) => at > 38],
      [{ to: start }, () => false],
      [{ from: start + 40 * hour }, () => false],
      [{ game: 'bells' }, (at) => at % 3 === 0],
      [{ state: 'closed', to: start + 30 * hour }, (at) => at % 2 === 1 && at < 30],
      [{ min: { units: 33n } }, (at) => at === 30 || at >= 33],
      [{ min: { units: 43n } }, () => false],
      [{ min: '0' }, () => true],
      [
        {
          from: start + hour,
          to: start + 9 * hour,
          game: 'bells',
          state: 'open',
          min: { units: 1n },
        },
        (at) => at === 6,
      ],
    ];
    for (const [query, isWanted] of cases) {
      for (const limit of [1, 3, 200]) {
        const seen: string[] = [];
        for (let cursor: string | null = null; ; ) {
          const place: RoundsQuery = cursor === null ? {} : { cursor };
          const page = await pageOf(store, player, { ...query, limit, ...place });
          seen.push(...page.rounds.map(({ gameRound }) => gameRound));
          cursor = page.next;
          if (cursor === null) break;
        }
        const wanted = all.filter(({ at }) => isWanted(at)).map(({ gameRound }) => gameRound);
        assert.deepEqual(seen, wanted, Object.keys(query).join());
      }
    }
  });

  it('a cursor is refused by a query with other filters', async ({ store }) => {
    const player = freshRound();
    for (let made = 0; made < 3; made++) await openRound(store, anotherRound(player));
    const queries: RoundsQuery[] = [
      {},
      { state: 'closed' },
      { state: 'closed', game: 'game' },
      { game: 'game' },
      { from: 1 },
      { to: 8.64e15 },
      { min: { units: 0n } },
    ];
    for (const given of queries) {
      const cursor = (await pageOf(store, player, { ...given, limit: 1 })).next;
      assert.ok(cursor !== null, 'two rounds are left');
      for (const other of queries) {
        const asked = store.history.rounds(player, { ...other, cursor });
        if (other !== given) await assert.rejects(asked, wrongUse, Object.keys(other).join());
        else assert.equal((await pageOf(store, player, { ...given, cursor })).rounds.length, 2);
      }
    }
  });

  it('a wrong filter is refused, with its name', async ({ store }) => {
    const wrong: Readonly<Record<string, readonly unknown[]>> = {
      from: [-1, 1.5, Number.NaN, '2026-01-01', {}, 8.64e15 + 1],
      to: [-1, Number.POSITIVE_INFINITY, 1n, ''],
      game: ['', 7, 'x'.repeat(257), 'a\nb'],
      state: ['', 'paid', 'OPEN', 1, ['open']],
      min: [
        -1,
        1,
        1n,
        '',
        '-1',
        '1.123456789',
        '1e2',
        '01',
        { units: -1n },
        { units: 1 },
        '9'.repeat(20),
      ],
    };
    const player = freshRound();
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const query = { [name]: value } as RoundsQuery;
        const isNamed = (error: unknown) =>
          error instanceof TypeError && error.message.startsWith(name);
        await assert.rejects(
          store.history.rounds(player, query),
          isNamed,
          `${name}: ${String(value)}`,
        );
      }
    }
    for (const to of [5, 6]) {
      await assert.rejects(store.history.rounds(player, { from: 6, to }), /from must be before to/);
    }
  });

  it('a cursor of another player, operator or store is refused', async ({ store }) => {
    const player = freshRound();
    for (let made = 0; made < 3; made++) await openRound(store, anotherRound(player));
    const cursor = (await pageOf(store, player, { limit: 1 })).next ?? '';
    const { operatorId, playerId } = player;
    const others = [
      { operatorId, playerId: freshId('player') },
      { operatorId: freshId('operator'), playerId },
      { operatorId: playerId, playerId: operatorId },
    ];
    for (const other of others) {
      await assert.rejects(store.history.rounds(other, { cursor }), wrongUse);
      await assert.rejects(store.history.findRound({ ...other, hash: 'h', cursor }), wrongUse);
    }
    const wrong = ['', '0', 'x', '7:7', `${cursor} `, `x${cursor}`, `${cursor}x`, `${cursor}'`];
    for (const text of [...wrong, '9'.repeat(400), 'WzFd', '../..', '\u0000', '-1']) {
      await assert.rejects(store.history.rounds(player, { cursor: text }), wrongUse, text);
      await assert.rejects(
        store.history.findRound({ ...player, hash: 'h', cursor: text }),
        wrongUse,
      );
    }
    assert.equal((await pageOf(store, player, { limit: 200 })).rounds.length, 3);
  });

  it('a wrong limit, player or hash is refused before anything is asked', async ({ store }) => {
    const player = freshRound();
    for (const limit of [0, -1, 201, 1.5, Number.NaN, '5', null]) {
      await assert.rejects(store.history.rounds(player, { limit } as RoundsQuery), wrongUse);
    }
    for (const cursor of [7, {}, true, []]) {
      await assert.rejects(
        store.history.rounds(player, { cursor } as unknown as RoundsQuery),
        wrongUse,
      );
    }
    for (const id of ['', 'a#b', 'x'.repeat(129), 'a\nb', undefined as unknown as string]) {
      await assert.rejects(store.history.rounds({ ...player, playerId: id }), faultOf(id));
      await assert.rejects(store.history.findRound({ ...player, hash: id }), faultOf(id));
    }
  });
}
