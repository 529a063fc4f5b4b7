import { createRoundReport, StoreUnavailableError } from '../../wallet';
import type { HashEntry, RoundChange } from '../../gameround';
import type {
  AccountStore,
  AccountsResult,
  AttentionEntry,
  BlockResult,
  CashOrder,
  CashResult,
  CommitResult,
  LoadResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  ReadPlayerResult,
  RoundKey,
  RoundReport,
} from '../../wallet';
import {
  checkBlocked,
  checkIdentifiers,
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
  checkRoundKey,
} from '../check-input';
import { commitArguments, commitKeys, readCommitReply } from './codec/commit';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import { fieldName, hashOfField } from './codec/hash-fields';
import { decodeHead } from './codec/head';
import { bucketCount, type Keys, readAttentionMember, readUnfinishedMember } from './codec/keys';
import {
  decodeAccount,
  decodeAccounts,
  decodeEntry,
  encodeBalance,
  isBlocked,
} from './codec/record';
import type { RedisArgument } from './client/port';
import { type Script, scripts } from './commands/scripts';

/** The parts of a Redis store. */
export interface RedisStoreParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly decimals: number;
  readonly retentionMs: number;
  /** Releases the client, if the store owns it. */
  readonly release: () => Promise<void>;
}

/** Buckets listed concurrently, and rounds read at once from each. */
const bucketsAtOnce = 64;
const membersAtOnce = 200;

/** Every method is one script, and so one moment. See the port for the guarantees. */
export class RedisStore implements AccountStore {
  readonly decimals: number;

  constructor(private readonly parts: RedisStoreParts) {
    this.decimals = parts.decimals;
  }

  async ready(): Promise<void> {
    await this.parts.gate.verify();
    const probe = { operatorId: 'probe', playerId: 'probe' };
    await this.run(scripts.readAccounts, [this.parts.keys.account(probe)], []);
  }

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const { keys } = this.parts;
    const fields = hashes.flatMap((hash) => fieldsOf(hash, round.gameRound));
    return this.orUnknown(async () => {
      const reply = await this.run(scripts.load, keys.accountAndRound(round), fields);
      const [head, gameCode, accounts, values, pending] = reply as [
        string | null,
        string | null,
        string[],
        (string | null)[],
        string | null,
      ];
      const entries = new Map<string, HashEntry>();
      for (const [index, hash] of hashes.entries()) {
        const entry = decodeEntry(values[index * 2] ?? null, values[index * 2 + 1] ?? null);
        if (entry !== null) entries.set(hash, entry);
      }
      const snapshot = {
        head: decodeHead(head, gameCode, pending ?? null),
        entries,
        accounts: decodeAccounts(accounts),
      };
      if (head === null && snapshot.accounts === null) await this.confirmStore();
      return { kind: 'loaded', snapshot } as const;
    });
  }

  async commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    const { keys, retentionMs } = this.parts;
    const named = commitKeys(keys, round, change);
    const args = commitArguments(round, change, retentionMs);
    return this.orUnknown(async () => {
      const reply = await this.run(scripts.commit, named, args);
      const result = readCommitReply(reply, change);
      if (result.kind === 'refused' && result.reason === 'noPlayer') await this.confirmStore();
      return result;
    });
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return this.orUnknown(async () => {
      const reply = await this.run(scripts.readAccounts, [this.parts.keys.account(player)], []);
      const accounts = decodeAccounts(reply as string[]);
      if (accounts === null) await this.confirmStore();
      return { kind: 'known', accounts } as const;
    });
  }

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const checked = checkNewPlayer(player, this.decimals);
    const { currency, real, bonus } = checked;
    const args = [currency, encodeBalance(real, bonus)];
    return this.orUnknown(async () => {
      await this.parts.gate.confirmStore(); // nobody is opened again after a loss of the data
      const reply = await this.run(scripts.openPlayer, [this.parts.keys.account(checked)], args);
      const [opened, balance] = reply as [number, string];
      const account = decodeAccount(currency, balance);
      return { kind: opened === 1 ? 'opened' : 'existed', account } as const;
    });
  }

  async deposit(order: CashOrder): Promise<CashResult> {
    return this.moveCash(order, 1n);
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    return this.moveCash(order, -1n);
  }

  async setBlocked(player: PlayerKey, blocked: boolean): Promise<BlockResult> {
    checkPlayerKey(player);
    checkBlocked(blocked);
    const named = [this.parts.keys.account(player)];
    return this.orUnknown(async () => {
      const known = await this.run(scripts.blockPlayer, named, [blocked ? '1' : '0']);
      if (known !== 1) await this.confirmStore();
      return { kind: known === 1 ? 'done' : 'noPlayer' } as const;
    });
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return this.orUnknown(async () => {
      const reply = await this.run(scripts.readAccounts, [this.parts.keys.account(player)], []);
      const accounts = decodeAccounts(reply as string[]);
      if (accounts === null) await this.confirmStore();
      if (accounts === null) return { kind: 'noPlayer' } as const;
      return { kind: 'known', blocked: isBlocked(reply as string[]), accounts } as const;
    });
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    const keyOf = (bucket: number) => this.parts.keys.attentionOfBucket(operatorId, bucket);
    for await (const member of this.members(keyOf)) yield readAttentionMember(operatorId, member);
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    const keyOf = (bucket: number) => this.parts.keys.unfinishedOfBucket(operatorId, bucket);
    for await (const member of this.members(keyOf)) yield readUnfinishedMember(operatorId, member);
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const reply = await this.run(scripts.readRound, [this.parts.keys.round(round)], []);
    const fields = new Map<string, string>();
    const flat = reply as string[];
    for (let at = 0; at + 1 < flat.length; at += 2) fields.set(flat[at] ?? '', flat[at + 1] ?? '');
    const head = fields.get('h');
    if (head === undefined) await this.confirmStore();
    if (head === undefined) return null;
    const entries = new Map<string, HashEntry>();
    for (const field of fields.keys()) {
      const hash = hashOfField(field, round.gameRound);
      if (hash === null || entries.has(hash)) continue;
      const [transaction, order] = fieldsOf(hash, round.gameRound);
      const entry = decodeEntry(fields.get(transaction) ?? null, fields.get(order) ?? null);
      if (entry !== null) entries.set(hash, entry);
    }
    const decoded = decodeHead(head, fields.get('g') ?? null, fields.get('p') ?? null);
    return createRoundReport(round, { head: decoded, entries }, this.decimals);
  }

  async close(): Promise<void> {
    this.parts.gate.close();
    await this.parts.release();
  }

  private async moveCash(order: CashOrder, sign: 1n | -1n): Promise<CashResult> {
    const checked = checkOrder(order, this.decimals);
    const { currency, reference, balance } = checked;
    const units = String(sign * checked.units);
    const named = [this.parts.keys.account(checked), this.parts.keys.references(checked)];
    const args = [reference, [units, currency, balance].join(' '), currency, balance, units];
    return this.orUnknown(async () => {
      const reply = await this.run(scripts.moveCash, named, args);
      const [kind, value, replay] = reply as [string, string, number];
      if (kind === 'refused') {
        if (value === 'noPlayer') await this.confirmStore();
        type Reason = Extract<CashResult, { kind: 'refused' }>['reason'];
        return { kind, reason: value as Reason } as const;
      }
      return {
        kind: 'done',
        account: decodeAccount(currency, value),
        replay: replay === 1,
      } as const;
    });
  }

  /** The members of an index that every bucket has, bucket by bucket. */
  private async *members(keyOf: (bucket: number) => string): AsyncGenerator<string> {
    let isEmpty = true;
    for (let first = 0; first < bucketCount; first += bucketsAtOnce) {
      const keys = Array.from({ length: bucketsAtOnce }, (_, index) => keyOf(first + index));
      const pages = await Promise.all(keys.map((key) => this.page(key, '-')));
      for (const [index, page] of pages.entries()) {
        isEmpty &&= page.length === 0;
        yield* this.pagesFrom(keys[index] as string, page);
      }
    }
    if (isEmpty) await this.confirmStore();
  }

  private async *pagesFrom(key: string, page: readonly string[]): AsyncGenerator<string> {
    let members = page;
    for (;;) {
      yield* members;
      const last = members.at(-1);
      if (last === undefined || members.length < membersAtOnce) return;
      members = await this.page(key, `(${last}`);
    }
  }

  private async page(key: string, from: string): Promise<string[]> {
    return (await this.run(scripts.listRounds, [key], [from, membersAtOnce])) as string[];
  }

  /**
   * Call it if nothing was found: confirms that Redis still holds the store. A Redis that lost its data
   * knows nothing, and such answers would be final.
   */
  private confirmStore(): Promise<void> {
    return this.parts.gate.confirmStore();
  }

  private run(
    script: Script,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    return this.parts.executor.run(script, keys, args);
  }

  /** A store that does not answer, or is not safe, leaves the outcome unknown (D7). */
  private async orUnknown<T>(
    work: () => Promise<T>,
  ): Promise<T | { kind: 'unknown'; cause: Error }> {
    try {
      return await work();
    } catch (error) {
      const cause =
        error instanceof Error
          ? error
          : new StoreUnavailableError('Redis failed without an error.');
      return { kind: 'unknown', cause };
    }
  }
}

/** The fields of a hash: its transaction, and its void. */
function fieldsOf(hash: string, gameRound: string): [string, string] {
  return [fieldName('transaction', hash, gameRound), fieldName('void', hash, gameRound)];
}
