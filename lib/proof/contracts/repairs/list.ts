import assert from 'node:assert/strict';
import { rejectRepair } from '../../../operator/operations/repairs/decision';
import type { RepairEntry, RepairsQuery, WalletStore } from '../../../operator/wallet';
import { maxUnits } from '../../../protocol/money/amount';
import { anotherRound, freshRound, inTurns, snapshotOf } from '../case';
import { freshId } from '../../subject/runner';
import type { ContractWallet } from '../../subject/players';
import { oddIds } from '../samples';
import { type Case, faultOf, wrongUse } from '../suite';
import { bert, credit, debit, RoundPlay, voidOf, wordOfResult } from './round-play';
import { repairAt, since, writeRepairs } from './written';

/** All repairs of an operator, the latest proposal first. */
export function repairListRules(it: Case<ContractWallet>): void {
  it('a round without repairs is not listed', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    assert.deepEqual(await allRepairs(wallet.store, play.round.operatorId), []);
  });

  it('a repair says whose it is, who proposed and who decided, when and why', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({});
    const [waiting] = await allRepairs(wallet.store, play.round.operatorId);
    assert.deepEqual([waiting?.repair.id, waiting?.repair.status], [id, 'proposed']);
    assert.equal(wordOfResult(await play.approve(id)), 'made');
    const [entry, ...none] = await allRepairs(wallet.store, play.round.operatorId);
    const { head } = await snapshotOf(wallet.store, play.round);
    const [kept] = head.repairs?.list ?? [];
    assert.deepEqual(none, []);
    const { repair, ...rest } = { ...entry };
    const { gameCode, version } = head;
    assert.deepEqual({ ...rest }, { ...play.round, gameCode, version });
    assert.deepEqual(repair, kept);
    assert.deepEqual([repair?.status, { ...repair?.decidedBy }], ['done', bert]);
  });

  it('whatever becomes of a repair, it stays in the list', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const { operatorId } = play.round;
    const isListed = async (...expected: readonly string[]) => {
      const all = await allRepairs(wallet.store, operatorId);
      assert.deepEqual(all.map(wordOfEntry), expected);
      assert.equal(
        all.every(({ gameRound }) => gameRound === play.round.gameRound),
        true,
      );
    };
    const rejected = await play.proposed({});
    await rejectRepair(play.round, rejected, bert, 'It is not what the RGS said', play.options());
    await isListed('rejected');
    play.aheadMs += 10;
    await play.proposed({ kind: 'resolve', reference: 'ticket 4711' });
    await isListed('proposed', 'rejected');
    await play.call({ type: 'end', hash: 'x' });
    await isListed('stale', 'rejected');
    play.aheadMs += 10;
    await play.repaired({});
    await isListed('done', 'stale', 'rejected');
    await play.call(voidOf('d'));
    await isListed('takenBack', 'stale', 'rejected');
  });

  it('a repair that the account refused is in the list', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(credit('c', maxUnits));
    assert.equal(wordOfResult(await play.approve(await play.proposed({}))), 'refusedByAccount');
    const [entry] = await allRepairs(wallet.store, play.round.operatorId);
    assert.deepEqual([entry?.repair.status, entry?.repair.note], ['refused', 'outOfRange']);
  });

  it('pages of any size have all repairs, each once, the latest first', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = await proposeIn(store, operatorId, 40);
    for (const limit of [1, 3, 40, 41, 200]) {
      const listed = await allRepairs(store, operatorId, limit);
      assert.deepEqual(listed.map(nameOf), expected, `pages of ${limit}`);
    }
    const all = await store.repairs?.list(operatorId);
    assert.deepEqual(all?.kind === 'known' && [all.repairs.length, all.next], [40, null]);
  });

  it('what is proposed and decided between two pages hides and doubles none', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = await proposeIn(store, operatorId, 24);
    let turn = 0;
    const listed = await allRepairs(store, operatorId, 5, async () => {
      turn += 1;
      await proposeIn(store, operatorId, 1, since + 1_000_000 * turn);
    });
    assert.deepEqual(listed.map(nameOf), expected);
    assert.equal((await allRepairs(store, operatorId)).length, 24 + turn);
  });

  it('repairs that were proposed at once are listed once each', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = await proposeIn(store, operatorId, 30, since, 0);
    const listed = await allRepairs(store, operatorId, 4);
    assert.deepEqual(listed.map(nameOf).toSorted(), expected.toSorted());
  });

  it('many repairs of one player are listed as those of many', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 30 }, () => anotherRound(player));
    await inTurns(rounds, (round, at) => writeRepairs(store, round, [repairAt('one', since + at)]));
    const listed = await allRepairs(store, player.operatorId, 7);
    assert.deepEqual(
      listed.map(({ gameRound }) => gameRound),
      rounds.map(({ gameRound }) => gameRound).toReversed(),
    );
  });

  it('repairs of any ids are listed, the longest too', async ({ store }) => {
    const { operatorId } = freshRound();
    const rounds = oddIds.map((id) => ({ operatorId, playerId: id, gameRound: id }));
    await inTurns(rounds, (round, at) => writeRepairs(store, round, [repairAt('one', since + at)]));
    const listed = await allRepairs(store, operatorId, 1);
    assert.deepEqual(
      listed.map(({ playerId, gameRound }) => [playerId, gameRound]),
      oddIds.map((id) => [id, id]).toReversed(),
    );
  });

  it('a cursor of another operator or store is refused', async ({ store }) => {
    const { operatorId } = freshRound();
    await proposeIn(store, operatorId, 3);
    const page = await store.repairs?.list(operatorId, { limit: 1 });
    const cursor = (page?.kind === 'known' && page.next) || '';
    const repairs = (id: string, query?: object): Promise<unknown> =>
      Promise.resolve(store.repairs?.list(id, query as RepairsQuery));
    await assert.rejects(repairs(freshId('operator'), { cursor }), wrongUse);
    const wrong = ['', '0', 'x', '7:7', `${cursor} `, `x${cursor}`, `${cursor}x`, `${cursor}'`];
    const [digest] = cursor.split('.');
    const place = Buffer.from("0'; --/p/r/id").toString('base64url');
    for (const text of [...wrong, `${digest}.${place}`, `${digest}.5`, '9'.repeat(400), '../..']) {
      await assert.rejects(repairs(operatorId, { cursor: text }), wrongUse, text);
    }
    for (const value of [7, {}, true, []]) {
      await assert.rejects(repairs(operatorId, { cursor: value }), wrongUse);
    }
    for (const limit of [0, -1, 201, 1.5, Number.NaN, '5', null]) {
      await assert.rejects(repairs(operatorId, { limit }), wrongUse);
    }
    for (const id of ['', 'a#b', 'x'.repeat(129), 'a\nb']) {
      await assert.rejects(repairs(id), faultOf(id));
    }
  });
}

/** Writes repairs of rounds of many players; resolves to their names, the latest first. */
async function proposeIn(
  store: WalletStore,
  operatorId: string,
  count: number,
  from = since,
  stepMs = 10,
): Promise<readonly string[]> {
  const rounds = Array.from({ length: count }, (_, at) => ({
    round: { operatorId, playerId: freshId('player é/%'), gameRound: `round:${at} "é/%"` },
    repairs: [repairAt(`id-${at}_`, from + at * stepMs)],
  }));
  await inTurns(rounds, ({ round, repairs }) => writeRepairs(store, round, repairs));
  return rounds.map(({ round }) => `${round.playerId} ${round.gameRound}`).toReversed();
}

async function allRepairs(
  store: WalletStore,
  operatorId: string,
  limit = 50,
  between: () => Promise<void> = async () => {},
): Promise<readonly RepairEntry[]> {
  const all: RepairEntry[] = [];
  let cursor: string | null = null;
  for (;;) {
    assert.ok(store.repairs !== undefined, 'the store must list repairs');
    const page = await store.repairs.list(operatorId, {
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    assert.ok(page.kind === 'known', `the repairs must be known, not ${page.kind}`);
    assert.ok(page.repairs.length <= limit, 'a page must not be longer than its limit');
    all.push(...page.repairs);
    cursor = page.next;
    if (cursor === null) return all;
    await between();
  }
}

function nameOf({ playerId, gameRound }: RepairEntry): string {
  return `${playerId} ${gameRound}`;
}

function wordOfEntry({ repair, version }: RepairEntry): string {
  return repair.status === 'proposed' && repair.version !== version ? 'stale' : repair.status;
}
