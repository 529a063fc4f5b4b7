import { setMaxListeners } from 'node:events';
import {
  type CommitCause,
  giveUpPending,
  isRepairHash,
  knownOf,
  type MovementRefusal,
  type RoundChange,
  type RoundHead,
  type RoundState,
} from '../gameround';
import { holdsDebit } from '../gameround/ledger/plan';
import { hashesToResend, resend } from '../gameround/ledger/resend';
import {
  type AccountsResult,
  type CommitResult,
  createRoundReport,
  type LoadResult,
  type PlayerKey,
  type RoundKey,
  type RoundReport,
  type Rounds,
  type Unknown,
} from '../wallet';
import { withDeadline } from '../../platform/within';
import { checkPlayerKey, checkRoundKey } from '../stores/check-input';
import { type LedgerCaller, unknownBecause } from './caller';
import { LedgerCommits } from './commits';
import type { LedgerStoreSettings } from './options';
import { finishReversals } from './reversals';

/** The result of settling a round. */
export type Settlement =
  /** Nothing of it is pending any more. */
  | { readonly kind: 'settled'; readonly state: RoundState }
  /** A debit is pending, and too young to be given up. */
  | { readonly kind: 'waits' }
  | Unknown;

/** Ages of a round's pending work, from which another process continues it. */
export interface SettleOptions {
  /** Younger work is left to the call that began it, in milliseconds. */
  readonly graceMs: number;
  /** The call of a younger debit may still answer, in milliseconds. */
  readonly giveUpAfterMs: number;
}

/**
 * The rounds of a journal, with their money in a ledger. Every intent is in the journal before its first post. A round's
 * pending work is in its head: the next call, in this or another process, continues with the same keys. Safety
 * rests only on those keys and on the version of the round.
 */
export class LedgerRounds implements Rounds {
  private readonly commits: LedgerCommits;

  constructor(
    private readonly settings: LedgerStoreSettings,
    private readonly caller: LedgerCaller,
    /** Aborts when the store is closed. */
    private readonly closing: AbortSignal,
  ) {
    this.commits = new LedgerCommits(settings, caller);
  }

  /** Pending reversals are finished first: until then a void is not reported as done. */
  async load(round: RoundKey, hashes: readonly string[], cause?: CommitCause): Promise<LoadResult> {
    return this.within(async (until) => {
      const { journal } = this.settings;
      for (;;) {
        const result = await journal.rounds.load(round, hashes);
        if (result.kind === 'unknown') return result;
        const { head, entries } = result.snapshot;
        if (head.pending === null || head.pending.reversals.length === 0) {
          return { kind: 'loaded', snapshot: { head, entries } }; // the journal knows no accounts
        }
        const finished = await finishReversals(journal, this.caller, round, head, until, cause);
        if (finished.kind === 'unknown') return finished;
      }
    });
  }

  async commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    return this.within(async (until) => {
      const result = await this.commits.commit(round, change, until);
      if (result.kind !== 'waits') return result;
      return this.afterOthers(round, change.before, result.forDebit);
    });
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return this.within(async (until) => {
      return { kind: 'known', accounts: await this.caller.balances(player, until) };
    });
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const { journal } = this.settings;
    const report = await journal.rounds.readRound(round);
    if (report === null) return null;
    const entries = new Map(report.entries);
    for (const { hash } of report.head.pending?.posts ?? []) {
      if (isRepairHash(hash)) continue;
      const known = knownOf(report, hash);
      if (known !== undefined) entries.set(hash, known);
    }
    const { head, balances } = report;
    return createRoundReport(round, { head, entries }, journal.decimals, balances);
  }

  async settle(round: RoundKey, { graceMs, giveUpAfterMs }: SettleOptions): Promise<Settlement> {
    const { journal, clock } = this.settings;
    let result = await journal.rounds.load(round, []);
    for (;;) {
      if (result.kind === 'unknown') return result;
      const { pending, state } = result.snapshot.head;
      if (pending === null) return { kind: 'settled', state };
      const age = clock.now() - pending.since;
      const patience = holdsDebit(pending.posts) ? Math.max(graceMs, giveUpAfterMs) : graceMs;
      if (age < patience) return { kind: 'waits' };
      const failure = await this.advance(round, result.snapshot.head);
      if (failure !== null) return failure;
      result = await this.load(round, [], 'sweep');
    }
  }

  /** Does the next part of a round's pending work; resolves to why it could not, or to null. */
  private async advance(round: RoundKey, head: RoundHead): Promise<Unknown | null> {
    const { posts } = head.pending ?? { posts: [] };
    if (posts.length === 0) return null;
    if (!holdsDebit(posts)) return this.resend(round, head, 'sweep');
    const now = this.settings.clock.now();
    const given = giveUpPending(head, { gameCode: head.gameCode ?? '', now });
    const result =
      given === null ? null : await this.commits.note(round, { ...given, cause: 'sweep' });
    return result?.kind === 'unknown' ? result : null;
  }

  /** Finishes pending work without a debit, unless another process has changed it; resolves to why it could not, or to null. */
  private async resend(
    round: RoundKey,
    head: RoundHead,
    cause?: CommitCause,
  ): Promise<Unknown | null> {
    const { gameRound } = round;
    const refusals = new Map<string, MovementRefusal>();
    for (;;) {
      const loaded = await this.load(round, hashesToResend(head), cause);
      if (loaded.kind === 'unknown') return loaded;
      if (loaded.snapshot.head.version !== head.version) return null;
      const now = this.settings.clock.now();
      const change = resend(loaded.snapshot, { gameRound, now, refusals });
      if (change === null) return unknownBecause(notDecided);
      const caused = { ...change, cause: change.cause ?? cause };
      const result = await this.within((until) => this.commits.commit(round, caused, until));
      if (result.kind === 'committed' || result.kind === 'stale') return null;
      if (result.kind === 'unknown') return result;
      if (result.kind === 'waits' || refusals.has(result.hash)) return unknownBecause(notDecided);
      refusals.set(result.hash, result.reason);
    }
  }

  /** Pending work of another call comes first; if it includes a debit, it cannot be sped up. */
  private async afterOthers(
    round: RoundKey,
    before: RoundHead,
    forDebit: boolean,
  ): Promise<CommitResult> {
    if (!forDebit) return (await this.resend(round, before)) ?? { kind: 'stale' };
    const now = await this.settings.journal.rounds.load(round, []);
    if (now.kind === 'unknown') return now;
    if (now.snapshot.head.version !== before.version) return { kind: 'stale' };
    return unknownBecause(new Error('A debit of the round is in flight.'));
  }

  /** Does work until it is done, the deadline passes or the store is closed. */
  private async within<T>(work: (until: AbortSignal) => Promise<T>): Promise<T | Unknown> {
    const { clock, deadlineMs } = this.settings;
    const listening = (until: AbortSignal): Promise<T> => {
      setMaxListeners(0, until); // every attempt listens to it
      return work(until);
    };
    try {
      return await withDeadline(clock, deadlineMs, listening, this.closing);
    } catch (error) {
      return unknownBecause(error);
    }
  }
}

const notDecided = new Error('The pending work of the round is not decided: it waits for a void.');
