import assert from 'node:assert/strict';
import type { RoundState } from '../../../operator/gameround';
import type { PlayerKey, RoundKey, WalletStore } from '../../../operator/wallet';
import {
  anotherRound,
  assertCommitted,
  freshRound,
  inTurns,
  playerWith,
  purseOf,
  snapshotOf,
  forgotten,
  shortRetention,
} from '../case';
import {
  changeOf,
  end,
  openingOf,
  real,
  take,
  takeMore,
  commitVoids,
  commitFirst,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** Rounds that a person should look at. */
export function attentionRules(it: Case<ContractWallet>): void {
  it('cancelled, stranded and crashed rounds are listed, and no others', async ({ store }) => {
    const player = freshRound();
    const expected: string[] = [];
    for (const state of ['open', 'closed', 'voided', 'none', ...marked] as const) {
      const round = anotherRound(player);
      await commitState(store, round, state);
      if (isMarked(state)) expected.push(line(round, state));
    }
    assert.deepEqual(await linesOf(store, player.operatorId), expected.toSorted());
  });

  it('a round is listed with the state that it has now, and no longer than it has it', async ({
    store,
  }) => {
    const round = freshRound();
    for (const state of ['cancelled', 'crashed', 'stranded', 'open', 'cancelled'] as const) {
      await commitState(store, round, state);
      const expected = isMarked(state) ? [line(round, state)] : [];
      assert.deepEqual(await linesOf(store, round.operatorId), expected);
    }
    await commitState(store, round, 'voided');
    assert.deepEqual(await linesOf(store, round.operatorId), []);
  });

  it('a commit that is not written lists nothing', async ({ store, players }) => {
    const round = await playerWith(players, 0n);
    const refused = openingOf([take('d', 1n)], { state: 'cancelled' });
    assert.equal((await store.rounds.commit(round, refused)).kind, 'refused');
    const late = { ...openingOf([]).after, version: 77 };
    const stale = changeOf(late, [], { state: 'cancelled' });
    assert.equal((await store.rounds.commit(round, stale)).kind, 'stale');
    assert.deepEqual(await linesOf(store, round.operatorId), []);
  });

  it('a round whose first debit is voided is listed no longer', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const crashed = openingOf([take('d', 30n)], { state: 'crashed' });
    assertCommitted(await store.rounds.commit(round, crashed));
    assert.deepEqual(await linesOf(store, round.operatorId), [line(round, 'crashed')]);
    await commitVoids(store, round, 'd');
    assert.deepEqual(await linesOf(store, round.operatorId), []);
  });

  it('more rounds of one player and more players than a page holds are listed once each', async ({
    store,
  }) => {
    const player = freshRound();
    const { operatorId } = player;
    const rounds = Array.from({ length: 1050 }, (_, at) =>
      at < 650 ? anotherRound(player) : { ...freshRound(), operatorId },
    );
    await inTurns(rounds, (round) => commitState(store, round, 'stranded'));
    const expected = rounds.map((round) => line(round, 'stranded')).toSorted();
    assert.deepEqual(await linesOf(store, operatorId), expected);
  });
}

/** How long rounds are kept (D10). */
export function retentionRules(it: Case<ContractWallet>): void {
  it(
    'rounds that are over are forgotten after the retention, all others kept (D10)',
    async ({ store }) => {
      const player = freshRound();
      const kept = (['open', ...marked] as const).map((state) => ({
        state,
        round: anotherRound(player),
      }));
      for (const { round, state } of kept) await commitState(store, round, state);
      for (const state of ['closed', 'voided', 'none'] as const) {
        const round = anotherRound(player);
        await commitState(store, round, state);
        await forgotten(store, round);
        assert.equal(await store.rounds.readRound(round), null);
      }
      for (const { round, state } of kept) {
        assert.equal((await snapshotOf(store, round)).head.state, state);
      }
      const expected = kept.slice(1).map(({ round, state }) => line(round, state));
      assert.deepEqual(await linesOf(store, player.operatorId), expected.toSorted());
    },
    shortRetention,
  );

  it(
    'a round that was over and needs attention again is kept',
    async ({ store }) => {
      const player = freshRound();
      const round = anotherRound(player);
      await Promise.all([
        commitState(store, round, 'closed', 'cancelled'),
        commitState(store, player, 'closed'),
      ]);
      await forgotten(store, player);
      assert.equal((await snapshotOf(store, round)).head.state, 'cancelled');
    },
    shortRetention,
  );

  it(
    'a forgotten round begins anew, and its money stays as it was',
    async ({ store, players }) => {
      const round = await playerWith(players, 100n);
      const opening = openingOf([take('d', 30n), end('e')], { state: 'closed' });
      assertCommitted(await store.rounds.commit(round, opening));
      await forgotten(store, round);
      assert.deepEqual(await purseOf(store, round), real(70n));
      const late = changeOf(opening.after, [takeMore('c', 1n)]);
      assert.deepEqual(await store.rounds.commit(round, late), { kind: 'stale' });
      await commitFirst(store, round, [take('new', 5n)]);
      const { head, entries } = await snapshotOf(store, round, ['d', 'new']);
      assert.deepEqual([head.debits, [...entries.keys()]], [real(5n), ['new']]);
      assert.deepEqual(await purseOf(store, round), real(65n));
    },
    shortRetention,
  );
}

const marked = ['cancelled', 'stranded', 'crashed'] as const;

function isMarked(state: RoundState): boolean {
  return marked.some((one) => one === state);
}

/** Brings the round into these states, one commit each. */
async function commitState(
  store: WalletStore,
  round: RoundKey,
  ...next: readonly RoundState[]
): Promise<void> {
  let { head } = await snapshotOf(store, round);
  for (const state of next) {
    const change = changeOf(head, [], { state });
    assertCommitted(await store.rounds.commit(round, change));
    head = (await snapshotOf(store, round)).head;
  }
}

async function linesOf(store: WalletStore, operatorId: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const entry of store.lists.attention(operatorId)) {
    assert.equal(entry.operatorId, operatorId);
    lines.push(line(entry, entry.state));
  }
  return lines.toSorted();
}

function line({ playerId, gameRound }: PlayerKey & RoundKey, state: RoundState): string {
  return `${playerId} ${gameRound} ${state}`;
}
