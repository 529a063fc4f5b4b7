import assert from 'node:assert/strict';
import type {
  FindRoundResult,
  PlayerKey,
  RoundHistory,
  RoundKey,
  RoundsPageResult,
  RoundsQuery,
  RoundSummary,
  WalletStore,
} from '../../../operator/wallet';
import { type RoundHead, unseenRound } from '../../../operator/gameround';
import { assertCommitted } from '../case';
import { type ChangePart, changeOf, note, endRecord } from '../changes';
import type { ContractWallet } from '../../subject/players';

/** A store with a history. */
interface HistoryStore extends WalletStore {
  readonly history: RoundHistory;
}

/** A wallet whose store has a history. */
export interface HistoryWallet extends ContractWallet {
  readonly store: HistoryStore;
}

/** A page of a player's rounds. */
export async function pageOf(
  store: HistoryStore,
  player: PlayerKey,
  query?: RoundsQuery,
): Promise<Extract<RoundsPageResult, { kind: 'known' }>> {
  const page = await store.history.rounds(player, query);
  assert.ok(page.kind === 'known', `the rounds must be known, not ${page.kind}`);
  return page;
}

/** All rounds of a player, newest first, in pages of this size; `between` runs before each next page. */
export async function allRounds(
  store: HistoryStore,
  player: PlayerKey,
  limit = 50,
  between: () => Promise<void> = async () => {},
): Promise<readonly RoundSummary[]> {
  const all: RoundSummary[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page = await pageOf(store, player, { limit, ...(cursor === null ? {} : { cursor }) });
    assert.ok(page.rounds.length <= limit, 'a page must not be longer than its limit');
    all.push(...page.rounds);
    cursor = page.next;
    if (cursor === null) return all;
    await between();
  }
}

/** The names of all rounds of a player, newest first. */
export async function namesOf(
  store: HistoryStore,
  player: PlayerKey,
  limit = 50,
): Promise<readonly string[]> {
  return (await allRounds(store, player, limit)).map(({ gameRound }) => gameRound);
}

/** The result of a search that continues until the round is found or everything was searched. */
export async function found(
  store: HistoryStore,
  player: PlayerKey,
  hash: string,
): Promise<string | null> {
  let cursor: string | null = null;
  do {
    const { operatorId, playerId } = player;
    const query = { operatorId, playerId, hash, ...(cursor === null ? {} : { cursor }) };
    const result: FindRoundResult = await store.history.findRound(query);
    if (result.kind === 'found') return result.round.gameRound;
    assert.ok(result.kind === 'notFound', `the search must have an answer, not ${result.kind}`);
    cursor = result.next;
  } while (cursor !== null);
  return null;
}

/** The first commit of a round, which ends it at once unless `after` says otherwise. */
export async function openRound(
  store: HistoryStore,
  round: RoundKey,
  after: Partial<RoundHead> = { state: 'closed' },
  parts: readonly ChangePart[] = [note(`end of ${round.gameRound}`, endRecord())],
): Promise<void> {
  assertCommitted(await store.rounds.commit(round, changeOf(unseenRound, parts, after)));
}
