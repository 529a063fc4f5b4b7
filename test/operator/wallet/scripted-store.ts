import type { FollowUp } from '../../../lib/operator/gameround/follow-up';
import type { RoundChange } from '../../../lib/operator/gameround';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type {
  AccountStore,
  CommitResult,
  FollowResult,
  LoadResult,
  RoundKey,
  Rounds,
  Unknown,
  WalletStore,
} from '../../../lib/operator/wallet';
import type { VirtualClock } from '../../../lib/platform/virtual-clock';

/** What a trip can come to instead of its answer. */
export type Script =
  /** Not done, and answered as unknown. */
  | 'unknown'
  /** Done, and answered as unknown. */
  | 'done, unknown'
  /** Answered as unknown, and done when the test says so: {@link ScriptedStore.land}. */
  | 'unknown, done late'
  /** Not done, answered as unknown, and asking again is of no use. */
  | 'unknown, give up'
  | 'throws'
  | 'done, throws'
  /** Never answered. */
  | 'hangs'
  | 'done, hangs'
  /** Done and answered in full once the test says so: {@link ScriptedStore.land}. */
  | 'late'
  /** Not done; rejects once the test says so. */
  | 'throws late'
  | 'stale'
  /** Nothing goes wrong. */
  | 'answers'
  /** Not done, and answered so. */
  | Extract<CommitResult, { kind: 'refused' }>
  /** Another process is faster: the work is done first, then the trip as usual. */
  | (() => Promise<unknown>);

/** The methods that a call uses. */
export type Method = 'load' | 'commit' | 'follow' | 'accounts';

/** How long each trip takes, in milliseconds. */
export const tripMs = 3;

/**
 * A store that implements the port over one in memory, notes every trip, and answers as a script says. Every trip
 * takes a moment of the virtual clock.
 */
export class ScriptedStore implements WalletStore {
  readonly decimals = 2;
  readonly unit = '1';
  /** The names of the trips, in order. */
  readonly trips: Method[] = [];
  /** When each trip began, by the monotonic clock. */
  readonly tripsAt: number[] = [];
  /** The hashes of each load, in order. */
  readonly loads: (readonly string[])[] = [];
  /** The change of each commit, in order, whatever became of it. */
  readonly commits: RoundChange[] = [];
  /** The follow-ups that it was asked for, in order. */
  readonly followUps: FollowUp[] = [];
  /** Without `follow` unless {@link follows}: a store need not have it. */
  readonly rounds: { -readonly [name in keyof Rounds]: Rounds[name] };
  /** The real store under the script. */
  readonly kept: AccountStore;
  /** Hashes of records that the store has lost. */
  readonly lost = new Set<string>();
  /** Whether balances are read apart from rounds, as a ledger's are. */
  readsAccountsApart = false;
  private readonly scripts: Record<Method, Script[]> = {
    load: [],
    commit: [],
    follow: [],
    accounts: [],
  };
  private readonly forever: Partial<Record<Method, Script>> = {};
  private readonly waiting: (() => Promise<void>)[] = [];

  constructor(private readonly clock: VirtualClock) {
    this.kept = createMemoryStore({ decimals: this.decimals, clock });
    this.rounds = {
      load: (round, hashes) => this.load(round, hashes),
      commit: (round, change) => this.commit(round, change),
      accounts: (player) => this.trip('accounts', () => this.kept.rounds.accounts(player)),
      readRound: (round) => this.kept.rounds.readRound(round),
    };
  }

  /** What the next trips of a method come to; those after them are answered. */
  next(method: Method, ...scripts: Script[]): this {
    this.scripts[method].push(...scripts);
    return this;
  }

  /** What all trips of a method come to, once those of {@link next} are used up. */
  always(method: Method, script: Script): this {
    this.forever[method] = script;
    return this;
  }

  /** Ends every script. */
  heal(): void {
    for (const method of ['load', 'commit', 'follow', 'accounts'] as const) {
      this.scripts[method].length = 0;
      delete this.forever[method];
    }
  }

  /** Lets everything that is late happen now, in order. */
  async land(): Promise<void> {
    for (const work of this.waiting.splice(0)) await work();
  }

  private load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    this.loads.push([...hashes]);
    return this.trip<LoadResult>('load', async () => {
      const result = await this.kept.rounds.load(round, hashes);
      if (result.kind === 'unknown') return result;
      const { head, accounts } = result.snapshot;
      const found = [...result.snapshot.entries].filter(([hash]) => !this.lost.has(hash));
      const view = { head, entries: new Map(found) };
      const isApart = this.readsAccountsApart || accounts === undefined;
      return { kind: 'loaded', snapshot: isApart ? view : { ...view, accounts } };
    });
  }

  private commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    this.commits.push(change);
    return this.trip<CommitResult>('commit', async () => {
      const result = await this.kept.rounds.commit(round, change);
      return this.readsAccountsApart && result.kind === 'committed'
        ? { kind: 'committed' }
        : result;
    });
  }

  /** From now on it adds to running rounds in one trip. */
  follows(): this {
    this.rounds.follow = (round, followUp) => {
      this.followUps.push(followUp);
      return this.trip<FollowResult>('follow', async () => {
        const result = await this.kept.rounds.follow?.(round, followUp);
        if (result === undefined) throw new Error('The store in memory follows.');
        if (!this.readsAccountsApart) return result;
        if (result.kind === 'committed') return { kind: 'committed' };
        if (result.kind === 'unknown') return result;
        const { head, entries } = result.snapshot;
        return { kind: 'other', snapshot: { head, entries } };
      });
    };
    return this;
  }

  get lists(): AccountStore['lists'] {
    return this.kept.lists;
  }

  ready(): Promise<void> {
    return this.kept.ready();
  }

  close(): Promise<void> {
    return this.kept.close();
  }

  private async trip<T>(method: Method, work: () => Promise<T>): Promise<T | Unknown> {
    this.trips.push(method);
    this.tripsAt.push(this.clock.monotonicMs());
    const script = this.scripts[method].shift() ?? this.forever[method] ?? 'answers';
    await this.clock.pause(tripMs);
    if (typeof script === 'function') {
      await script();
      return work();
    }
    if (typeof script === 'object') return script as T;
    if (script.startsWith('done')) await work();
    switch (script) {
      case 'answers':
        return work();
      case 'unknown':
      case 'done, unknown':
        return unknownBecause(method);
      case 'unknown, give up':
        return { ...unknownBecause(method), giveUp: true };
      case 'unknown, done late':
        this.waiting.push(async () => void (await work()));
        return unknownBecause(method);
      case 'throws':
      case 'done, throws':
        throw new Error(`${method} is broken.`);
      case 'hangs':
      case 'done, hangs':
        return new Promise(() => {});
      case 'late':
        return new Promise((resolve) => {
          this.waiting.push(async () => resolve(await work()));
        });
      case 'throws late':
        return new Promise((_, reject) => {
          this.waiting.push(async () => reject(new Error(`${method} is broken.`)));
        });
      case 'stale':
        return { kind: 'stale' } as T;
    }
  }
}

/** The answer of a store that does not know. */
export function unknownBecause(method: Method): Unknown {
  return { kind: 'unknown', cause: new Error(`${method} is in doubt.`) };
}
