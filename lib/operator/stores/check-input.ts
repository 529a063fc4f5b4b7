import { unitsOf } from '../../protocol/money';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import type { CashOrder, NewPlayer, PlayerKey, RoundKey } from '../wallet';

/** A checked cash order: the amount in units, the balance named. */
export interface CheckedOrder extends PlayerKey {
  readonly currency: string;
  readonly units: bigint;
  readonly reference: string;
  readonly balance: 'real' | 'bonus';
}

/** A checked new player: the balances in units. */
export interface CheckedPlayer extends PlayerKey {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** @throws TypeError that names what is missing or wrong in the order. */
export function checkOrder(order: CashOrder, decimals: number): CheckedOrder {
  checkObject('the order', order);
  const { operatorId, playerId, currency, reference, balance = 'real' } = order;
  checkIdentifiers({ operatorId, playerId, reference });
  checkCurrency(currency);
  if (balance !== 'real' && balance !== 'bonus') {
    throw new TypeError("balance must be 'real' or 'bonus'");
  }
  if (order.amount === undefined) throw new TypeError('amount is missing');
  const units = unitsOf(order.amount, decimals);
  if (units === 0n) throw new TypeError('an amount of 0 moves nothing');
  return { operatorId, playerId, currency, units, reference, balance };
}

/** @throws TypeError that names what is missing or wrong in the player. */
export function checkNewPlayer(player: NewPlayer, decimals: number): CheckedPlayer {
  checkObject('the player', player);
  const { operatorId, playerId, currency, balances } = player;
  checkIdentifiers({ operatorId, playerId });
  checkCurrency(currency);
  checkObject('balances', balances);
  if (balances.real === undefined) throw new TypeError('balances.real is missing');
  const real = unitsOf(balances.real, decimals);
  const bonus = balances.bonus === undefined ? null : unitsOf(balances.bonus, decimals);
  return { operatorId, playerId, currency, real, bonus };
}

/** @throws TypeError that names what is missing or wrong in the player's key. */
export function checkPlayerKey(player: PlayerKey): void {
  checkObject('the player', player);
  checkIdentifiers({ operatorId: player.operatorId, playerId: player.playerId });
}

/** @throws TypeError that names what is missing or wrong in the round's key. */
export function checkRoundKey(round: RoundKey): void {
  checkObject('the round', round);
  const { operatorId, playerId, gameRound } = round;
  checkIdentifiers({ operatorId, playerId, gameRound });
}

/** Any other value that counts as true or false could silently block nobody. @throws TypeError */
export function checkBlocked(blocked: boolean): void {
  if (blocked === undefined) throw new TypeError('blocked is missing: true or false');
  if (typeof blocked !== 'boolean') throw new TypeError('blocked must be true or false');
}

/** @throws TypeError that names the missing or invalid identifier (D2.6). */
export function checkIdentifiers(identifiers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(identifiers)) {
    if (isIdentifier(value)) continue;
    if (value === undefined) throw new TypeError(`${name} is missing`);
    throw new TypeError(`${name} must be 1 to 128 characters, without # or control characters`);
  }
}

function checkObject(name: string, value: unknown): void {
  if (value === undefined || value === null) throw new TypeError(`${name} is missing`);
  if (typeof value !== 'object') throw new TypeError(`${name} must be an object`);
}

function checkCurrency(currency: string): void {
  if (currency === undefined) throw new TypeError('currency is missing');
  if (!isCurrency(currency)) throw new TypeError('currency must be three upper-case letters');
}
