import { createRoundReport, StoreUnavailableError } from '../../wallet';
import type { RoundChange } from '../../gameround';
import type {
  AccountStore,
  AccountsResult,
  AttentionEntry,
  BlockResult,
  CashOrder,
  CashRefusal,
  CashResult,
  CommitResult,
  LoadResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  ReadPlayerResult,
  RoundKey,
  RoundReport,
  Unknown,
} from '../../wallet';
import {
  checkBlocked,
  checkIdentifiers,
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
  checkRoundKey,
} from '../check-input';
import { commitValues, readCommitLines } from './codec/commit';
import type { Connections } from './connections/pool';
import type { Executor, Line } from './connections/executor';
import { functions, type StoreFunction } from './schema/functions';
import type { PostgresValue } from './client/port';
import { stateOf } from '../record-codec';
import { readAccount, readRoundLines } from './codec/round';
import type { RetentionCleaner } from './retention-cleaner';

/** The parts of a PostgreSQL store. */
export interface PostgresStoreParts {
  readonly connections: Connections;
  readonly executor: Executor;
  readonly cleaner: RetentionCleaner;
  readonly decimals: number;
  readonly retentionMs: number;
  readonly acceptLoss: boolean;
  readonly lockTimeoutMs: number;
  /** Releases the pool, if the store owns it. */
  readonly release: () => Promise<void>;
}

/** Rounds listed at once. */
const pageSize = 200;

/** Every method is one call of one function, and so one transaction. See the port for the guarantees. */
export class PostgresStore implements AccountStore {
  readonly decimals: number;
  /** The first arguments of every function that writes. */
  readonly #writing: readonly [boolean, number];
  #closed: Promise<void> | null = null;

  constructor(private readonly parts: PostgresStoreParts) {
    this.decimals = parts.decimals;
    this.#writing = [parts.acceptLoss, parts.lockTimeoutMs];
    parts.cleaner.start();
  }

  async ready(): Promise<void> {
    await this.parts.connections.passed();
    const probe = await this.accounts({ operatorId: 'probe', playerId: 'probe' });
    if (probe.kind === 'unknown') throw probe.cause;
  }

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const values = [...namesOf(round), hashes];
    return this.orUnknown(async () => {
      const lines = await this.run(functions.loadRound, values);
      return { kind: 'loaded', snapshot: readRoundLines(lines, hashes) } as const;
    });
  }

  async commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    const values = [...this.#writing, ...commitValues(round, change, this.parts.retentionMs)];
    return this.orUnknown(async () =>
      readCommitLines(await this.parts.executor.run(functions.commitRound, values, round), change),
    );
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    const { operatorId, playerId } = player;
    return this.orUnknown(async () => {
      const lines = await this.run(functions.readAccounts, [operatorId, playerId]);
      return { kind: 'known', accounts: readRoundLines(lines).accounts } as const;
    });
  }

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const { operatorId, playerId, currency, real, bonus } = checkNewPlayer(player, this.decimals);
    const units = [String(real), bonus === null ? null : String(bonus)];
    const values = [...this.#writing, operatorId, playerId, currency, ...units];
    return this.orUnknown(async () => {
      const [kind, ...account] = await this.write(functions.openPlayer, values, player);
      if (kind !== 'opened' && kind !== 'existed') throw unexpected();
      return { kind, account: readAccount(account) } as const;
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
    const { operatorId, playerId } = player;
    const values = [...this.#writing, operatorId, playerId, blocked];
    return this.orUnknown(async () => {
      const [kind] = await this.write(functions.blockPlayer, values, player);
      if (kind !== 'done' && kind !== 'noPlayer') throw unexpected();
      return { kind } as const;
    });
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    const { operatorId, playerId } = player;
    return this.orUnknown(async () => {
      const lines = await this.run(functions.readPlayer, [operatorId, playerId]);
      if (lines.length === 0) return { kind: 'noPlayer' } as const;
      const blocked = lines.some(([isBlocked]) => isBlocked === 'true');
      const accounts = lines.map(([, ...account]) => readAccount(account));
      return { kind: 'known', blocked, accounts } as const;
    });
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    for await (const [round, state] of this.listed(functions.listAttention, operatorId)) {
      yield { ...round, state: stateOf(state) };
    }
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    for await (const [round] of this.listed(functions.listUnfinished, operatorId)) yield round;
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const lines = await this.run(functions.readRound, namesOf(round));
    if (lines.length === 0) return null;
    return createRoundReport(round, readRoundLines(lines), this.decimals);
  }

  async close(): Promise<void> {
    this.#closed ??= this.letGo();
    await this.#closed;
  }

  private async letGo(): Promise<void> {
    this.parts.cleaner.close();
    this.parts.connections.close();
    await this.parts.release();
  }

  private async moveCash(order: CashOrder, sign: 1n | -1n): Promise<CashResult> {
    const checked = checkOrder(order, this.decimals);
    const { operatorId, playerId, currency, reference, balance } = checked;
    const units = String(sign * checked.units);
    const names = [operatorId, playerId, reference];
    const values = [...this.#writing, ...names, units, currency, balance];
    return this.orUnknown(async () => {
      const [kind, ...rest] = await this.write(functions.moveCash, values, checked);
      if (kind === 'refused') return { kind, reason: rest[0] as CashRefusal } as const;
      if (kind !== 'done') throw unexpected();
      return { kind, account: readAccount(rest), replay: rest[3] === 'replay' } as const;
    });
  }

  /**
   * The operator's rounds in one of the lists, page by page in the order of their names, each with its
   * further columns.
   */
  private async *listed(
    list: StoreFunction,
    operatorId: string,
  ): AsyncGenerator<readonly [RoundKey, string | null | undefined]> {
    let [playerId, gameRound] = ['', ''];
    for (;;) {
      const page = await this.run(list, [operatorId, playerId, gameRound, pageSize]);
      for (const line of page) {
        [playerId, gameRound] = [line[0] ?? '', line[1] ?? ''];
        yield [{ operatorId, playerId, gameRound }, line[2]];
      }
      if (page.length < pageSize) return;
    }
  }

  private async run(called: StoreFunction, values: readonly PostgresValue[]): Promise<Line[]> {
    return this.parts.executor.run(called, values);
  }

  /** Runs a function that locks rows of the player, and resolves to its one line. */
  private async write(
    called: StoreFunction,
    values: readonly PostgresValue[],
    player: PlayerKey,
  ): Promise<Line> {
    const [line] = await this.parts.executor.run(called, values, player);
    if (line === undefined) throw unexpected();
    return line;
  }

  /** A store that does not answer, or is not safe, leaves the outcome unknown (D7). */
  private async orUnknown<T>(work: () => Promise<T>): Promise<T | Unknown> {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof Error ? error : unexpected();
      return { kind: 'unknown', cause };
    }
  }
}

function namesOf({ operatorId, playerId, gameRound }: RoundKey): string[] {
  return [operatorId, playerId, gameRound];
}

function unexpected(): StoreUnavailableError {
  return new StoreUnavailableError('PostgreSQL sent an unknown reply.');
}
