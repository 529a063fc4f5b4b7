import assert from 'node:assert/strict';
import { type RoundHead, unseenRound } from '../../../operator/gameround';
import type { AttentionEntry, RoundKey, WalletStore } from '../../../operator/wallet';
import { anotherRound, assertCommitted, freshRound, inTurns, playerWith } from '../case';
import { changeOf, give, openHead, real, take, commitFirst, commitNext } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import { refused } from './attention';

const now = 1_700_000_000_000;

/** Rounds that were opened long ago and never ended, by a store that lists them. */
export function openRoundRules(it: Case<ContractWallet>, listsOpenRounds: boolean): void {
  if (!listsOpenRounds) {
    it('open rounds cannot be listed: the store has no such method', async ({ store }) => {
      assert.equal(store.lists.openRounds, undefined);
    });
    return;
  }
  it('open rounds are listed from an age on, and no others', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 450 }, () => anotherRound(player));
    await inTurns(rounds, async (round, at) => {
      const state = at % 3 === 0 ? 'closed' : 'open';
      const after = { ...openHead, state, changedAt: now + (at % 2) } as const;
      assertCommitted(await store.rounds.commit(round, changeOf(unseenRound, [], after)));
    });
    const open = rounds.filter((_, at) => at % 3 !== 0);
    const old = rounds.filter((_, at) => at % 3 !== 0 && at % 2 === 0);
    const { operatorId } = player;
    assert.deepEqual(await namesOf(store, operatorId, now - 1), []);
    assert.deepEqual(await namesOf(store, operatorId, now), sortedNames(old));
    assert.deepEqual(await namesOf(store, operatorId, now + 1), sortedNames(open));
    assert.deepEqual(await namesOf(store, freshRound().operatorId, now + 1), []);
  });

  for (const state of ['cancelled', 'stranded', 'crashed', 'voided', 'closed'] as const) {
    it(`a round is not listed while it is ${state}, and again once it is open`, async (wallet) => {
      const { store } = wallet;
      const round = freshRound();
      const listed = (before: number) => namesOf(store, round.operatorId, before);
      await commitState(wallet, round, { state: 'open', changedAt: now });
      assert.deepEqual(await listed(now), [round.gameRound]);
      await commitState(wallet, round, { state, changedAt: now + 1 });
      assert.deepEqual(await listed(now + 9), []);
      await commitState(wallet, round, { state: 'open', changedAt: now + 2 });
      assert.deepEqual(await listed(now + 1), []);
      assert.deepEqual(await listed(now + 2), [round.gameRound]);
      await commitState(wallet, round, { state: 'open', changedAt: now + 2, credited: 1 });
      assert.deepEqual(await listed(now + 1), []);
      assert.deepEqual(await listed(now + 2), [round.gameRound]);
    });
  }

  it('an open round says since when, its game, and what its void would give back', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const parts = [take('d', 30n), give('c', real(12n)), refused('no', 9n)];
    await commitFirst(store, round, parts, { changedAt: now });
    const entries: AttentionEntry[] = [];
    for await (const entry of store.lists.openRounds?.(round.operatorId, now) ?? [])
      entries.push(entry);
    const expected = {
      state: 'open',
      stateSince: now,
      gameCode: 'game',
      currency: 'EUR',
    } as const;
    assert.deepEqual(entries, [{ ...round, ...expected, atStake: 18n, refusal: null }]);
  });
}

async function commitState(
  { store }: ContractWallet,
  round: RoundKey,
  after: Partial<RoundHead>,
): Promise<void> {
  await commitNext(store, round, [], { ...openHead, ...after });
}

async function namesOf(
  store: WalletStore,
  operatorId: string,
  before: number,
): Promise<readonly string[]> {
  const names: { readonly gameRound: string }[] = [];
  assert.ok(store.lists.openRounds !== undefined, 'the store must list open rounds');
  for await (const entry of store.lists.openRounds(operatorId, before)) names.push(entry);
  return sortedNames(names);
}

function sortedNames(rounds: readonly { readonly gameRound: string }[]): readonly string[] {
  return rounds.map(({ gameRound }) => gameRound).toSorted();
}
