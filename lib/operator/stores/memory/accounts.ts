import type { Movement, MovementRefusal } from '../../gameround';
import type { TakenBack } from '../../gameround/change';
import {
  addPurses,
  emptyPurse,
  isInRange,
  type Purse,
  splitDebit,
  subtractPurses,
} from '../../../protocol/money/purse';
import { maxUnits } from '../../../protocol/money/amount';
import {
  type Account,
  type AccountBooks,
  type BlocksResult,
  type CashMovement,
  type CashPageResult,
  type CashResult,
  openingReference,
  type PlayerKey,
  type ReadPlayerResult,
  OtherMoneyError,
} from '../../wallet';
import { type CheckedOrder, type CheckedPlayer, maxBlocks, wrongCursor } from '../check-input';
import { type CheckedBlock } from '../check-restrictions';
import {
  beginCount,
  countDeposit,
  countMovement,
  type LimitGroup,
  zonesOf,
} from '../../wallet/limits/groups';
import { limitMoment } from '../../wallet/limits/moment';
import { changeBlock, isBlocked, type Restrictions } from './limits';
import { playerName } from './stored-rounds';

/** A balance in one currency; `hasBonus` distinguishes an empty bonus balance from none. */
interface Balance extends Purse {
  readonly hasBonus: boolean;
}

interface StoredPlayer extends Restrictions {
  readonly key: PlayerKey;
  readonly balances: Map<string, Balance>;
  /** In the order in which cash moved. */
  readonly cash: CashMovement[];
  /** The same by reference. */
  readonly references: Map<string, CashMovement>;
  /** By currency: what rounds that were forgotten gave, less what they took. */
  readonly carried: Map<string, Purse>;
}

/** A trial of movements against the accounts: either all can be made, or one is refused. */
type Trial =
  | { readonly refused: MovementRefusal; readonly hash: string }
  | (Moved & {
      readonly refused: null;
      /** What each `take` took, by hash. */
      readonly taken: ReadonlyMap<string, Purse>;
    });

/** What movements come to. */
interface Moved {
  readonly balances: ReadonlyMap<string, Balance>;
  readonly limits: readonly LimitGroup[];
}

/** The accounts of a memory store. */
export class Accounts {
  private readonly players = new Map<string, StoredPlayer>();
  private isLeft = false;

  /** The money is in a ledger: there may be no account here. */
  leaveToLedger(): void {
    this.isLeft = true;
  }

  /** @throws OtherMoneyError if there are accounts, and the money is in a ledger */
  checkPlace(): void {
    if (!this.isLeft || this.players.size === 0) return;
    throw new OtherMoneyError('memory store', '', 'ledger', 'accounts');
  }

  /** Null if the player is unknown. */
  list(key: PlayerKey): Account[] | null {
    const player = this.players.get(playerName(key));
    if (player === undefined) return null;
    return [...player.balances].map(([currency, balance]) => toAccount(currency, balance));
  }

  /** Opens the account unless there is one; says whether it did. */
  open(
    { currency, real, bonus, by, reason, ...key }: CheckedPlayer,
    at: number,
  ): { opened: boolean; account: Account } {
    const name = playerName(key);
    const player: StoredPlayer = this.players.get(name) ?? {
      key,
      balances: new Map(),
      cash: [],
      references: new Map(),
      carried: new Map(),
      blocked: false,
      blockedUntil: null,
      blocks: [],
      limits: [],
      limitChanges: [],
    };
    this.players.set(name, player);
    const known = player.balances.get(currency);
    const balance = known ?? { real, bonus: bonus ?? 0n, hasBonus: bonus !== null };
    player.balances.set(currency, balance);
    if (known === undefined) {
      const opening = { kind: 'opening', currency, at, by, reason } as const;
      for (const [which, units] of [['real', real] as const, ['bonus', bonus] as const]) {
        if (units === null) continue;
        const reference = openingReference(currency, which);
        note(player, { reference, ...opening, balance: which, units });
      }
    }
    return { opened: known === undefined, account: toAccount(currency, balance) };
  }

  /** The number of the record of the block, 0 if it repeats the latest one; null if the player is unknown. */
  setBlocked(order: CheckedBlock, at: number): number | null {
    const player = this.players.get(playerName(order));
    return player === undefined ? null : changeBlock(player, order, at);
  }

  /** The limits of a player, to read and to change; undefined if the player is unknown. */
  limitsOf(key: PlayerKey): Restrictions | undefined {
    return this.players.get(playerName(key));
  }

  /** All movements of cash, the oldest first. */
  movements(key: PlayerKey): readonly CashMovement[] {
    return this.players.get(playerName(key))?.cash ?? [];
  }

  /** The latest blocks, the newest first. */
  blocks(key: PlayerKey): BlocksResult {
    const player = this.players.get(playerName(key));
    if (player === undefined) return { kind: 'noPlayer' };
    return { kind: 'known', blocks: player.blocks.slice(-maxBlocks).toReversed() };
  }

  /** The accounts, and whether debits are refused as of a time. */
  read(key: PlayerKey, now: number): ReadPlayerResult {
    const [accounts, player] = [this.list(key), this.players.get(playerName(key))];
    if (accounts === null || player === undefined) return { kind: 'noPlayer' };
    const blocked = isBlocked(player, now);
    return { kind: 'known', blocked, blockedUntil: blocked ? player.blockedUntil : null, accounts };
  }

  /** Moves cash once per reference. */
  moveCash(order: CheckedOrder, at: number): CashResult {
    const player = this.players.get(playerName(order));
    if (player === undefined) return { kind: 'refused', reason: 'noPlayer' };
    const { kind, currency, reference, units, by, reason } = order;
    const balance = player.balances.get(currency);
    if (balance === undefined) return { kind: 'refused', reason: 'noCurrency' };
    const known = player.references.get(reference);
    if (known !== undefined) {
      if (!isSame(known, order)) return { kind: 'refused', reason: 'referenceReused' };
      return { kind: 'done', account: toAccount(currency, balance), replay: true };
    }
    const deposit = { currency, purse: { ...emptyPurse, [order.balance]: units } };
    const limits =
      kind === 'deposit'
        ? countDeposit(player.limits, deposit, limitMoment(zonesOf(player.limits), at))
        : player.limits;
    if (limits === null) return { kind: 'refused', reason: 'limitReached' };
    const after = balance[order.balance] + units;
    if (units < 0n && after < 0n) return { kind: 'refused', reason: 'tooLow' };
    if (after > maxUnits) return { kind: 'refused', reason: 'outOfRange' };
    const hasBonus = balance.hasBonus || order.balance === 'bonus';
    const moved: Balance = { ...balance, [order.balance]: after, hasBonus };
    player.balances.set(currency, moved);
    player.limits = limits;
    note(player, { reference, kind, currency, balance: order.balance, units, at, by, reason });
    return { kind: 'done', account: toAccount(currency, moved), replay: false };
  }

  /** A page of the player's cash, newest first; a cursor is the number of older movements. */
  cash(key: PlayerKey, before: string | null, limit: number): CashPageResult {
    const player = this.players.get(playerName(key));
    if (player === undefined) return { kind: 'noPlayer' };
    const end = before === null ? player.cash.length : Number(before);
    if (before !== null && (!/^\d{1,15}$/.test(before) || end > player.cash.length)) {
      throw wrongCursor();
    }
    const start = Math.max(0, end - limit);
    const movements = player.cash.slice(start, end).toReversed();
    return { kind: 'known', movements, next: start === 0 ? null : String(start) };
  }

  /** Keeps what a round that is forgotten moved, if the player has an account for it. */
  carry(key: PlayerKey, currency: string, net: Purse): void {
    const player = this.players.get(playerName(key));
    if (player === undefined || !player.balances.has(currency)) return;
    player.carried.set(currency, addPurses(player.carried.get(currency) ?? emptyPurse, net));
  }

  /** The books of the accounts, without their rounds. */
  *books(): Generator<Omit<AccountBooks, 'rounds'>> {
    for (const { key, balances, cash, carried } of this.players.values()) {
      for (const [currency, { real, bonus }] of balances) {
        const own = cash.filter((movement) => movement.currency === currency);
        yield {
          ...key,
          currency,
          balance: { real, bonus },
          cash: own.reduce(addMovement, emptyPurse),
          carried: carried.get(currency) ?? emptyPurse,
          hasOpening: own.some(({ kind }) => kind === 'opening'),
          isAtRest: true,
        };
      }
    }
  }

  /**
   * The accounts after the movements; writes nothing.
   * @param takenBack none of it is of a whole round
   */
  attempt(
    key: PlayerKey,
    movements: readonly Movement[],
    now: number,
    takenBack: readonly TakenBack[] = [],
  ): Trial {
    const player = this.players.get(playerName(key));
    const groups = player?.limits ?? [];
    let limits: readonly LimitGroup[] =
      groups.length === 0
        ? groups
        : beginCount(groups, limitMoment(zonesOf(groups), now, takenBack));
    const balances = new Map<string, Balance>();
    const taken = new Map<string, Purse>();
    for (const movement of movements) {
      const { hash, currency } = movement;
      if (player === undefined) return { refused: 'noPlayer', hash };
      const balance = balances.get(currency) ?? player.balances.get(currency);
      if (balance === undefined) return { refused: 'noCurrency', hash };
      if (movement.kind === 'take' && isBlocked(player, now)) return { refused: 'blocked', hash };
      const change = changeBy(movement, balance);
      if (change === null) return { refused: 'tooLow', hash };
      const isTake = movement.kind === 'take';
      const purse = isTake ? subtractPurses(emptyPurse, change) : change;
      const counted = countMovement(limits, { kind: movement.kind, currency, purse });
      if (counted === null) return { refused: 'limitReached', hash };
      limits = counted;
      const after = addPurses(balance, change);
      if (!isInRange(after)) return { refused: 'outOfRange', hash };
      balances.set(currency, { ...after, hasBonus: balance.hasBonus || change.bonus !== 0n });
      if (isTake) taken.set(hash, purse);
    }
    return { refused: null, balances, taken, limits };
  }

  /** Writes the result of a trial. */
  write(key: PlayerKey, { balances, limits }: Moved): void {
    const player = this.players.get(playerName(key));
    if (player !== undefined) player.limits = limits;
    for (const [currency, balance] of balances) player?.balances.set(currency, balance);
  }
}

function note(player: StoredPlayer, movement: CashMovement): void {
  player.cash.push(movement);
  player.references.set(movement.reference, movement);
}

function addMovement(sum: Purse, { balance, units }: CashMovement): Purse {
  return { ...sum, [balance]: sum[balance] + units };
}

function isSame(known: CashMovement, { kind, units, currency, balance }: CheckedOrder): boolean {
  return (
    known.kind === kind &&
    known.units === units &&
    known.currency === currency &&
    known.balance === balance
  );
}

function changeBy(movement: Movement, balance: Purse): Purse | null {
  if (movement.kind !== 'take') return movement.purse;
  const paid = splitDebit(movement.amount, balance, movement.bonusFirst);
  return paid === null ? null : { real: -paid.real, bonus: -paid.bonus };
}

function toAccount(currency: string, { real, bonus, hasBonus }: Balance): Account {
  return { currency, real, bonus: hasBonus ? bonus : null };
}
