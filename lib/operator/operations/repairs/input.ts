import { isIdentifier, isCurrency } from '../../../protocol/identifiers';
import type { RepairOrder, FourEyes, RepairPolicy } from '../../gameround/repairs/order';
import { type Actor, InvalidInputError, type WalletStore } from '../../wallet';
import { checkActor, isPlainText, wrongForm } from '../../stores/check-input';
import { type Clock, type Random, systemClock, systemRandom } from '../../../platform';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import { type AmountInput, unitsOf } from '../../../protocol/money/amount';

/** Fewest and most characters of a reason. */
const reasonCharacters = { least: 10, most: 500 } as const;

const kinds: readonly unknown[] = ['pay', 'resolve', 'void'];

/** @throws InvalidInputError or TypeError that names what is missing or wrong in an order. */
export function checkOrder(order: RepairOrder): RepairOrder {
  if (typeof order !== 'object' || order === null) throw new TypeError('the repair is missing');
  const { kind, hash, reference, reason } = order;
  if (!kinds.includes(kind)) throw wrongForm('kind', kind, 'kind must be pay, resolve or void');
  checkReason('reason', reason);
  if (hash !== undefined && (kind === 'resolve' || !isIdentifier(hash))) {
    throw wrongForm('hash', hash, 'hash must be that of a transaction, and is not for resolve');
  }
  if ((kind === 'resolve') !== (reference !== undefined)) {
    const rule = 'reference is required for resolve and allowed for nothing else';
    throw new InvalidInputError('reference', rule);
  }
  if (reference !== undefined && !isIdentifier(reference)) {
    const rule = 'reference must be 1 to 128 characters, without # or control characters';
    throw wrongForm('reference', reference, rule);
  }
  const named = hash === undefined ? {} : { hash };
  return { kind, reason, ...named, ...(reference === undefined ? {} : { reference }) };
}

/** @throws InvalidInputError or TypeError for a reason that is too short, too long, or holds control characters. */
export function checkReason(name: string, reason: unknown): asserts reason is string {
  const { least, most } = reasonCharacters;
  if (isPlainText(reason, least, most)) return;
  const rule = `${name} must be ${least} to ${most} characters, without control characters`;
  throw wrongForm(name, reason, rule);
}

/** The person as recorded. @throws InvalidInputError or TypeError that names what is wrong. */
export function personOf(by: Actor): Actor {
  if (typeof by !== 'object' || by === null) throw new TypeError('by is missing: who does this');
  checkActor(by);
  return { id: by.id, name: by.name };
}

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
interface RepairSettings {
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
  if (store?.repairs === undefined) {
    throw new TypeError('store keeps no repairs: it has no part repairs');
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
