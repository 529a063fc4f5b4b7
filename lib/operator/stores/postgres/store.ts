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
import { functions, type StoreFunction, type ValuesOf } from './schema/functions';
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
  /** What every function that writes takes. */
  readonly #writing: { readonly accept_loss: boolean; readonly lock_timeout_ms: number };
  #closed: Promise<void> | null = null;

  constructor(private readonly parts: PostgresStoreParts) {
    this.decimals = parts.decimals;
    this.#writing = { accept_loss: parts.acceptLoss, lock_timeout_ms: parts.lockTimeoutMs };
    parts.cleaner.start();
  }

  async ready(): Promise<void> {
    await this.parts.connections.passed();
    const probe = await this.accounts({ operatorId: 'probe', playerId: 'probe' });
    if (probe.kind === 'unknown') throw probe.cause;
  }

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const values = { ...ofRound(round), hashes };
    return this.orUnknown(async () => {
      const lines = await this.run(functions.loadRound, values);
      return { kind: 'loaded', snapshot: readRoundLines(lines, hashes) } as const;
    });
  }

  async commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    const values = commitValues(round, change, this.parts);
    return this.orUnknown(async () =>
      readCommitLines(await this.parts.executor.run(functions.commitRound, values, round), change),
    );
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return this.orUnknown(async () => {
      const lines = await this.run(functions.readAccounts, ofPlayer(player));
      return { kind: 'known', accounts: readRoundLines(lines).accounts } as const;
    });
  }

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const { currency, real, bonus, ...names } = checkNewPlayer(player, this.decimals);
    const values = {
      ...this.#writing,
      ...ofPlayer(names),
      of_currency: currency,
      real_units: String(real),
      bonus_units: bonus === null ? null : String(bonus),
    };
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
    const values = { ...this.#writing, ...ofPlayer(player), is_blocked: blocked };
    return this.orUnknown(async () => {
      const [kind] = await this.write(functions.blockPlayer, values, player);
      if (kind !== 'done' && kind !== 'noPlayer') throw unexpected();
      return { kind } as const;
    });
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return this.orUnknown(async () => {
      const lines = await this.run(functions.readPlayer, ofPlayer(player));
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
    const lines = await this.run(functions.readRound, ofRound(round));
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
    const values = {
      ...this.#writing,
      ...ofPlayer(checked),
      of_reference: checked.reference,
      move_units: String(sign * checked.units),
      of_currency: checked.currency,
      of_balance: checked.balance,
    };
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
    list: typeof functions.listAttention | typeof functions.listUnfinished,
    operatorId: string,
  ): AsyncGenerator<readonly [RoundKey, string | null | undefined]> {
    let [playerId, gameRound] = ['', ''];
    for (;;) {
      const page = await this.run(list, {
        of_operator: operatorId,
        after_player: playerId,
        after_round: gameRound,
        at_most: pageSize,
      });
      for (const line of page) {
        [playerId, gameRound] = [line[0] ?? '', line[1] ?? ''];
        yield [{ operatorId, playerId, gameRound }, line[2]];
      }
      if (page.length < pageSize) return;
    }
  }

  private async run<F extends StoreFunction>(called: F, values: ValuesOf<F>): Promise<Line[]> {
    return this.parts.executor.run(called, values);
  }

  /** Runs a function that locks rows of the player, and resolves to its one line. */
  private async write<F extends StoreFunction>(
    called: F,
    values: ValuesOf<F>,
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

function ofPlayer({ operatorId, playerId }: PlayerKey) {
  return { of_operator: operatorId, of_player: playerId } as const;
}

function ofRound({ operatorId, playerId, gameRound }: RoundKey) {
  return { of_operator: operatorId, of_player: playerId, of_round: gameRound } as const;
}

function unexpected(): StoreUnavailableError {
  return new StoreUnavailableError('PostgreSQL sent an unknown reply.');
}
