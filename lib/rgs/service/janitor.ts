import type { Clock } from '../../platform';
import type { ProviderLine } from '../ports';
import { type Ages, janitorWork, type JanitorWork, type Round } from '../rounds';
import type { Grant } from '../sessions';
import type { Delivery, RoundName } from './delivery';
import type { Committer } from './state/committer';
import { demoTtlMs } from './state/demo-purses';
import type { ServiceEvent } from './state/event';
import type { State } from './state/everything';
import { playerKey, roundKey } from './state/keys';

/** Rounds that are worked at a time: a wallet that is silent holds up no more than these. */
const atOnce = 16;

/** A timer may be early by this much; an hour later it is time to ask again nevertheless. */
const timerSlackMs = 1000;

/** What the janitor depends on. */
interface JanitorParts {
  readonly state: State;
  readonly committer: Committer;
  readonly delivery: Delivery;
  readonly provider: ProviderLine;
  readonly clock: Clock;
  readonly ages: Ages;
  readonly retentionMs: number;
  readonly onUnexpected: (error: unknown) => void;
}

/** What is done without a call: by the hour, or by hand (E16.3). */
export interface Janitor {
  /**
   * Sends what is due, once; asks providers to close abandoned rounds; forgets what is old. Resolves when all
   * is answered. During a run another one follows it; one alone waits.
   */
  run(): Promise<void>;
  /**
   * A call under a token of this kind named the round: one of a player's puts doAutoClose off, one of the
   * janitor's restarts nothing (E16.1).
   */
  noteCall(gameProviderId: string, gameRound: string, kind: Grant['kind']): void;
  /** The work as it is now: what `run` would do, and what is left to a person (E16.2). */
  work(): JanitorWork;
  /** Work in progress continues, and nothing new begins. */
  stop(): void;
}

/** The janitor of a service. What it knows of calls is in memory alone: a restart may ask a little later. */
export function createJanitor(parts: JanitorParts): Janitor {
  const { state, committer, delivery, provider, clock, ages } = parts;
  const calledAt = new Map<string, number>();
  const requestedAt = new Map<string, number>();
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  let isStopped = false;
  /** Works the items in order, a limited number at a time; one that fails stops no other. */
  const inParallel = async (
    items: readonly Round[],
    workOne: (round: Round) => Promise<void>,
  ): Promise<void> => {
    const left = items.values();
    const worker = async (): Promise<void> => {
      for (const item of left) {
        if (isStopped) return;
        await workOne(item).catch(parts.onUnexpected);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  };

  const work = (at: number): JanitorWork => {
    const watched = state.rounds.atWork().map((round) => {
      const key = roundKey(round.owner.gameProviderId, round.gameRound);
      const [lastCallAt, autoCloseRequestedAt] = [calledAt.get(key), requestedAt.get(key)];
      return {
        round,
        ...(lastCallAt === undefined ? {} : { lastCallAt }),
        ...(autoCloseRequestedAt === undefined ? {} : { autoCloseRequestedAt }),
      };
    });
    return janitorWork(watched, at, ages);
  };

  const deliver = async (round: Round): Promise<void> => {
    const how = { attempts: 1, debitWithinMs: null, isAtAnyAge: false, cause: null };
    await delivery.deliver(nameOf(round), how);
  };
  /** A reply is no proof: the round is looked at again in an hour, and closed or not by then (E16.1). */
  const autoClose = async (round: Round, at: number): Promise<void> => {
    const { gameProviderId, gameCode } = round.owner;
    requestedAt.set(roundKey(gameProviderId, round.gameRound), at - timerSlackMs);
    await provider.doAutoClose({ gameProviderId, gameCode, gameRound: round.gameRound });
  };
  /** Whether a round leaves: at rest after its time (B4), one of DEMO after a day in any state (E19.1). */
  const isOld = (round: Round): boolean => {
    const age = clock.now() - round.lastCallAt;
    if (round.owner.mode === 'DEMO' && age >= demoTtlMs) return true;
    const { gameProviderId, gameRound } = nameOf(round);
    return age >= parts.retentionMs && !state.rounds.isAtWork(gameProviderId, gameRound);
  };
  /** It is looked at again in its turn: a call may have come to it meanwhile. */
  const forget = async (round: Round): Promise<void> => {
    const { gameProviderId, gameRound } = nameOf(round);
    const forgotten: ServiceEvent = { type: 'roundForgotten', gameProviderId, gameRound };
    await committer.commit(playerKey(round.owner), () => {
      const current = state.rounds.find(gameProviderId, gameRound);
      return { events: current !== null && isOld(current) ? [forgotten] : [], result: null };
    });
  };
  const forgetOld = async (): Promise<void> => {
    const now = clock.now();
    const before = now - parts.retentionMs;
    const old = [...state.rounds.restingSince(before), ...state.rounds.demoSince(now - demoTtlMs)];
    await inParallel(old, forget);
    state.forgetSpent(before);
    state.demoPurses.forget(now);
  };
  const tidy = (): void => {
    const kept = new Set(
      state.rounds.atWork().map((round) => roundKey(round.owner.gameProviderId, round.gameRound)),
    );
    for (const notes of [calledAt, requestedAt]) {
      for (const key of notes.keys()) if (!kept.has(key)) notes.delete(key);
    }
  };
  const runOnce = async (): Promise<void> => {
    if (committer.isReadOnly || isStopped) return;
    // The queues first, voids before credits before ends; then doAutoClose (B2).
    // By the start of the run: what comes before takes its time, and the hour is from run to run (E16.1).
    const at = clock.now();
    await inParallel(work(at).deliver, deliver);
    await inParallel(work(at).autoClose, (round) => autoClose(round, at));
    await forgetOld();
    tidy();
    await committer.compactIfNeeded();
  };

  const start = (): Promise<void> => {
    running = runOnce()
      .catch(parts.onUnexpected)
      .finally(() => {
        running = null;
      });
    return running;
  };

  return {
    run() {
      if (running === null) return start();
      following ??= running.then(() => {
        following = null;
        return start();
      });
      return following;
    },
    noteCall(gameProviderId, gameRound, kind) {
      if (!state.rounds.isAtWork(gameProviderId, gameRound)) return;
      const key = roundKey(gameProviderId, gameRound);
      if (kind === 'player') {
        calledAt.set(key, clock.now());
        requestedAt.delete(key);
      } else if (!calledAt.has(key)) {
        // The call may change the round, and its time with it.
        const round = state.rounds.find(gameProviderId, gameRound);
        if (round !== null) calledAt.set(key, round.lastCallAt);
      }
    },
    work: () => work(clock.now()),
    stop() {
      isStopped = true;
    },
  };
}

function nameOf({ owner, gameRound }: Round): RoundName {
  return { gameProviderId: owner.gameProviderId, gameRound };
}
