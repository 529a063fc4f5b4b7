import type { Movement, MovementRefusal } from '../../gameround';
import {
  addPurses,
  isInRange,
  maxUnits,
  type Purse,
  splitDebit,
  subtractPurses,
} from '../../../protocol/money';
import type { Account, CashResult, PlayerKey } from '../../wallet';
import type { CheckedOrder, CheckedPlayer } from '../check-input';

/** A balance in one currency; `hasBonus` distinguishes an empty bonus balance from none. */
interface Balance extends Purse {
  readonly hasBonus: boolean;
}

interface StoredPlayer {
  readonly balances: Map<string, Balance>;
  readonly references: Map<string, string>;
  blocked: boolean;
}

/** A trial of movements against the accounts: either all can be made, or one is refused. */
export type Trial =
  | { readonly refused: MovementRefusal; readonly hash: string }
  | {
      readonly refused: null;
      readonly balances: ReadonlyMap<string, Balance>;
      /** What each `take` took, by hash. */
      readonly taken: ReadonlyMap<string, Purse>;
    };

/** The accounts of a memory store. */
export class Accounts {
  private readonly players = new Map<string, StoredPlayer>();

  /** Null if the player is unknown. */
  list(key: PlayerKey): Account[] | null {
    const player = this.players.get(nameOf(key));
    if (player === undefined) return null;
    return [...player.balances].map(([currency, balance]) => toAccount(currency, balance));
  }

  /** Opens the account unless there is one; says whether it did. */
  open({ currency, real, bonus, ...key }: CheckedPlayer): { opened: boolean; account: Account } {
    const name = nameOf(key);
    const player = this.players.get(name) ?? {
      balances: new Map<string, Balance>(),
      references: new Map<string, string>(),
      blocked: false,
    };
    this.players.set(name, player);
    const known = player.balances.get(currency);
    const balance = known ?? { real, bonus: bonus ?? 0n, hasBonus: bonus !== null };
    player.balances.set(currency, balance);
    return { opened: known === undefined, account: toAccount(currency, balance) };
  }

  setBlocked(key: PlayerKey, blocked: boolean): boolean {
    const player = this.players.get(nameOf(key));
    if (player !== undefined) player.blocked = blocked;
    return player !== undefined;
  }

  isBlocked(key: PlayerKey): boolean {
    return this.players.get(nameOf(key))?.blocked ?? false;
  }

  /** Moves cash once per reference; `sign` 1n adds, -1n takes. */
  moveCash(order: CheckedOrder, sign: 1n | -1n): CashResult {
    const player = this.players.get(nameOf(order));
    if (player === undefined) return { kind: 'refused', reason: 'noPlayer' };
    const { currency, reference, units } = order;
    const balance = player.balances.get(currency);
    if (balance === undefined) return { kind: 'refused', reason: 'noCurrency' };
    const content = [sign, units, currency, order.balance].join(' ');
    const known = player.references.get(reference);
    if (known === content) {
      return { kind: 'done', account: toAccount(currency, balance), replay: true };
    }
    if (known !== undefined) return { kind: 'refused', reason: 'referenceReused' };
    const after = balance[order.balance] + sign * units;
    if (sign < 0n && after < 0n) return { kind: 'refused', reason: 'tooLow' };
    if (after > maxUnits) return { kind: 'refused', reason: 'outOfRange' };
    const hasBonus = balance.hasBonus || order.balance === 'bonus';
    const moved: Balance = { ...balance, [order.balance]: after, hasBonus };
    player.balances.set(currency, moved);
    player.references.set(reference, content);
    return { kind: 'done', account: toAccount(currency, moved), replay: false };
  }

  /** The accounts after the movements; writes nothing. */
  attempt(key: PlayerKey, movements: readonly Movement[]): Trial {
    const player = this.players.get(nameOf(key));
    const balances = new Map<string, Balance>();
    const taken = new Map<string, Purse>();
    for (const movement of movements) {
      const { hash, currency } = movement;
      if (player === undefined) return { refused: 'noPlayer', hash };
      const balance = balances.get(currency) ?? player.balances.get(currency);
      if (balance === undefined) return { refused: 'noCurrency', hash };
      if (movement.kind === 'take' && player.blocked) return { refused: 'blocked', hash };
      const change = changeBy(movement, balance);
      if (change === null) return { refused: 'tooLow', hash };
      const after = addPurses(balance, change);
      if (!isInRange(after)) return { refused: 'outOfRange', hash };
      balances.set(currency, { ...after, hasBonus: balance.hasBonus || change.bonus !== 0n });
      if (movement.kind === 'take')
        taken.set(hash, subtractPurses({ real: 0n, bonus: 0n }, change));
    }
    return { refused: null, balances, taken };
  }

  /** Writes the result of a trial. */
  write(key: PlayerKey, balances: ReadonlyMap<string, Balance>): void {
    const player = this.players.get(nameOf(key));
    for (const [currency, balance] of balances) player?.balances.set(currency, balance);
  }
}

function changeBy(movement: Movement, balance: Purse): Purse | null {
  if (movement.kind !== 'take') return movement.purse;
  const paid = splitDebit(movement.amount, balance, movement.bonusFirst);
  return paid === null ? null : { real: -paid.real, bonus: -paid.bonus };
}

function toAccount(currency: string, { real, bonus, hasBonus }: Balance): Account {
  return { currency, real, bonus: hasBonus ? bonus : null };
}

function nameOf({ operatorId, playerId }: PlayerKey): string {
  return `${encodeURIComponent(operatorId)}/${encodeURIComponent(playerId)}`;
}
