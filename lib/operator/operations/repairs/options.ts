import { type Clock, type Random, systemClock, systemRandom } from '../../../platform';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import { isCurrency } from '../../../protocol/identifiers';
import { type AmountInput, unitsOf } from '../../../protocol/money';
import type { FourEyes, RepairPolicy } from '../../gameround/repairs';
import type { WalletStore } from '../../wallet';

/**
 * When another person than the proposer must approve a repair: `always`, or above an amount of a currency.
 * A currency that is not named always needs another person.
 */
export type FourEyesOption = 'always' | { readonly above: Readonly<Record<string, AmountInput>> };

/** Options of {@link proposeRepair}, {@link approveRepair} and {@link rejectRepair}. */
export interface RepairOptions {
  readonly store: WalletStore;
  /** `always` unless set: `{ above: { EUR: '50.00' } }` lets one person pay up to 50.00 EUR. */
  readonly fourEyes?: FourEyesOption;
  /** Where a paid credit goes: the router's option of that name; `real` unless set. */
  readonly creditTo?: 'real' | 'stakeShares';
  /** Time limit in milliseconds; 10,000 unless set. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
  /** Source of the proposals' ids; the machine's own unless set. */
  readonly random?: Random;
}

/** The options with defaults filled in. */
export interface RepairSettings {
  readonly store: WalletStore;
  readonly policy: RepairPolicy;
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

const optionNames: OptionNames<RepairOptions> = {
  store: true,
  fourEyes: true,
  creditTo: true,
  deadlineMs: true,
  clock: true,
  random: true,
};

/** @throws TypeError that names the wrong option, or that the store keeps no repairs. */
export function checkRepairOptions(options: RepairOptions): RepairSettings {
  checkOptionNames('repairs', options, optionNames);
  const { store, fourEyes = 'always', creditTo = 'real', deadlineMs = 10_000 } = options;
  const { clock = systemClock, random = systemRandom } = options;
  if (store?.keepsRepairs !== true) {
    throw new TypeError('store keeps no repairs: its keepsRepairs is not true');
  }
  if (creditTo !== 'real' && creditTo !== 'stakeShares') {
    throw new TypeError("creditTo must be 'real' or 'stakeShares'");
  }
  if (!Number.isSafeInteger(deadlineMs) || deadlineMs < 1) {
    throw new TypeError('deadlineMs must be a whole number of at least 1');
  }
  const policy = { creditTo, fourEyes: checkFourEyes(fourEyes, store.decimals) };
  return { store, policy, deadlineMs, clock, random };
}

/** @throws TypeError that names what is wrong in the option `fourEyes`. */
export function checkFourEyes(fourEyes: FourEyesOption, decimals: number): FourEyes {
  if (fourEyes === 'always') return fourEyes;
  const above: unknown = fourEyes?.above;
  if (typeof above !== 'object' || above === null) {
    throw new TypeError("fourEyes must be 'always' or { above: { EUR: '50.00' } }");
  }
  const limits = Object.entries(above as Record<string, AmountInput>).map(
    ([currency, amount]): [string, bigint] => {
      if (!isCurrency(currency)) {
        throw new TypeError('fourEyes.above must name currencies by three upper-case letters');
      }
      return [currency, unitsOf(amount, decimals)];
    },
  );
  return { above: new Map(limits) };
}
