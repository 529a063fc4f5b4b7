import { defaultDecimals, maxDecimals } from '../../protocol/money';
import type { OptionNames } from '../../platform/validation/known-options';

/** Options that every store of the kit has. */
export interface StoreOptions {
  /** Decimals kept, 0 to 8; 4 unless set. Cannot change once the store has money (D2.5). */
  readonly decimals?: number;
  /**
   * How long closed and voided rounds are kept with their hashes, in milliseconds; 30 days unless
   * set. It must be longer than the RGS's maximum gameround age (D10).
   */
  readonly retentionMs?: number;
}

/** The names of {@link StoreOptions}. */
export const storeOptionNames: OptionNames<StoreOptions> = { decimals: true, retentionMs: true };

/** 30 days (D10). */
export const defaultRetentionMs = 30 * 24 * 3600 * 1000;

/**
 * The options with defaults filled in.
 * @throws TypeError for an invalid value.
 */
export function checkStoreOptions(options: StoreOptions): Required<StoreOptions> {
  const { decimals = defaultDecimals, retentionMs = defaultRetentionMs } = options;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals) {
    throw new TypeError(`decimals must be a whole number from 0 to ${maxDecimals}`);
  }
  if (!Number.isSafeInteger(retentionMs) || retentionMs < 1) {
    throw new TypeError('retentionMs must be a whole number of milliseconds above 0');
  }
  return { decimals, retentionMs };
}
