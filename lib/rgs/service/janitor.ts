import type { Clock } from '../../platform';
import type { ProviderLine } from '../ports';
import { type Ages, janitorWork, type JanitorWork, recover } from '../rounds/delivery';
import type { Round } from '../rounds/round';
import type { Grant } from '../grants';
import type { Delivery } from './delivery';
import type { Committer } from './state/committer';
import { demoTtlMs } from './state/demo-purses';
import type { ServiceEvent } from './state/event-shape';
import type { State } from './state/everything';
import { nameOf, playerKey, roundKey } from './state/keys';

/** Rounds that are worked at a time: a silent wallet holds up no more than these. */
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

/**
 * What is done without a call: by the hour, or by hand (E16.3). What it knows of calls is in memory alone: after a
 * restart it may ask a little later.
 */
export class Janitor {
  readonly #calledAt = new Map<string, number>();
  readonly #requestedAt = new Map<string, number>();
  #running: Promise<void> | null = null;
  #following: Promise<void> | null = null;
  #isStopped = false;

  constructor(private readonly parts: JanitorParts) {}

  /**
   * Sends what is due, once; asks providers to close abandoned rounds; forgets what is old. Resolves when all
   * is answered. A call during a run starts one more after it; further calls share that one.
   */
  run(): Promise<void> {
    if (this.#running === null) return this.#start();
    this.#following ??= this.#running.then(() => {
      this.#following = null;
      return this.#start();
    });
    return this.#following;
  }

  /**
   * A call under a token of this kind named the round: one of a player's puts doAutoClose off, one of the
   * janitor's restarts nothing (E16.1).
   */
  noteCall(gameProviderId: string, gameRound: string, kind: Grant['kind']): void {
    const { rounds } = this.parts.state;
    if (!rounds.isAtWork(gameProviderId, gameRound)) return;
    const key = roundKey(gameProviderId, gameRound);
    if (kind === 'player') {
      this.#calledAt.set(key, this.parts.clock.now());
      this.#requestedAt.delete(key);
    } else if (!this.#calledAt.has(key)) {
      // The call may change the round, and its time with it.
      const round = rounds.find(gameProviderId, gameRound);
      if (round !== null) this.#calledAt.set(key, round.lastCallAt);
    }
  }

  /** The work as it is now: what `run` would do, and what is left to a person (E16.2). */
  work(at = this.parts.clock.now()): JanitorWork {
    const watched = this.parts.state.rounds.atWork().map((round) => {
      const key = keyOf(round);
      const [lastCallAt, autoCloseRequestedAt] = [
        this.#calledAt.get(key),
        this.#requestedAt.get(key),
      ];
      return {
        round,
        ...(lastCallAt === undefined ? {} : { lastCallAt }),
        ...(autoCloseRequestedAt === undefined ? {} : { autoCloseRequestedAt }),
      };
    });
    return janitorWork(watched, at, this.parts.ages);
  }

  /** Work in progress continues, and nothing new begins. */
  stop(): void {
    this.#isStopped = true;
  }

  #start(): Promise<void> {
    this.#running = this.#runOnce()
      .catch(this.parts.onUnexpected)
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    const { committer, clock } = this.parts;
    if (committer.isReadOnly || this.#isStopped) return;
    // The queues first, voids before credits before ends; then doAutoClose (B2).
    // By the start of the run: what comes before takes its time, and the hour is from run to run (E16.1).
    const at = clock.now();
    await this.#inParallel(this.work(at).deliver, (round) => this.#deliver(round));
    await this.#inParallel(this.work(at).autoClose, (round) => this.#autoClose(round, at));
    await this.#forgetOld();
    this.#forgetNotes();
    await committer.compactIfNeeded();
  }

  /** Works the rounds in order, a limited number at a time; one that fails stops no other. */
  async #inParallel(
    rounds: readonly Round[],
    workOne: (round: Round) => Promise<void>,
  ): Promise<void> {
    const left = rounds.values();
    const worker = async (): Promise<void> => {
      for (const round of left) {
        if (this.#isStopped) return;
        await workOne(round).catch(this.parts.onUnexpected);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, rounds.length) }, worker));
  }

  async #deliver(round: Round): Promise<void> {
    const how = { attempts: 1, debitWithinMs: null, isAtAnyAge: false, cause: null };
    await this.parts.delivery.deliver(nameOf(round), how);
  }

  /** A reply is no proof: the round is looked at again in an hour, and closed or not by then (E16.1). */
  async #autoClose(round: Round, at: number): Promise<void> {
    this.#requestedAt.set(keyOf(round), at - timerSlackMs);
    await this.parts.provider.doAutoClose({ ...nameOf(round), gameCode: round.owner.gameCode });
  }

  async #forgetOld(): Promise<void> {
    const { state, clock, retentionMs } = this.parts;
    const now = clock.now();
    const before = now - retentionMs;
    const old = [...state.rounds.restingSince(before), ...state.rounds.demoSince(now - demoTtlMs)];
    await this.#inParallel(old, (round) => this.#forget(round));
    state.forgetSpent(before);
    state.demoPurses.forget(now);
  }

  /** The round is looked at again when its turn comes: a call may have changed it meanwhile. */
  async #forget(round: Round): Promise<void> {
    const { committer, state } = this.parts;
    const name = nameOf(round);
    const forgotten: ServiceEvent = { type: 'roundForgotten', ...name };
    await committer.append(playerKey(round.owner), () => {
      const current = state.rounds.find(name.gameProviderId, name.gameRound);
      return current !== null && this.#isOld(current) ? [forgotten] : [];
    });
  }

  /** Whether a round leaves: at rest after its time (B4), one of DEMO after a day in any state (E19.1). */
  #isOld(round: Round): boolean {
    const { clock, retentionMs, state } = this.parts;
    const age = clock.now() - round.lastCallAt;
    if (round.owner.mode === 'DEMO' && age >= demoTtlMs) return true;
    return (
      age >= retentionMs && !state.rounds.isAtWork(round.owner.gameProviderId, round.gameRound)
    );
  }

  #forgetNotes(): void {
    const kept = new Set(this.parts.state.rounds.atWork().map(keyOf));
    for (const notes of [this.#calledAt, this.#requestedAt]) {
      for (const key of notes.keys()) if (!kept.has(key)) notes.delete(key);
    }
  }
}

/**
 * After a start: every debit that was due without an outcome was perhaps sent. It is never sent again, and its void
 * falls due (B4). All else that is due is sent with the same hashes.
 */
export async function recoverRounds(
  state: State,
  committer: Committer,
  clock: Clock,
): Promise<void> {
  for (const round of state.rounds.atWork()) {
    const recovered = recover(round, clock.now());
    if (recovered === null) continue;
    const event: ServiceEvent = { type: 'round', ...nameOf(round), event: recovered.event };
    await committer.append(playerKey(round.owner), () => [event]);
  }
}

function keyOf({ owner, gameRound }: Round): string {
  return roundKey(owner.gameProviderId, gameRound);
}
