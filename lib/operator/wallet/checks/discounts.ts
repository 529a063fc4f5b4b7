import type { Call, Debit } from '../../../protocol/operator-api/transaction';
import type { Clock } from '../../../platform';
import { within } from '../../../platform/within';
import type { RoundKey } from '../round-key';

/**
 * Whether a debit's discount is eligible. Called once for each discounted debit, before it is decided.
 * Throwing means unknown, and so does anything but true or false: the call is answered by D7.
 */
export type DiscountCheck = (request: {
  readonly round: RoundKey;
  readonly call: Call;
  readonly debit: Debit;
}) => boolean | Promise<boolean>;

/**
 * Hashes of the call's debits with an eligible discount.
 * @throws what the check throws, or an Error at the deadline: the outcome is then unknown (D7).
 */
export async function eligibleDiscounts(
  round: RoundKey,
  call: Call,
  check: DiscountCheck,
  { clock, deadlineMs }: { readonly clock: Clock; readonly deadlineMs: number },
): Promise<ReadonlySet<string>> {
  const eligible = new Set<string>();
  const debits = call.transactions.filter((item): item is Debit => item.type === 'debit');
  const discounted = debits.filter(({ discount }) => discount > 0n);
  if (discounted.length === 0) return eligible;
  const addIfEligible = async (debit: Debit): Promise<void> => {
    const isEligible: unknown = await check({ round, call, debit });
    // An object or the text 'false' would count as true, and give money away.
    if (typeof isEligible !== 'boolean') {
      throw new TypeError('The discount check must answer true or false.');
    }
    if (isEligible) eligible.add(debit.hash);
  };
  await within(clock, deadlineMs, Promise.all(discounted.map(addIfEligible)), inTime);
  return eligible;
}

const inTime = {
  late: (): never => {
    throw new Error('The discount check did not answer in time.');
  },
};
