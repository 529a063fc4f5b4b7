import assert from 'node:assert/strict';
import type { Repair } from '../../../operator/gameround';
import type {
  Actor,
  ActsPageResult,
  ActsQuery,
  PersonAct,
  PlayerKey,
  Players,
  WalletStore,
} from '../../../operator/wallet';
import type { ContractWallet } from '../../subject/players';
import { repairAt as proposalAt } from '../repairs/written';
import type { Case } from '../suite';

export { since, writeRepairs } from '../repairs/written';

/** Two people of an operator, one with a name of any characters. */
export const anna: Actor = Object.freeze({ id: 'anna é/%|', name: 'Anna "Ö." \u{1f3b0}' });
export const bert: Actor = Object.freeze({ id: 'bert', name: null });

/** A case of a store that keeps the players' money; where it is elsewhere, so are the acts. */
export function checkOfPlayers(
  it: Case<ContractWallet>,
): (name: string, rule: (store: WalletStore, players: Players) => Promise<void>) => void {
  return (name, rule) =>
    it(name, async ({ store }) => {
      if (store.players !== undefined) await rule(store, store.players);
    });
}

/** One page. */
export async function pageOf(
  store: WalletStore,
  operatorId: string,
  query: ActsQuery = {},
): Promise<Extract<ActsPageResult, { readonly kind: 'known' }>> {
  assert.ok(store.acts !== undefined, 'the store must list acts');
  const page = await store.acts.list(operatorId, query);
  assert.ok(page.kind === 'known', `the acts must be known, not ${page.kind}`);
  return page;
}

/** All acts that fit, page by page. */
export async function allActs(
  store: WalletStore,
  operatorId: string,
  query: ActsQuery = {},
  between: () => Promise<void> = async () => {},
): Promise<readonly PersonAct[]> {
  const all: PersonAct[] = [];
  for (let cursor: string | null = null; ; ) {
    const place: ActsQuery = cursor === null ? {} : { cursor };
    const page = await pageOf(store, operatorId, { ...query, ...place });
    assert.ok(page.acts.length <= (query.limit ?? 50), 'a page must not be longer than its limit');
    all.push(...page.acts);
    cursor = page.next;
    if (cursor === null) return all;
    await between();
  }
}

/** An act as one line: what was done, by whom, and why. */
export function lineOf(act: PersonAct): string {
  return JSON.stringify({ ...act, at: 0 }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** A proposal of this Anna's, or with what is given. */
export function repairAt(id: string, proposedAt: number, more: Partial<Repair> = {}): Repair {
  return proposalAt(id, proposedAt, { proposedBy: anna, ...more });
}

/** What every act on a player begins with. */
export function ofPlayer({ operatorId, playerId }: PlayerKey): PlayerKey {
  return { operatorId, playerId };
}
