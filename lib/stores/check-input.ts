import { unitsOf } from '../money';
import { isCurrency, isIdentifier } from '../protocol';
import type { CashOrder, NewPlayer, PlayerKey } from '../wallet';

/** A cash order, checked: the amount in units, the balance named. */
export interface CheckedOrder extends PlayerKey {
  readonly currency: string;
  readonly units: bigint;
  readonly reference: string;
  readonly balance: 'real' | 'bonus';
}

/** A new player, checked: the balances in units. */
export interface CheckedPlayer extends PlayerKey {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** @throws TypeError naming what is wrong with the order. */
export function checkOrder(order: CashOrder, decimals: number): CheckedOrder {
  const { operatorId, playerId, currency, reference, balance = 'real' } = order;
  checkIdentifiers({ operatorId, playerId, reference });
  checkCurrency(currency);
  if (balance !== 'real' && balance !== 'bonus') {
    throw new TypeError("balance must be 'real' or 'bonus'");
  }
  const units = unitsOf(order.amount, decimals);
  if (units === 0n) throw new TypeError('an amount of 0 moves nothing');
  return { operatorId, playerId, currency, units, reference, balance };
}

/** @throws TypeError naming what is wrong with the player. */
export function checkNewPlayer(player: NewPlayer, decimals: number): CheckedPlayer {
  const { operatorId, playerId, currency, balances } = player;
  checkIdentifiers({ operatorId, playerId });
  checkCurrency(currency);
  const real = unitsOf(balances.real, decimals);
  const bonus = balances.bonus === undefined ? null : unitsOf(balances.bonus, decimals);
  return { operatorId, playerId, currency, real, bonus };
}

/** @throws TypeError naming the identifier that is none (D2.6). */
export function checkIdentifiers(identifiers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(identifiers)) {
    if (!isIdentifier(value)) {
      throw new TypeError(`${name} must be 1 to 128 characters, without # and control characters`);
    }
  }
}

function checkCurrency(currency: string): void {
  if (!isCurrency(currency)) throw new TypeError('currency must be three upper-case letters');
}
