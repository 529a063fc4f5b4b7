import assert from 'node:assert/strict';
import { type FollowUp, changeOf as changeOfFollowUp } from '../../../operator/gameround/follow-up';
import type {
  Account,
  CommitResult,
  FollowResult,
  RoundKey,
  RoundSnapshot,
  WalletStore,
} from '../../../operator/wallet';
import { addPurses, emptyPurse } from '../../../protocol/money/purse';
import { playerWith, snapshotOf } from '../case';
import { freshId } from '../../subject/runner';
import { sorted } from '../../subject/players';
import { type ChangePart, openHead, take, commitFirst } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** The suite says that the store has the method. */
export function hasFollowRules(it: Case<{ readonly store: WalletStore }>): void {
  it('the store has the method, as the suite was asked', async ({ store }) => {
    assert.ok(
      store.rounds.follow !== undefined,
      'the store has no method follow: leave out `follows`',
    );
  });
}

/** It says that the store does not have it. */
export function hasNoFollowRules(it: Case<{ readonly store: WalletStore }>): void {
  it('the store is not without cases for a method that it has', async ({ store }) => {
    assert.ok(
      store.rounds.follow === undefined,
      'the store has the method follow: set `follows: true`',
    );
  });
}

/** The follow-up with these parts, of a round in EUR; it closes the round if one is an end. */
export function followUpOf(parts: readonly ChangePart[], more: Partial<FollowUp> = {}): FollowUp {
  const records = parts.map(({ record }) => record);
  const movements = parts.flatMap(({ movement }) => (movement === undefined ? [] : [movement]));
  const gifts = movements.flatMap((one) => (one.kind === 'give' ? [one.purse] : []));
  const ended = records.filter(({ record }) => record.type === 'end').length;
  return {
    hashes: [...new Set(records.map(({ hash }) => hash))],
    currency: 'EUR',
    gameCode: 'game',
    closes: ended > 0,
    credited: gifts.length,
    ended,
    changedAt: openHead.changedAt + 1,
    credits: gifts.reduce(addPurses, emptyPurse),
    records,
    movements,
    ...more,
  };
}

/** A round of a new player with these units, opened with a debit `d` of 10. */
export async function runningRound(
  { store, players }: ContractWallet,
  real = 100n,
  bonus?: bigint,
): Promise<RoundKey> {
  const round = await playerWith(players, real, bonus);
  await commitFirst(store, round, [take('d', 10n)]);
  return round;
}

/** Asks a store that has the method. */
export async function follow(
  store: WalletStore,
  round: RoundKey,
  followUp: FollowUp,
): Promise<FollowResult> {
  assert.ok(store.rounds.follow !== undefined, 'the store must have the method follow');
  return store.rounds.follow(round, followUp);
}

/** Asserts that a follow-up was written; returns the accounts after it. */
export function assertFollowed(result: FollowResult): readonly Account[] {
  const outcome = result.kind === 'unknown' ? result.cause.message : result.kind;
  assert.ok(result.kind === 'committed', `the follow-up must be written, not ${outcome}`);
  return sorted(result.accounts ?? []);
}

/**
 * Asserts that a follow-up is not written: the answer is what a load of its hashes has, and nothing of the round, its
 * player or the lists of the operator is another.
 */
export async function assertOther(
  wallet: ContractWallet,
  round: RoundKey,
  followUp: FollowUp,
  why: string,
): Promise<void> {
  await assertOthers(wallet, round, [followUp], why);
}

/** The same of each of these. All that is known of the round is compared once, after the last. */
export async function assertOthers(
  wallet: ContractWallet,
  round: RoundKey,
  followUps: readonly FollowUp[],
  why: string,
): Promise<void> {
  const { store } = wallet;
  const all = followUps.flatMap(({ hashes }) => hashes);
  const before = await stateOf(wallet, round, all);
  for (const followUp of followUps) {
    const { hashes } = followUp;
    const of = `${why}: ${hashes.join(' ')}`;
    const loaded = plainSnapshot(await snapshotOf(store, round, hashes));
    const result = await follow(store, round, followUp);
    const outcome = result.kind === 'unknown' ? result.cause.message : result.kind;
    assert.ok(result.kind === 'other', `${of}: the answer must be other, not ${outcome}`);
    assert.deepEqual(plainSnapshot(result.snapshot), loaded, `${of}: as a load would answer`);
  }
  assert.deepEqual(await stateOf(wallet, round, all), before, `${why}: nothing is written`);
}

/** A snapshot with its accounts in order. */
function plainSnapshot({ head, entries, accounts }: RoundSnapshot): unknown {
  return { head, entries, accounts: accounts && sorted(accounts) };
}

/** All that a store reports about a round, its player and the operator, without the operator's id. */
export async function stateOf(
  { store, players }: ContractWallet,
  round: RoundKey,
  hashes: readonly string[],
): Promise<unknown> {
  const { head, entries } = await snapshotOf(store, round, hashes);
  const accounts = await store.rounds.accounts(round);
  assert.ok(accounts.kind === 'known');
  const attention: unknown[] = [];
  for await (const entry of store.lists.attention(round.operatorId)) attention.push(textOf(entry));
  const report = await store.rounds.readRound(round);
  const page = await store.history?.rounds(round);
  const open: unknown[] = [];
  const longAfter = openHead.changedAt * 2;
  for await (const entry of store.lists.openRounds?.(round.operatorId, longAfter) ?? []) {
    open.push(textOf(entry));
  }
  return {
    head,
    entries: [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    accounts: accounts.accounts && sorted(accounts.accounts),
    attention,
    open,
    report: report && JSON.parse(textOf(report)),
    records: report && [...report.entries].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    balances: report?.balances,
    rounds: page?.kind === 'known' ? page.rounds.map(textOf) : page?.kind,
    moved: (await players.moved?.(round))?.map(textOf).toSorted(),
  };

  function textOf(value: object): string {
    const text = JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'bigint' ? `${one}n` : one,
    );
    return text.replaceAll(round.operatorId, 'operator');
  }
}

/** The same round of a player alike, of another operator. */
export function twinOf(round: RoundKey): RoundKey {
  return { ...round, operatorId: freshId('operator') };
}

/** Does the same by a load and a commit. */
export async function commitInstead(
  store: WalletStore,
  round: RoundKey,
  followUp: FollowUp,
): Promise<CommitResult> {
  const change = changeOfFollowUp(followUp, await snapshotOf(store, round, followUp.hashes));
  assert.ok(change !== null, 'the round must be of the class of the follow-up');
  return store.rounds.commit(round, change);
}
