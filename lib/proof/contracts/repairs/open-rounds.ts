import assert from 'node:assert/strict';
import type { WalletStore } from '../../../operator/wallet';
import { anotherRound, assertCommitted, freshRound, inTurns } from '../case';
import { changeOf, openHead } from '../changes';
import { unseenRound } from '../../../operator/gameround';
import type { ContractWallet } from '../players';
import type { Case } from '../suite';

const now = 1_700_000_000_000;

/** Rounds that were opened long ago and never ended, by a store that lists them. */
export function openRoundRules(check: Case<ContractWallet>, listsThem: boolean): void {
  if (!listsThem) {
    check('open rounds cannot be listed: the store has no such method', async ({ store }) => {
      assert.equal('openRounds' in store && store.openRounds !== undefined, false);
    });
    return;
  }
  check('open rounds are listed from an age on, and no others', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 450 }, () => anotherRound(player));
    await inTurns(rounds, async (round, at) => {
      const state = at % 3 === 0 ? 'closed' : 'open';
      const after = { ...openHead, state, changedAt: now + (at % 2) } as const;
      assertCommitted(await store.commit(round, changeOf(unseenRound, [], after)));
    });
    const open = rounds.filter((_, at) => at % 3 !== 0);
    const old = rounds.filter((_, at) => at % 3 !== 0 && at % 2 === 0);
    const { operatorId } = player;
    assert.deepEqual(await namesOf(store, operatorId, now - 1), []);
    assert.deepEqual(await namesOf(store, operatorId, now), sortedNames(old));
    assert.deepEqual(await namesOf(store, operatorId, now + 1), sortedNames(open));
    assert.deepEqual(await namesOf(store, freshRound().operatorId, now + 1), []);
  });
}

async function namesOf(
  store: WalletStore,
  operatorId: string,
  before: number,
): Promise<readonly string[]> {
  const names: { readonly gameRound: string }[] = [];
  assert.ok(store.openRounds !== undefined, 'the store must list open rounds');
  for await (const entry of store.openRounds(operatorId, before)) names.push(entry);
  return sortedNames(names);
}

function sortedNames(rounds: readonly { readonly gameRound: string }[]): readonly string[] {
  return rounds.map(({ gameRound }) => gameRound).toSorted();
}
