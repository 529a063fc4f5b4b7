import { createRoundReport } from '../../wallet';
import type { RoundChange } from '../../gameround';
import type { FollowUp } from '../../gameround/follow-up';
import type {
  AccountsResult,
  AttentionEntry,
  CommitResult,
  ConsumerLag,
  EventBatch,
  EventSource,
  EventsRequest,
  FindRoundResult,
  FollowResult,
  LoadResult,
  PlayerKey,
  RepairList,
  RepairsPageResult,
  RepairsQuery,
  RoundByHash,
  RoundHistory,
  RoundKey,
  RoundReport,
  RoundsPageResult,
  RoundsQuery,
  Unknown,
  WalletStore,
} from '../../wallet';
import { checkIdentifiers, checkPlayerKey, checkRoundKey } from '../check-input';
import { encodeChange } from '../codec/event';
import { keptLonger } from '../event-limit';
import { bringsLoad } from '../stale-load';
import { type CommitSettings, readCommitLines } from './codec/commit';
import { asAddition, readFollowLines } from './codec/follow';
import type { DataPast } from './connections/data-past';
import type { Connections } from './connections/pool';
import type { Executor } from './connections/executor';
import { functions } from './schema/functions';
import { ofPlayer, ofRound } from './codec/names';
import { readBalanceLines, readRoundLines } from './codec/round';
import type { Companions } from '../companions';
import { orUnknown } from './answers';
import { History } from './history';
import { Listings } from './listings';
import { RepairLister } from './repairs';
import type { Money } from './money';
import type { PostgresEvents } from './events';
import type { RetentionCleaner } from './retention-cleaner';

/** The parts of a store in PostgreSQL. */
export interface PostgresStoreParts {
  readonly connections: Connections;
  /** Null if the process does not serve. */
  readonly past: DataPast | null;
  readonly executor: Executor;
  readonly cleaner: RetentionCleaner;
  /** The other processes over the store; null if this one does not serve. */
  readonly companions: Companions | null;
  readonly eventLog: PostgresEvents;
  /** Where the money is, and so which functions commit and read. */
  readonly money: Money;
  readonly decimals: number;
  readonly retentionMs: number;
  readonly acceptLoss: boolean;
  readonly lockTimeoutMs: number;
  /** Releases the pool, if the store owns it. */
  readonly release: () => Promise<void>;
}

/**
 * Rounds in PostgreSQL, with the money where `money` has it. Every method is one call of one function, and so one
 * transaction. See the port for the guarantees.
 */
export class PostgresRounds implements WalletStore, EventSource, RoundHistory, RepairList {
  readonly decimals: number;
  readonly keepsRepairs = true;
  protected readonly listings: Listings;
  readonly #history: History;
  #closed: Promise<void> | null = null;

  constructor(protected readonly parts: PostgresStoreParts) {
    this.decimals = parts.decimals;
    this.listings = new Listings(parts.executor);
    this.#history = new History(parts.executor);
    parts.cleaner.start();
  }

  get lostCommits(): number {
    return this.parts.past?.lost ?? 0;
  }

  async ready(): Promise<void> {
    await this.parts.connections.passed();
    await this.parts.money.ready();
    const probe = await this.accounts({ operatorId: 'probe', playerId: 'probe' });
    if (probe.kind === 'unknown') throw probe.cause;
    await this.parts.companions?.join();
    await this.parts.eventLog.ready();
  }

  serverTime(): Promise<number> {
    return this.parts.executor.time();
  }

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const { executor, money } = this.parts;
    const values = { ...ofRound(round), hashes };
    return orUnknown(async () => {
      const lines = await executor.run(money.load, values);
      return { kind: 'loaded', snapshot: readRoundLines(lines, hashes) } as const;
    });
  }

  async commit(
    round: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const { money, past } = this.parts;
    return this.withEvent(round, change, (settings) => {
      const send = money.commitOf(round, change, settings, bringsLoad(change, hashes));
      return async (event) => {
        const result = readCommitLines(await send(event), change);
        if (result.kind === 'committed') past?.note(round, change.after.version);
        return result;
      };
    });
  }

  async follow(round: RoundKey, followUp: FollowUp): Promise<FollowResult> {
    const { money, past } = this.parts;
    return this.withEvent(round, asAddition(followUp), (settings) => {
      const send = money.followOf(round, followUp, settings);
      return async (event) => {
        const result = readFollowLines(await send(event), followUp);
        // The answer has no version; it is the second at least.
        if (result.kind === 'committed') past?.note(round, 2);
        return result;
      };
    });
  }

  events(request: EventsRequest): AsyncIterable<EventBatch> {
    return this.parts.eventLog.events(request, (round) => this.readRound(round));
  }

  eventsLag(operatorId: string): Promise<ConsumerLag[]> {
    return this.parts.eventLog.eventsLag(operatorId);
  }

  declaredConsumers(): Promise<string[]> {
    return this.parts.eventLog.declaredConsumers();
  }

  forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    return this.parts.eventLog.forgetConsumer(consumer, operatorIds);
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    const { executor, money } = this.parts;
    return orUnknown(async () => {
      const lines = await executor.run(money.accounts, ofPlayer(player));
      return { kind: 'known', accounts: readRoundLines(lines).accounts } as const;
    });
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    yield* this.listings.attention(operatorId);
  }

  async *openRounds(operatorId: string, before: number): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    yield* this.listings.openRounds(operatorId, before);
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const lines = await this.parts.executor.run(functions.readRound, ofRound(round));
    if (lines.length === 0) return null;
    const view = readRoundLines(lines);
    return createRoundReport(round, view, this.decimals, readBalanceLines(lines));
  }

  rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult> {
    return this.#history.page(player, query);
  }

  findRound(query: RoundByHash): Promise<FindRoundResult> {
    return this.#history.find(query);
  }

  repairs(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult> {
    return new RepairLister(this.parts.executor).page(operatorId, query);
  }

  async close(): Promise<void> {
    this.#closed ??= this.release();
    await this.#closed;
  }

  /** Sends what writes a change, made at once, with the event of the change. */
  private async withEvent<T>(
    { operatorId }: RoundKey,
    change: RoundChange,
    make: (settings: CommitSettings) => (event: string | null) => Promise<T>,
  ): Promise<T | Unknown> {
    const { eventLog, retentionMs } = this.parts;
    const isPointer = eventLog.isOverLimit(operatorId);
    const send = make(
      isPointer ? { ...this.parts, retentionMs: keptLonger(retentionMs) } : this.parts,
    );
    return orUnknown(async () => {
      if (eventLog.isOn) await eventLog.declare();
      const text = isPointer ? change.after.state : null;
      return send(eventLog.isOn ? (text ?? encodeChange(change)) : null);
    });
  }

  private async release(): Promise<void> {
    this.parts.cleaner.close();
    await this.parts.companions?.leave();
    this.parts.connections.close();
    await this.parts.release();
  }
}
