import { setMaxListeners } from 'node:events';
import {
  giveUpPending,
  isRepairHash,
  knownOf,
  type RoundChange,
  type RoundHead,
} from '../gameround';
import { holdsDebit } from '../gameround/ledger/plan';
import {
  type AccountsResult,
  type AttentionEntry,
  type CommitResult,
  type ConsumerLag,
  createRoundReport,
  type EventBatch,
  type EventSource,
  type EventsRequest,
  type LoadResult,
  type PlayerKey,
  type RepairList,
  type RoundHistory,
  type RoundKey,
  type RoundReport,
  type Unknown,
  type WalletStore,
} from '../wallet';
import { withDeadline } from '../../platform/within';
import { checkPlayerKey, checkRoundKey } from '../stores/check-input';
import { LedgerCaller, unknownBecause } from './caller';
import { LedgerCommits } from './commits';
import { checkLedgerOptions, type LedgerStoreOptions, type LedgerStoreSettings } from './options';
import { finishReversals } from './reversals';
import { createRoundBooksReader, type RoundBooks, type RoundBooksQuery } from './round-books';
import { resendPending, type Settlement } from './settlement';

/** A store whose money is in the platform's own ledger. */
export interface LedgerStore extends Omit<WalletStore, keyof EventSource>, EventSource {
  /** The operator's rounds with pending work at the ledger. @throws StoreUnavailableError */
  unfinished(operatorId: string): AsyncIterable<RoundKey>;

  /**
   * The books of each round: what the ledger posted for it, and what the journal says of it. For a check
   * by a person or at night. Absent if the ledger has no `postedRounds`.
   * @throws LedgerAnswerError for an answer that cannot be read, StoreUnavailableError; what the ledger throws.
   */
  roundBooks?(query?: RoundBooksQuery): AsyncIterable<RoundBooks>;

  /**
   * Finishes the pending work of a round. Reversals and credits are driven until they are definite. Debits
   * never are: old ones are marked as unanswered, and the round waits for its void as `cancelled` (D7).
   */
  settle(round: RoundKey, options: SettleOptions): Promise<Settlement>;
}

/** Ages of a round's pending work, from which another process continues it. */
export interface SettleOptions {
  /** Younger work is left to the call that began it, in milliseconds. */
  readonly graceMs: number;
  /** The call of a younger debit may still answer, in milliseconds. */
  readonly giveUpAfterMs: number;
}

/**
 * Moves money through a ledger, with every intent in the journal before its first post. A round's pending
 * work is in its head: the next call, in this or another process, continues with the same keys. Safety
 * rests only on those keys and on the version of the round.
 */
class JournaledLedgerStore implements LedgerStore {
  readonly decimals: number;
  private readonly caller: LedgerCaller;
  private readonly closing = new AbortController();
  private readonly commits: LedgerCommits;
  private readonly unwatch: (() => void) | undefined;

  readonly keepsRepairs: boolean;
  /** Absent where the journal has no server. */
  readonly serverTime?: WalletStore['serverTime'];
  readonly roundBooks?: (query?: RoundBooksQuery) => AsyncIterable<RoundBooks>;
  /** Absent where the journal keeps no history; so is `findRound`. */
  readonly rounds?: RoundHistory['rounds'];
  readonly findRound?: RoundHistory['findRound'];
  /** Absent where the journal does not list repairs. */
  readonly repairs?: RepairList['repairs'];

  constructor(private readonly settings: LedgerStoreSettings) {
    const { journal } = settings;
    journal.keepForLedger?.();
    this.decimals = journal.decimals;
    this.keepsRepairs = journal.keepsRepairs === true;
    if (journal.serverTime !== undefined) this.serverTime = journal.serverTime.bind(journal);
    if (journal.rounds !== undefined) this.rounds = journal.rounds.bind(journal);
    if (journal.findRound !== undefined) this.findRound = journal.findRound.bind(journal);
    if (journal.repairs !== undefined) this.repairs = journal.repairs.bind(journal);
    const reader = createRoundBooksReader(settings, this.closing.signal);
    if (reader !== null) this.roundBooks = reader;
    this.caller = new LedgerCaller(settings);
    this.commits = new LedgerCommits(settings, this.caller);
    this.unwatch = settings.recorder?.watchBreaker(() => this.caller.breakerState);
    setMaxListeners(0, this.closing.signal); // every commit in flight listens to it
  }

  ready(): Promise<void> {
    return this.settings.journal.ready();
  }

  /** Pending reversals are finished first: until then a void is not reported as done. */
  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return this.within(async (until) => {
      const { journal } = this.settings;
      for (;;) {
        const result = await journal.load(round, hashes);
        if (result.kind === 'unknown') return result;
        const { head, entries } = result.snapshot;
        if (head.pending === null || head.pending.reversals.length === 0) {
          return { kind: 'loaded', snapshot: { head, entries } }; // the journal knows no accounts
        }
        const finished = await finishReversals(journal, this.caller, round, head, until);
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

  /** The journal's events. @throws TypeError if it writes none. */
  events(request: EventsRequest): AsyncIterable<EventBatch> {
    return this.eventSource().events(request);
  }

  /** @throws TypeError if the journal writes no events. */
  async eventsLag(operatorId: string): Promise<readonly ConsumerLag[]> {
    return this.eventSource().eventsLag(operatorId);
  }

  /** @throws TypeError if the journal writes no events. */
  async declaredConsumers(): Promise<readonly string[]> {
    return this.eventSource().declaredConsumers();
  }

  /** @throws TypeError if the journal writes no events. */
  async forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    return this.eventSource().forgetConsumer(consumer, operatorIds);
  }

  attention(operatorId: string): AsyncIterable<AttentionEntry> {
    return this.settings.journal.attention(operatorId);
  }

  /** Absent where the journal has no such list. */
  get openRounds(): WalletStore['openRounds'] {
    const { journal } = this.settings;
    return journal.openRounds?.bind(journal);
  }

  get lostCommits(): number {
    return this.settings.journal.lostCommits ?? 0;
  }

  unfinished(operatorId: string): AsyncIterable<RoundKey> {
    return this.settings.journal.unfinished(operatorId);
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const report = await this.settings.journal.readRound(round);
    if (report === null) return null;
    const entries = new Map(report.entries);
    for (const { hash } of report.head.pending?.posts ?? []) {
      if (isRepairHash(hash)) continue;
      const known = knownOf(report, hash);
      if (known !== undefined) entries.set(hash, known);
    }
    const { head, balances } = report;
    return createRoundReport(round, { head, entries }, this.decimals, balances);
  }

  async settle(round: RoundKey, { graceMs, giveUpAfterMs }: SettleOptions): Promise<Settlement> {
    const { journal, clock } = this.settings;
    let result = await journal.load(round, []);
    for (;;) {
      if (result.kind === 'unknown') return result;
      const { pending, state } = result.snapshot.head;
      if (pending === null) return { kind: 'settled', state };
      const age = clock.now() - pending.since;
      const patience = holdsDebit(pending.posts) ? Math.max(graceMs, giveUpAfterMs) : graceMs;
      if (age < patience) return { kind: 'waits' };
      const failure = await this.advance(round, result.snapshot.head);
      if (failure !== null) return failure;
      result = await this.load(round, []);
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.unwatch?.();
    await this.settings.journal.close();
  }

  private eventSource(): EventSource {
    const { journal } = this.settings;
    if (!hasEvents(journal))
      throw new TypeError('the journal of the ledger store writes no events');
    return journal;
  }

  /** Does the next part of a round's pending work; resolves to why it could not, or to null. */
  private async advance(round: RoundKey, head: RoundHead): Promise<Unknown | null> {
    const { posts } = head.pending ?? { posts: [] };
    if (posts.length === 0) return null;
    if (!holdsDebit(posts)) {
      const cause = await resendPending(this, round, head, this.settings);
      return cause === null ? null : unknownBecause(cause);
    }
    const now = this.settings.clock.now();
    const given = giveUpPending(head, { gameCode: head.gameCode ?? '', now });
    const result = given === null ? null : await this.commits.note(round, given);
    return result?.kind === 'unknown' ? result : null;
  }

  /** Pending work of another call comes first; if it includes a debit, it cannot be sped up. */
  private async afterOthers(
    round: RoundKey,
    before: RoundHead,
    forDebit: boolean,
  ): Promise<CommitResult> {
    if (!forDebit) {
      const cause = await resendPending(this, round, before, this.settings);
      return cause === null ? { kind: 'stale' } : unknownBecause(cause);
    }
    const now = await this.settings.journal.load(round, []);
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
      return await withDeadline(clock, deadlineMs, listening, this.closing.signal);
    } catch (error) {
      return unknownBecause(error);
    }
  }
}

function hasEvents(journal: Partial<EventSource>): journal is EventSource {
  const { events, eventsLag, declaredConsumers, forgetConsumer } = journal;
  return [events, eventsLag, declaredConsumers, forgetConsumer].every(
    (method) => typeof method === 'function',
  );
}

/**
 * A store that leaves the players' money where it is: it keeps rounds and intents in `journal`, and moves
 * money through `ledger`. Run a sweeper as well ({@link startSweeper}) to finish what a crash or a silent
 * ledger left pending.
 * @throws TypeError for wrong options.
 */
export function createLedgerStore(options: LedgerStoreOptions): LedgerStore {
  return new JournaledLedgerStore(checkLedgerOptions(options));
}
