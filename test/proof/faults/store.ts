import type { RoundChange } from '../../../lib/operator/gameround';
import type { FollowUp } from '../../../lib/operator/gameround/follow-up';
import type {
  AccountsResult,
  AttentionEntry,
  BlockResult,
  CashOrder,
  CashResult,
  CommitResult,
  FollowResult,
  LoadResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  ReadPlayerResult,
  RoundKey,
  RoundReport,
  Unknown,
  AccountStore,
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
  /** Calls that are hanging now. */
  hanging = 0;
  /** Called when one begins to. */
  onHang: () => void = () => {};
  private readonly plans = new Map<FaultyMethod, Plan>();
  private release: () => void = () => {};
  private healed = this.untilHealed();

  /** Only where the test wants it: a store need not have it. */
  follow?: (round: RoundKey, followUp: FollowUp) => Promise<FollowResult>;

  constructor(
    private readonly store: AccountStore,
    { follows = false }: { readonly follows?: boolean } = {},
  ) {
    this.decimals = store.decimals;
    const follow = follows && store.follow?.bind(store);
    if (!follow) return;
    this.follow = (round, followUp) => this.run('follow', () => follow(round, followUp));
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

  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return this.run('load', () => this.store.load(round, hashes));
  }

  commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    return this.run('commit', () => this.store.commit(round, change));
  }

  accounts(player: PlayerKey): Promise<AccountsResult> {
    return this.run('accounts', () => this.store.accounts(player));
  }

  ready(): Promise<void> {
    return this.store.ready();
  }

  openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    return this.store.openPlayer(player);
  }

  deposit(order: CashOrder): Promise<CashResult> {
    return this.store.deposit(order);
  }

  withdraw(order: CashOrder): Promise<CashResult> {
    return this.store.withdraw(order);
  }

  setBlocked(player: PlayerKey, blocked: boolean): Promise<BlockResult> {
    return this.store.setBlocked(player, blocked);
  }

  readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    return this.store.readPlayer(player);
  }

  attention(operatorId: string): AsyncIterable<AttentionEntry> {
    return this.store.attention(operatorId);
  }

  unfinished(operatorId: string): AsyncIterable<RoundKey> {
    return this.store.unfinished(operatorId);
  }

  readRound(round: RoundKey): Promise<RoundReport | null> {
    return this.store.readRound(round);
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
