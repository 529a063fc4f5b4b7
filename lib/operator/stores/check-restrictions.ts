import { unitsOf } from '../../protocol/money/amount';
import {
  type BlockAct,
  type LimitAct,
  limitKinds,
  type LimitOrder,
  type LimitRequest,
  limitWindows,
  type PlayerKey,
} from '../wallet';
import {
  checkAct,
  checkAmount,
  type CheckedAct,
  checkCurrency,
  checkObject,
  checkPlayerKey,
  wrongForm,
} from './check-input';
import { windowsOf } from '../wallet/limits/windows';

/** A checked order to block a player, or to lift it. */
export interface CheckedBlock extends PlayerKey, CheckedAct {
  readonly blocked: boolean;
  /** When the block ends by itself, in milliseconds since 1970. */
  readonly until: number | null;
}

/**
 * Any other value than true and false could leave the player unblocked without an error.
 * @param now milliseconds since 1970: a block ends after it
 * @throws InvalidInputError or TypeError that names what is missing or wrong.
 */
export function checkBlock(
  player: PlayerKey,
  blocked: boolean,
  act: BlockAct = {},
  now = 0,
): CheckedBlock {
  checkPlayerKey(player);
  if (blocked === undefined) throw new TypeError('blocked is missing: true or false');
  if (typeof blocked !== 'boolean') throw new TypeError('blocked must be true or false');
  checkObject('the act', act);
  const { by = null, reason = null, until = null } = act;
  if (until !== null) checkUntil(blocked, until, now);
  const { operatorId, playerId } = player;
  return { operatorId, playerId, blocked, until, ...checkAct({ by, reason }, 1) };
}

/** The last time that dates have. */
const endOfTime = 8_640_000_000_000_000;

function checkUntil(blocked: boolean, until: number, now: number): void {
  if (!blocked) throw new TypeError('until is for a block, not for lifting one');
  if (!Number.isSafeInteger(until) || until > endOfTime) {
    throw new TypeError('until must be milliseconds since 1970, a whole number');
  }
  if (until <= now) throw new TypeError('until must lie ahead');
}

/** A checked order to set or lift a limit, and of whom. */
export interface CheckedLimit extends PlayerKey, CheckedAct, LimitRequest {}

/** @throws InvalidInputError or TypeError that names what is missing or wrong. */
export function checkLimitOrder(
  player: PlayerKey,
  order: LimitOrder,
  act: LimitAct = {},
  decimals: number,
): CheckedLimit {
  checkPlayerKey(player);
  checkObject('the limit', order);
  checkObject('the act', act);
  const { kind, currency, window, zone = null, counts = null, amount } = order;
  checkName('kind', kind, limitKinds);
  checkCurrency(currency);
  checkName('window', window, limitWindows);
  if (zone !== null) checkZone(zone);
  if (counts !== null) checkName('counts', counts, ['real', 'all']);
  if (amount === undefined) throw new TypeError('amount is missing: an amount, or null to lift it');
  const units = amount === null ? null : checkAmount('amount', amount, decimals, unitsOf);
  const { operatorId, playerId } = player;
  const { by = null, reason = null } = act;
  const terms = { kind, currency, window, zone, counts };
  return { operatorId, playerId, ...terms, amount: units, ...checkAct({ by, reason }, 1) };
}

function checkName(field: string, value: unknown, names: readonly string[]): void {
  if (value === undefined) throw new TypeError(`${field} is missing: ${names.join(', ')}`);
  if (names.some((name) => name === value)) return;
  throw wrongForm(field, value, `${field} must be one of ${names.join(', ')}`);
}

function checkZone(zone: unknown): void {
  if (typeof zone === 'string' && /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone)) {
    try {
      windowsOf(zone);
      return;
    } catch {
      // said below
    }
  }
  throw wrongForm('zone', zone, 'zone must be a time zone such as Europe/Malta');
}
