import { type HashEntry, type RoundChange, unseenRound, withRecord } from '../../gameround';
import { addPurses, isInRange } from '../../../protocol/money';
import {
  type AccountStore,
  type AccountsResult,
  type AttentionEntry,
  type BlockResult,
  type CashOrder,
  type CashResult,
  type CommitResult,
  createRoundReport,
  type LoadResult,
  type NewPlayer,
  type OpenPlayerResult,
  type PlayerKey,
  type ReadPlayerResult,
  type RoundKey,
  type RoundReport,
} from '../../wallet';
import { type Clock, systemClock } from '../../../platform';
import {
  checkBlocked,
  checkIdentifiers,
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
  checkRoundKey,
} from '../check-input';
import { checkOptionNames } from '../../../platform/validation/known-options';
import { checkStoreOptions, storeOptionNames, type StoreOptions } from '../store-options';
import { Accounts } from './accounts';
import { Rounds } from './rounds';

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
export function createMemoryStore(options: MemoryStoreOptions = {}): AccountStore {
  checkOptionNames<MemoryStoreOptions>('createMemoryStore', options, optionNames);
  const { clock = systemClock, ...rest } = options;
  return new MemoryStore(checkStoreOptions(rest), clock);
}

/** Each method works synchronously: that makes it atomic. */
class MemoryStore implements AccountStore {
  readonly decimals: number;
  private readonly accountBook = new Accounts();
  private readonly rounds: Rounds;

  constructor(
    options: Required<StoreOptions>,
    private readonly clock: Clock,
  ) {
    this.decimals = options.decimals;
    this.rounds = new Rounds(options.retentionMs);
  }

  async ready(): Promise<void> {}

  async load(key: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const round = this.rounds.find(key, this.clock.now());
    const entries = new Map<string, HashEntry>();
    for (const hash of hashes) {
      const entry = round?.entries.get(hash);
      if (entry !== undefined) entries.set(hash, entry);
    }
    const head = round?.head ?? unseenRound;
    return { kind: 'loaded', snapshot: { head, entries, accounts: this.accountBook.list(key) } };
  }

  async commit(key: RoundKey, change: RoundChange): Promise<CommitResult> {
    const now = this.clock.now();
    const version = this.rounds.find(key, now)?.head.version ?? 0;
    if (version !== change.before.version) return { kind: 'stale' };
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
    const round = this.rounds.take(key, now);
    for (const { hash, record } of change.records) {
      const purse = record.type === 'debit' ? trial.taken.get(hash) : undefined;
      const written = purse === undefined ? record : { ...record, purse };
      round.entries.set(hash, withRecord(round.entries.get(hash), written));
    }
    this.rounds.update(round, { ...change.after, debits }, now);
    return { kind: 'committed', accounts: this.accountBook.list(key) };
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return { kind: 'known', accounts: this.accountBook.list(player) };
  }

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const { opened, account } = this.accountBook.open(checkNewPlayer(player, this.decimals));
    return { kind: opened ? 'opened' : 'existed', account };
  }

  async deposit(order: CashOrder): Promise<CashResult> {
    return this.accountBook.moveCash(checkOrder(order, this.decimals), 1n);
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    return this.accountBook.moveCash(checkOrder(order, this.decimals), -1n);
  }

  async setBlocked(player: PlayerKey, blocked: boolean): Promise<BlockResult> {
    checkPlayerKey(player);
    checkBlocked(blocked);
    return { kind: this.accountBook.setBlocked(player, blocked) ? 'done' : 'noPlayer' };
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    const accounts = this.accountBook.list(player);
    if (accounts === null) return { kind: 'noPlayer' };
    return { kind: 'known', blocked: this.accountBook.isBlocked(player), accounts };
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    for (const { key, head } of this.rounds.needingAttention(operatorId)) {
      yield { ...key, state: head.state };
    }
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    for (const { key } of this.rounds.unfinished(operatorId)) yield { ...key };
  }

  async readRound(key: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(key);
    const round = this.rounds.find(key, this.clock.now());
    if (round === undefined) return null;
    const view = { head: round.head, entries: new Map(round.entries) };
    return createRoundReport(round.key, view, this.decimals);
  }

  async close(): Promise<void> {}
}
