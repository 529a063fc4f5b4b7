import { unitsOf } from '../../protocol/money/amount';
import {
  type LimitAct,
  type LimitKind,
  limitKinds,
  type LimitOrder,
  type LimitWindow,
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
import { windowsOf } from './limits/windows';

/** A checked order to set or lift a limit; null where the order leaves it to the player's other limits. */
export interface CheckedLimit extends PlayerKey, CheckedAct {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly window: LimitWindow;
  readonly zone: string | null;
  readonly counts: 'real' | 'all' | null;
  /** In units; null to lift it. */
  readonly amount: bigint | null;
}

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
