import assert from 'node:assert/strict';
import { type RoundHead, unseenRound } from '../../operator/gameround';
import type { Purse } from '../../protocol/money/purse';
import type {
  Account,
  CashOrder,
  CommitResult,
  PlayerKey,
  RoundKey,
  RoundSnapshot,
  WalletStore,
} from '../../operator/wallet';
import {
  type ContractCash,
  contractPlayer,
  type ContractPlayers,
  sorted,
} from '../subject/players';
import { freshId } from '../subject/runner';
import { systemClock } from '../../platform';

/** A new round of a new player of a new operator. */
export function freshRound(): RoundKey {
  return {
    operatorId: freshId('operator'),
    playerId: freshId('player'),
    gameRound: freshId('round'),
  };
}

/** A new round of a player who has these units in EUR. */
export async function playerWith(
  players: ContractPlayers,
  real: bigint,
  bonus?: bigint,
): Promise<RoundKey> {
  const round = freshRound();
  await open(players, round, 'EUR', real, bonus);
  return round;
}

/** Opens an account with these units; it must be new. */
export async function open(
  players: ContractPlayers,
  player: PlayerKey,
  currency: string,
  real: bigint,
  bonus?: bigint,
): Promise<void> {
  await players.openPlayer(contractPlayer(player, currency, real, bonus));
}

/** Another round of the same player. */
export function anotherRound({ operatorId, playerId }: PlayerKey): RoundKey {
  return { operatorId, playerId, gameRound: freshId('round') };
}

/** An order of the player in EUR under a new reference. */
export function orderOf(
  { operatorId, playerId }: PlayerKey,
  amount: bigint,
  more: Partial<CashOrder & ContractCash> = {},
): CashOrder & ContractCash {
  return {
    operatorId,
    playerId,
    currency: 'EUR',
    amount: { units: amount },
    reference: freshId('reference'),
    ...more,
  };
}

/** The player's accounts by currency; the order of a store's list has no meaning. */
export async function accountsOf(
  store: WalletStore,
  player: PlayerKey,
): Promise<readonly Account[]> {
  const result = await store.rounds.accounts(player);
  assert.equal(result.kind, 'known');
  assert.ok(result.kind === 'known' && result.accounts !== null, 'the player must be known');
  return sorted(result.accounts);
}

/** What the player has in EUR; an absent bonus balance counts as empty. */
export async function purseOf(store: WalletStore, player: PlayerKey): Promise<Purse> {
  const account = (await accountsOf(store, player)).find(({ currency }) => currency === 'EUR');
  assert.ok(account !== undefined, 'the player must have an account in EUR');
  return { real: account.real, bonus: account.bonus ?? 0n };
}

/** The round and these hashes as stored. */
export async function snapshotOf(
  store: Pick<WalletStore, 'rounds'>,
  round: RoundKey,
  hashes: readonly string[] = [],
): Promise<RoundSnapshot> {
  const result = await store.rounds.load(round, hashes);
  assert.ok(result.kind === 'loaded', 'the round must be loaded');
  return result.snapshot;
}

/** The accounts after a commit that must be written; none if the store reads them separately. */
export function assertCommitted(result: CommitResult): readonly Account[] {
  const outcome = result.kind === 'unknown' ? result.cause.message : result.kind;
  assert.ok(result.kind === 'committed', `the commit must be written, not ${outcome}`);
  return sorted(result.accounts ?? []);
}

/** Asserts a head; the version is the store's own, and must have risen. */
export function assertHead(head: RoundHead, expected: RoundHead): void {
  assert.deepEqual({ ...head, version: 0 }, { ...expected, version: 0 });
  assert.ok(head.version >= expected.version, 'the version must rise with each commit');
}

/** Asserts that a commit was refused for this hash and reason; returns the head now, if it has one. */
export function assertRefused(
  result: CommitResult,
  hash: string,
  reason: string,
): RoundHead | undefined {
  assert.ok(result.kind === 'refused', `the commit must be refused, not ${result.kind}`);
  assert.deepEqual([result.hash, result.reason], [hash, reason]);
  return result.head;
}

/** How many results are of each kind. */
export function countKinds(results: readonly { readonly kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Most concurrent work for a store under test: what a small pool can do well within its deadline. */
const atOnce = 24;

/** Does a case's many pieces of work, some concurrently; resolves to their results in order. */
export async function inTurns<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.map((item, index) => ({ item, index }));
  const run = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      results[next.index] = await work(next.item, next.index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return results;
}

/** Rounds that are over are deleted soon. */
export const shortRetention = Object.freeze({ retentionMs: 400 });

const longestWaitMs = 120_000;

/** Waits until nothing is known of the round. */
export async function forgotten(
  store: Pick<WalletStore, 'rounds'>,
  round: RoundKey,
): Promise<void> {
  const deadline = systemClock.monotonicMs() + longestWaitMs;
  for (;;) {
    const { head, entries } = await snapshotOf(store, round, ['d']);
    if (head.version === 0) {
      assert.deepEqual([head, entries.size], [unseenRound, 0]);
      return;
    }
    assert.ok(
      systemClock.monotonicMs() < deadline,
      'a round that is over must be forgotten after the retention',
    );
    await systemClock.pause(10);
  }
}
