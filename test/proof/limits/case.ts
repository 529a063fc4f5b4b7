import assert from 'node:assert/strict';
import type { Delivery } from '../../../lib/operator/gameround';
import {
  type AccountStore,
  type CallOutcome,
  doTransactions,
  type LimitAct,
  type LimitOrder,
  type LimitResult,
  type LimitsResult,
  type PlayerKey,
  type RoundKey,
  type Rounds,
} from '../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../lib/platform';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { freshDelivery } from '../../../lib/proof/subject/runner';

/** The time that two processes have: it stands until a case sets it. */
export class Wall {
  /** Milliseconds since 1970, of the first process. */
  now = Date.UTC(2026, 10, 24, 12);
  /** How far the second process is late. */
  behindMs = 0;

  readonly clocks: readonly [Clock, Clock] = [
    { ...systemClock, now: () => this.now },
    { ...systemClock, now: () => this.now - this.behindMs },
  ];
}

/** A process: a store over the data of all of them, and its own clock. */
export interface Process {
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly wall: Wall;
}

/** Two processes over the same data. */
export interface World {
  readonly wall: Wall;
  readonly processes: readonly [Process, Process];
}

/** The world at this time, with the second process so slow. */
export function at(world: World, now: number, behindMs = 0): readonly [Process, Process] {
  world.wall.now = now;
  world.wall.behindMs = behindMs;
  return world.processes;
}

/** Sends a call through the rules, as the router does. */
export function send(
  { store, clock }: Process,
  round: RoundKey,
  transactions: readonly Transaction[],
  {
    delivery = freshDelivery(),
    rounds = store.rounds,
    creditTo = 'real',
  }: {
    readonly delivery?: Delivery;
    readonly rounds?: Rounds;
    readonly creditTo?: 'real' | 'stakeShares';
  } = {},
): Promise<CallOutcome> {
  const sent = { ...round, gameCode: 'game', transactions };
  const policy = { useBonusFirst: false, creditTo };
  return doTransactions(round, sent, delivery, { rounds, clock, policy, deadlineMs: 60_000 });
}

/** Sends a call that must have a definite outcome; in words: `processed`, or a code. */
export async function call(
  process: Process,
  round: RoundKey,
  transactions: readonly Transaction[],
  more: Parameters<typeof send>[3] = {},
): Promise<string[]> {
  return wordsOf(await send(process, round, transactions, more));
}

/** The verdicts of a definite outcome in words. */
export function wordsOf({ unknown, verdicts }: CallOutcome): string[] {
  assert.equal(unknown?.cause.message ?? null, null, 'the outcome must be definite');
  return verdicts.map((one) => (one.outcome === 'refused' ? one.code : one.outcome));
}

/** Sets or lifts a limit. */
export async function setLimit(
  { store: { players } }: Process,
  player: PlayerKey,
  order: LimitOrder,
  act?: LimitAct,
): Promise<LimitResult> {
  assert.ok(players.setLimit !== undefined, 'the store must hold limits');
  return players.setLimit(player, order, act);
}

/** Sets or lifts a limit, which must be done; what comes next comes later (P15). */
export async function limited(
  process: Process,
  player: PlayerKey,
  order: LimitOrder,
): Promise<void> {
  assert.deepEqual(await setLimit(process, player, order), { kind: 'done' });
  process.wall.now += 1;
}

/** The limits of a known player. */
export async function limitsAt(
  { store: { players } }: Process,
  player: PlayerKey,
): Promise<Extract<LimitsResult, { kind: 'known' }>> {
  assert.ok(players.limits !== undefined, 'the store must tell limits');
  const result = await players.limits(player);
  assert.ok(result.kind === 'known', `the limits must be known, not ${result.kind}`);
  return result;
}

/** What counts of the player's only limit. */
export async function usedOf(process: Process, player: PlayerKey): Promise<bigint> {
  const { limits } = await limitsAt(process, player);
  assert.equal(limits.length, 1);
  return limits[0]?.used ?? 0n;
}

/** Each commit runs twice; the second time nothing may be written. */
export function twice(rounds: Rounds): Rounds {
  const follow = rounds.follow?.bind(rounds);
  return {
    load: (round, hashes) => rounds.load(round, hashes),
    accounts: (player) => rounds.accounts(player),
    readRound: (round) => rounds.readRound(round),
    async commit(round, change, hashes) {
      const first = await rounds.commit(round, change, hashes);
      const second = await rounds.commit(round, change, hashes);
      assert.notEqual(second.kind, 'committed', 'a commit must be written once');
      return first;
    },
    follow:
      follow &&
      (async (round, followUp) => {
        const first = await follow(round, followUp);
        const second = await follow(round, followUp);
        if (first.kind === 'committed') assert.notEqual(second.kind, 'committed');
        return first.kind === 'committed' ? first : second;
      }),
  };
}
