import {
  type AccountStore,
  aroundRounds,
  type Rounds,
  type Unknown,
} from '../../../lib/operator/wallet';

/** What can go wrong with a store. */
export type Fault = 'unknown' | 'throw' | 'hang';

/** The methods whose faults the router has to live with. */
export type FaultyMethod = 'load' | 'commit' | 'follow' | 'accounts';

interface Plan {
  readonly fault: Fault;
  readonly when: 'before' | 'after';
  times: number;
}

/**
 * A store that can be made silent, late or broken, before or after it did its work. Hanging work
 * continues, as unknown, once the store is healed.
 */
export class FaultyStore implements AccountStore {
  readonly decimals: number;
  readonly rounds: Rounds;
  readonly players: AccountStore['players'];
  readonly lists: AccountStore['lists'];
  readonly retentionMs: AccountStore['retentionMs'];
  readonly unit: AccountStore['unit'];
  /** Calls that are hanging now. */
  hanging = 0;
  /** Called when one begins to. */
  onHang: () => void = () => {};
  private readonly plans = new Map<FaultyMethod, Plan>();
  private release: () => void = () => {};
  private healed = this.untilHealed();

  constructor(
    private readonly store: AccountStore,
    /** Whether it adds to running rounds: a store need not. */
    { follows = false }: { readonly follows?: boolean } = {},
  ) {
    this.decimals = store.decimals;
    this.players = store.players;
    this.lists = store.lists;
    this.retentionMs = store.retentionMs;
    this.unit = store.unit;
    // Stale answers bring no round along, so that loads can fail.
    const commit: Rounds['commit'] = (round, change) => store.rounds.commit(round, change);
    const loaded = Object.assign(Object.create(store.rounds) as Rounds, { commit });
    const rounds = aroundRounds(loaded, (method, work) => this.run(method, work));
    this.rounds = follows ? rounds : { ...rounds, follow: undefined };
  }

  /** Makes the next `times` calls of a method fail so; all of them unless said. */
  fail(
    method: FaultyMethod,
    fault: Fault,
    when: 'before' | 'after' = 'before',
    times: number = Number.POSITIVE_INFINITY,
  ): void {
    this.plans.set(method, { fault, when, times });
  }

  /** Ends all faults, and releases what hangs. */
  heal(): void {
    this.plans.clear();
    this.release();
    this.healed = this.untilHealed();
  }

  ready(): Promise<void> {
    return this.store.ready();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async run<T>(method: FaultyMethod, work: () => Promise<T>): Promise<T | Unknown> {
    const plan = this.plans.get(method);
    if (plan === undefined || plan.times === 0) return work();
    plan.times--;
    if (plan.when === 'after') await work();
    if (plan.fault === 'throw') throw new Error('The store is broken.');
    if (plan.fault === 'hang') {
      this.hanging++;
      this.onHang();
      await this.healed;
      this.hanging--;
    }
    return { kind: 'unknown', cause: new Error('The store is silent.') };
  }

  private untilHealed(): Promise<void> {
    return new Promise((resolve) => {
      this.release = resolve;
    });
  }
}
