import { createRoundReport } from '../../wallet';
import type { RoundChange } from '../../gameround';
import type { FollowUp } from '../../gameround/follow-up';
import type {
  AccountBooks,
  AccountStore,
  AccountsResult,
  AttentionEntry,
  BlockAct,
  BlockResult,
  BlocksResult,
  BooksQuery,
  CashOrder,
  CashPageResult,
  CashQuery,
  CashResult,
  CommitResult,
  ConsumerLag,
  EventBatch,
  EventSource,
  EventsRequest,
  CorrectionOrder,
  FindRoundResult,
  FollowResult,
  LoadResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  ReadPlayerResult,
  RepairList,
  RepairsPageResult,
  RepairsQuery,
  RoundByHash,
  RoundHistory,
  RoundKey,
  RoundReport,
  RoundSnapshot,
  RoundsPageResult,
  RoundsQuery,
  WalletStore,
} from '../../wallet';
import {
  checkBlock,
  checkCorrection,
  checkIdentifiers,
  checkOrder,
  checkRoundKey,
} from '../check-input';
import { balancesIn } from './codec/balances';
import { commitCall, type Extras, readCommitReply } from './codec/commit';
import { followCall, readFollowReply, versionIn } from './codec/follow';
import type { Acknowledged } from './connection/acknowledged';
import type { DataSettings } from './connection/data-settings';
import { decodeRound, fieldsOf } from './codec/round';
import { decodeSnapshot, type LoadReply } from './codec/snapshot';
import { BooksReader } from './books-reader';
import { AccountCommands, orUnknown } from './account-commands';
import type { Call, Script, ScriptNames } from './commands/script';
import { scripts } from './commands/scripts';
import type { Companions } from '../companions';
import { keptLonger } from '../event-limit';
import { bringsLoad } from '../stale-load';
import { RedisEvents, type RedisEventsParts } from './events';
import { History } from './history';
import { Listings } from './listings';
import { RepairLister } from './repairs';

/** The parts of a Redis store. */
export interface RedisStoreParts extends RedisEventsParts {
  readonly dataSettings: DataSettings;
  /** Null if the process does not serve. */
  readonly acknowledged: Acknowledged | null;
  /** The other processes over the store; null if this one does not serve. */
  readonly companions: Companions | null;
  readonly retentionMs: number;
  /** Whether its commits keep the history of their players. */
  readonly keepsHistory: boolean;
  /** Releases the client, if the store owns it. */
  readonly release: () => Promise<void>;
}

/** Every method is one script, and so one moment. See the port for the guarantees. */
export class RedisStore implements AccountStore, EventSource, RoundHistory, RepairList {
  readonly decimals: number;
  private readonly accountCommands: AccountCommands;
  readonly keepsRepairs = true;
  readonly #listings: Listings;
  readonly #history: History;
  private readonly eventLog: RedisEvents;

  constructor(private readonly parts: RedisStoreParts) {
    this.decimals = parts.decimals;
    this.accountCommands = new AccountCommands(parts);
    this.eventLog = new RedisEvents(parts);
    this.#history = new History(parts);
    this.#listings = new Listings(parts);
  }

  get lostCommits(): number {
    return this.parts.acknowledged?.lost ?? 0;
  }

  readonly keepForLedger = (): void => this.parts.dataSettings.keepForLedger();
  async ready(): Promise<void> {
    await this.parts.gate.verify();
    const probe = { operatorId: 'probe', playerId: 'probe' };
    await this.parts.executor.run(scripts.readAccounts, {
      account: this.parts.keys.account(probe),
    });
    await this.parts.companions?.join();
    await this.eventLog.ready();
    await this.#history.note().catch(() => {}); // the first commit repeats it
  }

  serverTime(): Promise<number | null> {
    return this.parts.executor.time();
  }

  events(request: EventsRequest): AsyncIterable<EventBatch> {
    return this.eventLog.events(request, (round) => this.readRound(round));
  }

  eventsLag(operatorId: string): Promise<ConsumerLag[]> {
    return this.eventLog.eventsLag(operatorId);
  }

  readonly declaredConsumers = (): Promise<string[]> => this.eventLog.declaredConsumers();

  forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    return this.eventLog.forgetConsumer(consumer, operatorIds);
  }

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const { keys, executor } = this.parts;
    const fields = hashes.flatMap((hash) => fieldsOf(hash, round.gameRound));
    return orUnknown(async () => {
      const reply = await executor.run(scripts.load, { ...keys.accountAndRound(round), fields });
      const snapshot = decodeSnapshot(reply as LoadReply, hashes);
      await this.confirmFound(snapshot);
      return { kind: 'loaded', snapshot } as const;
    });
  }

  async commit(
    round: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const { acknowledged } = this.parts;
    const { extras, keptMs } = this.extrasFor(round);
    const call = commitCall(this.parts.keys, round, change, keptMs, extras);
    return orUnknown(async () => {
      const script = bringsLoad(change, hashes) ? scripts.open : scripts.commit;
      const reply = await this.write(script, call, extras);
      const result = readCommitReply(reply, change);
      if (result.kind === 'committed') acknowledged?.note(call.round, change.after.version);
      if (extras.lists) this.#history.noteCommit(round, change, result);
      if (result.kind === 'refused' && result.reason === 'noPlayer') await this.confirmStore();
      return result;
    });
  }

  async follow(round: RoundKey, followUp: FollowUp): Promise<FollowResult> {
    const { acknowledged } = this.parts;
    const { extras, keptMs } = this.extrasFor(round);
    const call = followCall(this.parts.keys, round, followUp, keptMs, extras);
    return orUnknown(async () => {
      const reply = await this.write(scripts.follow, call, extras);
      const result = readFollowReply(reply, followUp);
      if (result.kind === 'committed') acknowledged?.note(call.round, versionIn(reply));
      if (result.kind === 'other') await this.confirmFound(result.snapshot);
      return result;
    });
  }

  accounts(player: PlayerKey): Promise<AccountsResult> {
    return this.accountCommands.accounts(player);
  }

  readonly openPlayer = (player: NewPlayer): Promise<OpenPlayerResult> =>
    this.accountCommands.openPlayer(player);

  async deposit(order: CashOrder): Promise<CashResult> {
    return this.accountCommands.move(checkOrder(order, 'deposit', this.decimals));
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    return this.accountCommands.move(checkOrder(order, 'withdrawal', this.decimals));
  }

  async correct(order: CorrectionOrder): Promise<CashResult> {
    return this.accountCommands.move(checkCorrection(order, this.decimals));
  }

  cash(player: PlayerKey, query?: CashQuery): Promise<CashPageResult> {
    return this.accountCommands.page(player, query);
  }

  books(query?: BooksQuery): AsyncIterable<AccountBooks> {
    return new BooksReader(this.parts).books(query);
  }

  async setBlocked(player: PlayerKey, blocked: boolean, act?: BlockAct): Promise<BlockResult> {
    return this.accountCommands.block(checkBlock(player, blocked, act));
  }

  blocks(player: PlayerKey): Promise<BlocksResult> {
    return this.accountCommands.blocks(player);
  }

  readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    return this.accountCommands.readPlayer(player);
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    yield* this.#listings.attention(operatorId);
  }

  /** Absent where no process keeps a history, as of the last server check: nothing lists them then. */
  get openRounds(): WalletStore['openRounds'] {
    return this.#listings.openRounds;
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    yield* this.#listings.unfinished(operatorId);
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const reply = await this.parts.executor.run(scripts.readRound, {
      round: this.parts.keys.round(round),
    });
    const view = decodeRound(reply as string[], round.gameRound);
    if (view === null) await this.confirmStore();
    if (view === null) return null;
    return createRoundReport(round, view, this.decimals, balancesIn(reply as string[]));
  }

  rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult> {
    return this.#history.page(player, query);
  }

  findRound(query: RoundByHash): Promise<FindRoundResult> {
    return this.#history.find(query);
  }

  repairs(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult> {
    return new RepairLister(this.parts).page(operatorId, query);
  }

  async close(): Promise<void> {
    await this.parts.companions?.leave(this.parts.gate.isOpen);
    this.parts.gate.close();
    await this.parts.release();
  }

  /**
   * Call it if nothing was found: confirms that Redis still holds the store. A Redis that lost its data
   * knows nothing, and such answers would be final.
   */
  private confirmStore(): Promise<void> {
    return this.parts.gate.confirmStore();
  }

  private async confirmFound({ head, accounts }: RoundSnapshot): Promise<void> {
    if (head.version === 0 && accounts === null) await this.confirmStore();
  }

  private extrasFor({ operatorId }: RoundKey): { extras: Extras; keptMs: number } {
    const { retentionMs } = this.parts;
    const eventKind = this.eventLog.kindFor(operatorId);
    const keptMs = eventKind === 'pointer' ? keptLonger(retentionMs) : retentionMs;
    return { extras: { eventKind, lists: this.#history.isOn }, keptMs };
  }

  private async write<N extends ScriptNames>(
    script: Script<N>,
    call: Call<N>,
    { eventKind, lists }: Extras,
  ): Promise<unknown> {
    if (eventKind !== null) await this.eventLog.declare();
    if (lists) await this.#history.note().catch(() => {}); // the first commit repeats it
    return this.parts.executor.run(script, call);
  }
}
