import type { Clock } from '../../../platform';
import type {
  AccountBooks,
  Act,
  BlockAct,
  BlockResult,
  BlocksResult,
  BooksQuery,
  CashOrder,
  CashPageResult,
  CashQuery,
  CashRefusal,
  CashResult,
  CorrectionOrder,
  LimitAct,
  LimitOrder,
  LimitResult,
  LimitsResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  Players,
  ReadPlayerResult,
} from '../../wallet';
import { limitKinds } from '../../wallet';
import {
  checkCashQuery,
  checkCorrection,
  type CheckedOrder,
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
  maxBlocks,
} from '../check-input';
import {
  actValues,
  movementValues,
  openingValues,
  readBlockLines,
  readCashLines,
  readCursor,
} from './codec/cash';
import { checkLimitOrder, type CheckedLimit, checkBlock } from '../check-restrictions';
import { actOfBlock, actOfLimit, actOfOpening, actOfOrder, encodeAct } from '../codec/act';
import { encodeChangedTerms, encodeGroups, encodeTerms } from '../codec/limits';
import { limitsOf } from '../../wallet/limits/groups';
import type { Companions } from '../companions';
import { cashPage, type PastReader } from '../lists/past-money';
import {
  type LimitsToWrite,
  type LimitsWritten,
  type ReadingEnd,
  setLimitIn,
} from '../lists/set-limit';
import type { LimitedPlayers } from '../../wallet/limits/limited-players';
import { limitMoment } from '../../wallet/limits/moment';
import {
  encodeMoment,
  type ReadLimits,
  readLimitLines,
  readSetLines,
  zonesAsked,
} from './codec/limits';
import { readBooks } from './books-reader';
import type { PostgresEvents } from './events';
import type { Line, WritingParts } from './connections/executor';
import { History } from './lists/history';
import { functions } from './schema/functions';
import type { StoreFunction, ValuesOf } from './schema/statement';
import { nameOf, ofPlayer } from './codec/names';
import { readAccount } from './codec/round';
import { orUnknown } from '../or-unknown';
import { unexpected } from './connections/answers';

/** What the players need of their store. */
interface PostgresPlayersParts extends WritingParts {
  readonly decimals: number;
  readonly clock: Clock;
  readonly limited: LimitedPlayers;
  /** Whether a limit counts what moved in its window before it was set. */
  readonly limitsFromHistory: boolean;
  readonly companions: Companions | null;
  readonly retentionMs: number;
}

/** The players of a store that keeps the money in its own table of accounts. */
export class PostgresPlayers implements Required<Players> {
  constructor(
    private readonly parts: PostgresPlayersParts,
    private readonly events: PostgresEvents,
  ) {}

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const checked = checkNewPlayer(player, this.parts.decimals);
    const values = { ...this.parts.writing, ...openingValues(checked) };
    return orUnknown(async () => {
      const event = await this.eventOf(actOfOpening(checked));
      const [kind, ...account] = await (event === null
        ? this.write(functions.openAccount, values, player)
        : this.write(functions.openAndTellAccount, { ...values, event }, player));
      if (kind !== 'opened' && kind !== 'existed') throw unexpected();
      return { kind, account: readAccount(account) } as const;
    });
  }

  async deposit(order: CashOrder): Promise<CashResult> {
    return this.moveCash(checkOrder(order, 'deposit', this.parts.decimals));
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    return this.moveCash(checkOrder(order, 'withdrawal', this.parts.decimals));
  }

  async correct(order: CorrectionOrder): Promise<CashResult> {
    return this.moveCash(checkCorrection(order, this.parts.decimals));
  }

  async cash(player: PlayerKey, query?: CashQuery): Promise<CashPageResult> {
    checkPlayerKey(player);
    const { before, limit } = checkCashQuery(query);
    const values = { ...ofPlayer(player), ...readCursor(before), at_most: limit + 1 };
    return orUnknown(async () => readCashLines(await this.run(functions.listCash, values), limit));
  }

  books(query?: BooksQuery): AsyncIterable<AccountBooks> {
    return readBooks(this.parts.executor, query);
  }

  async blocks(player: PlayerKey): Promise<BlocksResult> {
    checkPlayerKey(player);
    const values = { ...ofPlayer(player), at_most: maxBlocks };
    return orUnknown(async () => readBlockLines(await this.run(functions.listBlocks, values)));
  }

  async setBlocked(player: PlayerKey, blocked: boolean, act?: BlockAct): Promise<BlockResult> {
    const order = checkBlock(player, blocked, act, this.parts.clock.now());
    const done = { is_blocked: blocked, ends_at: order.until };
    const ordered = { ...ofPlayer(order), ...actValues(order), ...done };
    const values = { ...this.parts.writing, ...ordered };
    return orUnknown(async () => {
      const event = await this.eventOf(actOfBlock(order));
      const [kind] = await (event === null
        ? this.write(functions.recordBlock, values, player)
        : this.write(functions.blockAndTell, { ...values, event }, player));
      if (kind !== 'done' && kind !== 'noPlayer') throw unexpected();
      return { kind } as const;
    });
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const lines = await this.run(functions.readPlayer, ofPlayer(player));
      if (lines.length === 0) return { kind: 'noPlayer' } as const;
      const [isBlocked, end] = lines[0] ?? [];
      const until = typeof end === 'string' ? Number(end) : null;
      const blocked = isBlocked === 'true' && (until === null || this.parts.clock.now() < until);
      const accounts = lines.map(([, , ...account]) => readAccount(account));
      return { kind: 'known', blocked, blockedUntil: blocked ? until : null, accounts } as const;
    });
  }

  async setLimit(player: PlayerKey, limit: LimitOrder, act?: LimitAct): Promise<LimitResult> {
    const order = checkLimitOrder(player, limit, act, this.parts.decimals);
    const port = {
      now: () => this.parts.clock.now(),
      read: () => this.readLimits(order),
      write: (limits: LimitsToWrite) => this.writeLimits(order, limits),
      endReading: (end: ReadingEnd) => this.endReading(order, end),
      past: this.parts.limitsFromHistory ? this.pastOf(order) : null,
    };
    return orUnknown(() => setLimitIn(port, order));
  }

  async limits(player: PlayerKey): Promise<LimitsResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const read = await this.readLimits(player);
      if (read === null) return { kind: 'noPlayer' } as const;
      const limits = limitsOf(read.groups, this.parts.clock.now());
      return { kind: 'known', limits, changes: read.changes } as const;
    });
  }

  private async readLimits(player: PlayerKey): Promise<ReadLimits | null> {
    const values = { ...ofPlayer(player), at_most: maxBlocks };
    return readLimitLines(await this.run(functions.readLimits, values));
  }

  private pastOf(player: PlayerKey): PastReader {
    const { executor, decimals, clock, companions, retentionMs } = this.parts;
    return {
      ...new History(executor, decimals).pastOf(player),
      readCash: (cursor) => this.cash(player, cashPage(cursor)),
      completeFrom: async () => clock.now() - (companions?.shortestMs ?? retentionMs),
    };
  }

  private async writeLimits(order: CheckedLimit, limits: LimitsToWrite): Promise<LimitsWritten> {
    const { terms, past } = limits;
    const seen = past?.seen;
    const values = {
      ...this.parts.writing,
      ...ofPlayer(order),
      ...actValues(order),
      terms_read: encodeTerms(limits.read),
      groups: encodeGroups(limits.groups, past?.windows ?? null),
      of_terms: encodeChangedTerms(terms, order.amount),
      event: await this.eventOf(actOfLimit(terms, order)),
      seen_rounds: seen?.rounds ?? [],
      seen_versions: seen?.versions.map(String) ?? [],
      newest_round: seen?.newestRound ?? null,
      latest_cash: seen?.latestCash ?? null,
    };
    return readSetLines(await this.parts.executor.run(functions.setLimit, values, order));
  }

  private async endReading(player: PlayerKey, { group, reading, windows }: ReadingEnd) {
    const values = {
      ...this.parts.writing,
      ...ofPlayer(player),
      of_kind: limitKinds.indexOf(group.kind) + 1,
      of_currency: group.currency,
      reading: -reading,
      at_numbers: windows.map(({ number }) => String(number)),
      more: windows.map(({ units }) => String(units)),
    };
    await this.parts.executor.run(functions.endReading, values, player);
  }

  private async moveCash(order: CheckedOrder): Promise<CashResult> {
    const values = { ...this.parts.writing, ...movementValues(order) };
    const { clock, limited } = this.parts;
    const name = nameOf(order);
    return orUnknown(async () => {
      const event = await this.eventOf(actOfOrder(order));
      const known = order.kind === 'deposit' ? limited.zonesOf(name) : undefined;
      let line: Line | null = null;
      if (known === undefined) {
        line = await (event === null
          ? this.write(functions.recordCash, values, order)
          : this.write(functions.moveAndTell, { ...values, event }, order));
      }
      const zones = known ?? (line === null ? null : zonesAsked([line]));
      if (zones !== null) {
        const attempt = (now: readonly string[]): Promise<Line> => {
          const moment = encodeMoment(limitMoment(now, clock.now()));
          return this.write(functions.moveLimited, { ...values, event, moment }, order);
        };
        line = await limited.send(name, zones, attempt, (answer) => zonesAsked([answer]));
      }
      const [kind, ...rest] = line ?? [];
      if (kind === 'refused') return { kind, reason: rest[0] as CashRefusal } as const;
      if (kind !== 'done') throw unexpected();
      return { kind, account: readAccount(rest), replay: rest[3] === 'replay' } as const;
    });
  }

  /** The event of an act, null where no consumer is declared. It is whole, however many wait. */
  private async eventOf(act: Act): Promise<string | null> {
    if (!this.events.isOn) return null;
    await this.events.declare();
    return encodeAct(act);
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
}
