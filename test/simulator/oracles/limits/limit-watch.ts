import type {
  AccountStore,
  CashResult,
  LimitOrder,
  LimitResult,
  PlayerKey,
  RoundKey,
} from '../../../../lib/operator/wallet';
import { operatorId } from '../../plan/names';
import type { World } from '../../world/scheduler';
import type { Purses } from '../purses';
import { LimitBook } from './limit-book';
import { changeOf, moneyOf, type RoundMoney } from './round-money';

/** Clocks of processes are at most so far ahead: one of them may take a block for over so much earlier (D13.2). */
const aheadMs = 2500;

/** A round as it was seen last. */
interface Seen {
  readonly version: number;
  readonly money: RoundMoney;
}

/** Looks at the store behind all faults, right after each thing that it has done, and holds the blocks and limits (D13). */
export class LimitWatch {
  private readonly books = new Map<string, LimitBook>();
  private readonly rounds = new Map<string, Seen>();

  constructor(
    private readonly world: World,
    /** Without faults. */
    private readonly store: AccountStore,
    /** Those who may have limits, or a block that ends. */
    private readonly players: readonly Purses[],
    hasOneClock: boolean,
  ) {
    for (const { playerId } of players) {
      this.books.set(playerId, new LimitBook(world, playerId, hasOneClock));
    }
  }

  /** A round may have been committed. */
  async round(key: RoundKey): Promise<void> {
    const [purses, book] = this.partsOf(key);
    if (purses === null || book === null) return;
    const name = `${key.playerId} ${key.gameRound}`;
    const known = this.rounds.get(name);
    const loaded = await this.store.rounds.load(key, []);
    const version = loaded.kind === 'loaded' ? loaded.snapshot.head.version : 0;
    if (version === known?.version) return this.compare(purses, book, false);
    // Reading a round that is not there costs much.
    const report = version === 0 ? null : await this.store.rounds.readRound(key);
    if (report === null) {
      this.rounds.delete(name);
      return this.compare(purses, book, false);
    }
    // A round that was forgotten begins again (D10).
    const isAgain = known === undefined || version < known.version;
    const seen = { version, money: moneyOf(report) };
    this.rounds.set(name, seen);
    const { back, moved } = changeOf(isAgain ? new Map() : known.money, seen.money);
    book.move(back, moved);
    if (moved.some(({ type }) => type === 'take')) this.holdBlock(name, purses);
    await this.compare(purses, book, false);
  }

  /** The store has answered a deposit. */
  async deposit(
    key: PlayerKey,
    order: { readonly currency: string; readonly units: bigint },
    result: CashResult,
  ): Promise<void> {
    const [purses, book] = this.partsOf(key);
    if (purses === null || book === null) return;
    const isRefused = result.kind === 'refused' && result.reason === 'limitReached';
    if (isRefused) this.world.count('limits: a deposit refused');
    if (isRefused || (result.kind === 'done' && !result.replay)) {
      book.deposit(order.currency, order.units, isRefused);
    }
    await this.compare(purses, book, false);
  }

  /** The store has answered an order of a limit; what it set or lifted, null if that was nothing. */
  async limit(
    key: PlayerKey,
    { amount, ...order }: Omit<LimitOrder, 'amount'> & { readonly amount: bigint | null },
    result: LimitResult,
  ): Promise<ReturnType<LimitBook['set']>> {
    const [purses, book] = this.partsOf(key);
    if (purses === null || book === null) return null;
    const currencies = purses.list.map(({ currency }) => currency);
    const set = book.set({ ...order, amount }, currencies, result);
    this.world.count(`limits: ${result.kind === 'refused' ? result.reason : 'an order'}`);
    await this.compare(purses, book, false);
    return set;
  }

  /** At the end: every limit, and when its window ends. */
  async finish(): Promise<void> {
    for (const purses of this.players) {
      const [, book] = this.partsOf({ operatorId, playerId: purses.playerId });
      if (book !== null) await this.compare(purses, book, true);
    }
  }

  private async compare(purses: Purses, book: LimitBook, whole: boolean): Promise<void> {
    const key = { operatorId, playerId: purses.playerId };
    const result = await this.store.players.limits?.(key);
    if (result?.kind === 'known') book.compare(result.limits, whole);
    for (const purse of purses.list) purse.seeRoom(book.roomIn(purse.currency));
    const read = await this.store.players.readPlayer(key);
    const { isBlocked = false, blockedUntil = null } = purses.list[0]?.blockNow ?? {};
    if (read.kind !== 'known') return;
    if (read.blocked !== isBlocked || (read.blockedUntil ?? null) !== blockedUntil) {
      const told = `${read.blocked} until ${read.blockedUntil}`;
      this.world.fail(
        'D13',
        `${key.playerId} is blocked: ${told}, not ${isBlocked} until ${blockedUntil}`,
      );
    }
  }

  private holdBlock(name: string, { list: [main] }: Purses): void {
    if (main === undefined || !main.isBlockedFor(aheadMs)) return;
    this.world.fail('D13', `${name}: a debit is accepted of a player who is blocked`);
  }

  private partsOf(key: PlayerKey): [Purses | null, LimitBook | null] {
    if (key.operatorId !== operatorId) return [null, null];
    const purses = this.players.find(({ playerId }) => playerId === key.playerId) ?? null;
    return [purses, this.books.get(key.playerId) ?? null];
  }
}
