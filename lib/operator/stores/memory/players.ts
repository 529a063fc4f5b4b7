import { netOf } from '../../gameround';
import { paidByRepairs } from '../../gameround/repairs/standing';
import { addPurses, emptyPurse } from '../../../protocol/money/purse';
import {
  type Act,
  createActEvent,
  type AccountBooks,
  type BlockAct,
  type BlockResult,
  type BlocksResult,
  type BooksQuery,
  type CashOrder,
  type CashPageResult,
  type CashQuery,
  type CashResult,
  type CorrectionOrder,
  type LimitAct,
  type LimitOrder,
  type LimitResult,
  type LimitsResult,
  type NewPlayer,
  type OpenPlayerResult,
  type PlayerKey,
  type Players,
  type ReadPlayerResult,
} from '../../wallet';
import type { Clock } from '../../../platform';
import {
  checkBooksQuery,
  checkCashQuery,
  checkCorrection,
  type CheckedOrder,
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
} from '../check-input';
import { type PastMoney, pastOf, type PastWindows } from '../../wallet/limits/past';
import { checkLimitOrder, checkBlock } from '../check-restrictions';
import { depositOf, maxPast, type PastRefusal } from '../lists/past-money';
import { actOfBlock, actOfOpening, actOfOrder } from '../codec/act';
import type { Accounts } from './accounts';
import type { Acts } from './acts';
import type { EventLog } from './event-log';
import { changeLimit, readLimits } from './limits';
import type { StoredRounds } from './stored-rounds';

/** What the players of a memory store are made of. */
interface MemoryPlayersParts {
  readonly accounts: Accounts;
  readonly stored: StoredRounds;
  readonly log: EventLog;
  readonly acts: Acts;
  readonly clock: Clock;
  readonly decimals: number;
  /** Whether a limit counts what moved in its window before it was set. */
  readonly limitsFromHistory: boolean;
}

/** The players of a memory store. */
export class MemoryPlayers implements Required<Players> {
  constructor(private readonly parts: MemoryPlayersParts) {}

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const { accounts, acts, clock, decimals } = this.parts;
    const [checked, at] = [checkNewPlayer(player, decimals), clock.now()];
    const { opened, account } = accounts.open(checked, at);
    if (opened) {
      acts.opened(checked, at);
      this.tell(checked, actOfOpening(checked), at);
    }
    return { kind: opened ? 'opened' : 'existed', account };
  }

  async deposit(order: CashOrder): Promise<CashResult> {
    return this.move(checkOrder(order, 'deposit', this.parts.decimals));
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    return this.move(checkOrder(order, 'withdrawal', this.parts.decimals));
  }

  async correct(order: CorrectionOrder): Promise<CashResult> {
    return this.move(checkCorrection(order, this.parts.decimals));
  }

  async cash(player: PlayerKey, query?: CashQuery): Promise<CashPageResult> {
    checkPlayerKey(player);
    const { before, limit } = checkCashQuery(query);
    return this.parts.accounts.cash(player, before, limit);
  }

  async *books(query?: BooksQuery): AsyncGenerator<AccountBooks> {
    const { operatorId, playerId } = checkBooksQuery(query);
    const { accounts, stored } = this.parts;
    const all = Array.from(accounts.books(), (books) => {
      const { currency } = books;
      const heads = stored.ofPlayer(books).map(({ head }) => head);
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
    const { accounts, clock } = this.parts;
    const at = clock.now();
    const order = checkBlock(player, blocked, act, at);
    const number = accounts.setBlocked(order, at);
    if (number === null) return { kind: 'noPlayer' };
    if (number > 0) this.restricted(order, actOfBlock(order), at, number);
    return { kind: 'done' };
  }

  async blocks(player: PlayerKey): Promise<BlocksResult> {
    checkPlayerKey(player);
    return this.parts.accounts.blocks(player);
  }

  async setLimit(player: PlayerKey, limit: LimitOrder, act?: LimitAct): Promise<LimitResult> {
    const { accounts, clock, decimals } = this.parts;
    const order = checkLimitOrder(player, limit, act, decimals);
    const at = clock.now();
    const known = accounts.limitsOf(order);
    if (known === undefined) return { kind: 'noPlayer' };
    const currencies = (accounts.list(order) ?? []).map(({ currency }) => currency);
    const outcome = changeLimit(known, currencies, order, at, (wanted) => this.past(order, wanted));
    if (outcome.kind !== 'done') return outcome;
    const { added } = outcome;
    if (added !== null) this.restricted(order, added.act, at, added.number);
    return { kind: 'done' };
  }

  async limits(player: PlayerKey): Promise<LimitsResult> {
    checkPlayerKey(player);
    const { accounts, clock } = this.parts;
    const known = accounts.limitsOf(player);
    if (known === undefined) return { kind: 'noPlayer' };
    return { kind: 'known', ...readLimits(known, clock.now()) };
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return this.parts.accounts.read(player, this.parts.clock.now());
  }

  /** What moved in the windows of a limit before it; null where limits do not count it (D13.6, P18). */
  private past(player: PlayerKey, { group, from }: PastWindows): PastMoney[] | PastRefusal | null {
    const { accounts, stored, limitsFromHistory } = this.parts;
    if (!limitsFromHistory) return null;
    const isIn = ({ at }: PastMoney): boolean => at >= from;
    if (group.kind === 'deposit') {
      const moved = accounts.movements(player).flatMap(depositOf).filter(isIn);
      return moved.length > maxPast ? 'historyTooLong' : moved;
    }
    const rounds = stored.ofPlayer(player).map((round) => pastOf(round).filter(isIn));
    const counted = rounds.filter(({ length }) => length > 0);
    return counted.length > maxPast ? 'historyTooLong' : counted.flat();
  }

  private move(order: CheckedOrder): CashResult {
    const { accounts, acts, clock } = this.parts;
    const at = clock.now();
    const result = accounts.moveCash(order, at);
    if (result.kind === 'done' && !result.replay) {
      acts.moved(order, at);
      this.tell(order, actOfOrder(order), at);
    }
    return result;
  }

  /** Lists a block or a limit, and writes its event. */
  private restricted(player: PlayerKey, act: Act, at: number, number: number): void {
    this.parts.acts.restricted(player, act, at, number);
    this.tell(player, act, at, number);
  }

  /** Writes the event of an act. */
  private tell(player: PlayerKey, act: Act, at: number, number = 0): void {
    const { accounts, log, decimals } = this.parts;
    if (!log.isOn) return;
    const written = { player, act, number, at, accounts: accounts.list(player) ?? [] };
    log.add(createActEvent(written, decimals));
  }
}
