import type { GameSettings } from '../../protocol/engine-api';
import {
  decimalOf,
  type ExactDecimal,
  formatAmount,
  shortestForm,
  timesDecimal,
  wholeOf,
} from '../../protocol/money';
import type { OfferedStakes } from '../rounds';
import { amountNames } from './names';

/** The settings with their amounts in the player's currency: base units times the multiplier, once (E21.1). */
export function multiplied(settings: GameSettings, multiplier: string): GameSettings {
  const factor = decimalOf(multiplier) ?? { digits: 1n, scale: 0 };
  const amounts = amountNames.flatMap((name): [string, number][] => {
    const amount = exactOf(settings[name]);
    if (amount === null) return [];
    const { digits, scale } = timesDecimal(amount, factor);
    return [[name, Number(formatAmount(digits, scale))]];
  });
  return { ...settings, ...Object.fromEntries(amounts) };
}

/**
 * The stakes that a debit may have (E7.3): the provider's ladder, null if it is unknown, and the limits of
 * the settings, which are multiplied already. A limit between two units allows the units within it.
 */
export function offeredStakes(
  settings: GameSettings,
  ladder: readonly bigint[] | null,
): OfferedStakes {
  const [min, max] = [exactOf(settings['minStake']), exactOf(settings['maxStake'])];
  return {
    ladder,
    min: min === null ? null : wholeOf(min, 'up'),
    max: max === null ? null : wholeOf(max, 'down'),
  };
}

/** The most that a round may owe, in whole units; null if the settings, multiplied already, have none (E21.1). */
export function maxExposureOf(settings: GameSettings): bigint | null {
  const most = exactOf(settings['maxExposure']);
  return most === null ? null : wholeOf(most, 'down');
}

/** The decimal that a number is written as; so 0.1 times 3 is 0.3. Null if it is no amount. */
function exactOf(value: unknown): ExactDecimal | null {
  return typeof value === 'number' ? decimalOf(shortestForm(String(value))) : null;
}
