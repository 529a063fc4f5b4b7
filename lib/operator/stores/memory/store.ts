import { netOf, type RoundChange, withRecord } from '../../gameround';
import { paidByRepairs } from '../../gameround/repairs/standing';
import { changeOf, type FollowUp } from '../../gameround/follow-up';
import { addPurses, emptyPurse, isInRange } from '../../../protocol/money';
import {
  type AccountBooks,
  type AccountStore,
  type AccountsResult,
  type AttentionEntry,
  type BlockAct,
  type BlockResult,
  type BlocksResult,
  type BooksQuery,
  type CashOrder,
  type CashPageResult,
  type CashQuery,
  type CashResult,
  type CommitResult,
  type CorrectionOrder,
  type ConsumerLag,
  createRoundEvent,
  createRoundReport,
  type EventBatch,
  type EventSource,
  type EventsRequest,
  type FindRoundResult,
  type FollowResult,
  type LoadResult,
  type NewPlayer,
  type OpenPlayerResult,
  type PlayerKey,
  type ReadPlayerResult,
  type RepairList,
  type RepairsPageResult,
  type RepairsQuery,
  type RoundByHash,
  type RoundHistory,
  type RoundKey,
  type RoundReport,
  type RoundSnapshot,
  type RoundsPageResult,
  type RoundsQuery,
} from '../../wallet';
import { type Clock, systemClock } from '../../../platform';
import {
  checkBlock,
  checkBooksQuery,
  checkCashQuery,
  checkCorrection,
  checkIdentifiers,
  checkNewPlayer,
  checkOperatorIds,
  checkOrder,
  checkPlayerKey,
  checkRoundKey,
} from '../check-input';
import { checkOptionNames } from '../../../platform/validation/known-names';
import {
  checkConsumer,
  checkStoreOptions,
  checkStoreParts,
  storeOptionNames,
  type StoreOptions,
} from '../store-options';
import { eventBatches } from '../event-batches';
import { Accounts } from './accounts';
import { EventLog } from './event-log';
import { History } from './history';
import { pageOfRepairs } from './repairs';
import { entryOf, Rounds, viewOf } from './rounds';
import { keepBalances, movedBy, withTaken } from './taken';

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions extends StoreOptions {
  /** The clock; the machine's own unless set. */
  readonly clock?: Clock;
}

const optionNames = { ...storeOptionNames, clock: true } as const;

/**
 * A store in this process's memory: everything is lost when the process ends. For development, tests and
 * the sandbox, not for money.
 * @throws TypeError for wrong options.
 */
export function createMemoryStore(
  options: MemoryStoreOptions = {},
): AccountStore & EventSource & RoundHistory & RepairList {
  checkOptionNames<MemoryStoreOptions>('createMemoryStore', options, optionNames);
  checkStoreParts(options);
  const { clock = systemClock, ...rest } = options;
  return new MemoryStore(checkStoreOptions(rest), clock);
}

/** Each method works synchronously: that makes it atomic. */
class MemoryStore implements AccountStore, EventSource, RoundHistory, RepairList {
  readonly decimals: number;
  readonly keepsRepairs = true;
  private readonly accountBook = new Accounts();
  private readonly stored: Rounds;
  private readonly history: History;
  private readonly log: EventLog;
  private readonly keepsBalances: boolean;

  constructor(
    options: Required<StoreOptions>,
    private readonly clock: Clock,
  ) {
    this.decimals = options.decimals;
    this.stored = new Rounds(options.retentionMs, ({ key, head }) => {
      if (head.currency !== null) this.accountBook.carry(key, head.currency, netOf(head));
    });
    this.history = new History(this.stored);
    this.log = new EventLog(options.events);
    this.keepsBalances = options.history;
  }

  readonly ready = async (): Promise<void> => this.accountBook.checkPlace();
  readonly keepForLedger = (): void => this.accountBook.leaveToLedger();

  async load(key: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return { kind: 'loaded', snapshot: this.snapshot(key, hashes) };
  }

  async commit(
    key: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const now = this.clock.now();
    const version = this.stored.find(key, now)?.head.version ?? 0;
    if (version !== change.before.version) return this.stale(key, hashes);
    const trial = this.accountBook.attempt(key, change.movements);
    if (trial.refused !== null) {
      return { kind: 'refused', hash: trial.hash, reason: trial.refused };
    }
    const debits = [...trial.taken.values()].reduce(addPurses, change.after.debits);
    const last = change.movements.at(-1);
    if (last !== undefined && !(isInRange(debits) && isInRange(change.after.credits))) {
      return { kind: 'refused', hash: last.hash, reason: 'outOfRange' };
    }
    this.accountBook.write(key, trial.balances);
    const round = this.stored.take(key, now);
    const records = change.records.map((item) => withTaken(item, trial.taken));
    for (const { hash, record } of records) {
      round.entries.set(hash, withRecord(round.entries.get(hash), record));
    }
    this.stored.update(round, { ...change.after, debits }, now);
    const accounts = this.accountBook.list(key);
    if (this.keepsBalances) keepBalances(round, change, accounts);
    if (this.log.isOn) {
      const { version: next, state, gameCode } = change.after;
      const all = [...change.movements, ...(change.elsewhere ?? [])];
      const movements = all.map((movement) => movedBy(movement, trial.taken));
      const committed = { round: key, version: next, state, gameCode, at: now };
      const event = { ...committed, records, movements, accounts };
      this.log.add(createRoundEvent(event, this.decimals));
    }
    return { kind: 'committed', accounts };
  }

  async follow(key: RoundKey, followUp: FollowUp): Promise<FollowResult> {
    const snapshot = this.snapshot(key, followUp.hashes);
    const change = changeOf(followUp, snapshot);
    const result = change === null ? null : await this.commit(key, change);
    return result?.kind === 'committed' ? result : { kind: 'other', snapshot };
  }

  events(request: EventsRequest): AsyncIterable<EventBatch> {
    return eventBatches(request, this.clock, async (page) => this.log.read(page));
  }

  async eventsLag(operatorId: string): Promise<ConsumerLag[]> {
    checkIdentifiers({ operatorId });
    return this.log.lag(operatorId);
  }

  async declaredConsumers(): Promise<string[]> {
    return this.log.declared();
  }

  async forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    checkConsumer(consumer);
    checkOperatorIds(operatorIds);
    return this.log.forget(consumer);
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return { kind: 'known', accounts: this.accountBook.list(player) };
  }

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const checked = checkNewPlayer(player, this.decimals);
    const { opened, account } = this.accountBook.open(checked, this.clock.now());
    return { kind: opened ? 'opened' : 'existed', account };
  }

  async deposit(order: CashOrder): Promise<CashResult> {
    const checked = checkOrder(order, 'deposit', this.decimals);
    return this.accountBook.moveCash(checked, this.clock.now());
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    const checked = checkOrder(order, 'withdrawal', this.decimals);
    return this.accountBook.moveCash(checked, this.clock.now());
  }

  async correct(order: CorrectionOrder): Promise<CashResult> {
    return this.accountBook.moveCash(checkCorrection(order, this.decimals), this.clock.now());
  }

  async cash(player: PlayerKey, query?: CashQuery): Promise<CashPageResult> {
    checkPlayerKey(player);
    const { before, limit } = checkCashQuery(query);
    return this.accountBook.cash(player, before, limit);
  }

  async *books(query?: BooksQuery): AsyncGenerator<AccountBooks> {
    const { operatorId, playerId } = checkBooksQuery(query);
    const all = Array.from(this.accountBook.books(), (books) => {
      const { currency } = books;
      const heads = this.stored.ofPlayer(books).map(({ head }) => head);
      const own = heads.filter((head) => head.currency === currency);
      return {
        ...books,
        rounds: own.map(netOf).reduce(addPurses, emptyPurse),
        repairs: heads
          .map(({ repairs }) => paidByRepairs(repairs, currency))
          .reduce(addPurses, emptyPurse),
      };
    });
    for (const books of all) {
      if (operatorId !== null && books.operatorId !== operatorId) continue;
      if (playerId === null || books.playerId === playerId) yield books;
    }
  }

  async setBlocked(player: PlayerKey, blocked: boolean, act?: BlockAct): Promise<BlockResult> {
    const order = checkBlock(player, blocked, act);
    return { kind: this.accountBook.setBlocked(order, this.clock.now()) ? 'done' : 'noPlayer' };
  }

  async blocks(player: PlayerKey): Promise<BlocksResult> {
    checkPlayerKey(player);
    return this.accountBook.blocks(player);
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return this.accountBook.read(player);
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    for (const round of this.stored.needingAttention(operatorId)) yield entryOf(round);
  }

  async *openRounds(operatorId: string, before: number): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    for (const round of this.stored.open(operatorId, before)) yield entryOf(round);
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    for (const { key } of this.stored.unfinished(operatorId)) yield { ...key };
  }

  async readRound(key: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(key);
    const round = this.stored.find(key, this.clock.now());
    if (round === undefined) return null;
    const view = { head: round.head, entries: new Map(round.entries) };
    return createRoundReport(round.key, view, this.decimals, [...round.balances]);
  }

  async rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult> {
    return this.history.page(player, query, this.clock.now());
  }

  async findRound(query: RoundByHash): Promise<FindRoundResult> {
    return this.history.find(query, this.clock.now());
  }

  async repairs(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult> {
    return pageOfRepairs(this.stored, this.history.store, operatorId, query);
  }

  async close(): Promise<void> {}

  private stale(key: RoundKey, hashes?: readonly string[]): CommitResult {
    if (hashes === undefined) return { kind: 'stale' };
    return { kind: 'stale', snapshot: this.snapshot(key, hashes) };
  }

  private snapshot(key: RoundKey, hashes: readonly string[]): RoundSnapshot {
    const view = viewOf(this.stored.find(key, this.clock.now()), hashes);
    return { ...view, accounts: this.accountBook.list(key) };
  }
}
