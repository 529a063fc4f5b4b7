import { setTimeout as delay } from 'node:timers/promises';

import type { AccountStore } from '../../../../lib/operator/wallet';
import type { BookedRound, ServiceBook } from '../../../rgs/load/book';
import type { ServiceLoad } from '../../../rgs/load/run';
import { type Applications, operatorId, type Refusal } from '../applications';
import { type Course, processed } from '../let-happen';
import type { Loss, Losses } from './loss';

/** The looks are 30 seconds apart. */
const noticedWithinMs = 35_000;
/** So many calls are processed before, and after what is lost begins. */
const callsEach = 50;

/** What came of a loss. */
export interface LossReport {
  readonly kind: string;
  readonly beganAt: Date;
  /** When the store took calls again, without what is lost. */
  readonly doneAt: Date;
  /** Debits, credits, ends and voids that were acknowledged and are gone. */
  readonly lost: number;
  readonly lostRounds: number;
  /** When each process refused calls, and why; null for one that did not in time. */
  readonly noticed: readonly (Refusal | null)[];
  /** What was wrong after the wallets were restarted and went on with what the store has. */
  readonly afterwards: readonly string[];
}

/** Where a loss is played. */
export interface LossScene {
  /** Starts both wallets, with these flags over those of the field. */
  start(storeFlags: readonly string[]): Promise<Applications>;
  /** Begins to play against them. */
  play(applications: Applications): ServiceLoad;
  withStore<T>(work: (store: AccountStore) => Promise<T>): Promise<T>;
  readonly players: readonly string[];
}

/** Plays one after the other, until it is told to stop. */
export async function playLosses(
  losses: Losses,
  scene: LossScene,
  { isStopped, onFault }: Pick<Course, 'isStopped' | 'onFault'>,
): Promise<LossReport[]> {
  const reports: LossReport[] = [];
  for (const [kind, loss] of Object.entries(losses)) {
    if (isStopped()) break;
    onFault(kind);
    reports.push(await playLoss(kind, loss, scene));
  }
  return reports;
}

/** Loses acknowledged calls, waits until both wallets notice it, and goes on as an operator who has decided to. */
async function playLoss(kind: string, loss: Loss, scene: LossScene): Promise<LossReport> {
  const { storeFlags = [] } = loss;
  const applications = await scene.start(storeFlags);
  const load = scene.play(applications);
  await processed(load.figures, callsEach);
  const takeAway = await loss.prepare();
  await processed(load.figures, callsEach);
  const beganAt = new Date();
  await takeAway();
  const doneAt = new Date();
  const noticed = await notices(applications, doneAt);
  load.abandon();
  await applications.stop();
  const { lost, lostRounds, starts } = await scene.withStore(async (store) => ({
    ...(await missing(load.book, store)),
    starts: await balances(store, scene.players),
  }));
  const restarted = await scene.start([...storeFlags, '--accept-older-data']);
  const next = scene.play(restarted);
  await processed(next.figures, callsEach);
  await next.stop();
  await restarted.stop();
  const differences = await scene.withStore((store) =>
    next.book.differences(store, operatorId, starts),
  );
  const { crashes } = restarted;
  const afterwards = [...differences, ...next.violations, ...applications.crashes, ...crashes];
  return { kind, beganAt, doneAt, lost, lostRounds, noticed, afterwards };
}

/** What is wrong about it, in a sentence each. */
export function wrongsOf({ kind, lost, noticed, afterwards }: LossReport): string[] {
  const unnoticed = noticed.filter((refusal) => refusal === null).length;
  return [
    ...(lost === 0 ? [`${kind}: nothing was lost`] : []),
    ...(unnoticed > 0
      ? [`${kind}: ${unnoticed} of ${noticed.length} processes did not notice it`]
      : []),
    ...afterwards.map((text) => `${kind}, afterwards: ${text}`),
  ];
}

/** How each of the wallets refuses, once it is not ready any more either; null at the end of the time. */
async function notices(applications: Applications, doneAt: Date): Promise<(Refusal | null)[]> {
  for (;;) {
    const found = await Promise.all(
      applications.origins.map(async (origin, at) => {
        const refusal = applications.refusals[at] ?? null;
        if (refusal === null) return null;
        const { status } = await fetch(`${origin}/readyz`);
        return status === 503 ? refusal : null;
      }),
    );
    if (found.every((refusal) => refusal !== null)) return found;
    if (Date.now() - doneAt.getTime() > noticedWithinMs) return found;
    await delay(50);
  }
}

async function balances(
  store: AccountStore,
  players: readonly string[],
): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  for (const playerId of players) {
    const result = await store.rounds.accounts({ operatorId, playerId });
    if (result.kind === 'unknown') throw result.cause;
    found.set(playerId, result.accounts?.[0]?.real ?? 0n);
  }
  return found;
}

/** What of the book is not in the store. */
async function missing(
  book: ServiceBook,
  store: AccountStore,
): Promise<{ lost: number; lostRounds: number }> {
  let [lost, lostRounds] = [0, 0];
  for (const round of book.rounds) {
    const gone = await missingOf(round, store);
    lost += gone;
    if (gone > 0) lostRounds += 1;
  }
  return { lost, lostRounds };
}

async function missingOf(round: BookedRound, store: AccountStore): Promise<number> {
  const { playerId, gameRound, transactions } = round;
  const entries = (await store.rounds.readRound({ operatorId, playerId, gameRound }))?.entries;
  return transactions.reduce((gone, { hash, told, voided }) => {
    const entry = entries?.get(hash);
    const isGone = told === 'processed' && entry?.transaction?.outcome !== 'accepted';
    return gone + (isGone ? 1 : 0) + (voided && entry?.void === undefined ? 1 : 0);
  }, 0);
}
