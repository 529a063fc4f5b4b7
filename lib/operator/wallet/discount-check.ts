import type { Call, Debit } from '../../protocol/operator-api';
import type { RoundKey } from './round-key';

/**
 * Whether a debit's discount is eligible. Called once for each discounted debit, before it is decided.
 * Throwing means unknown: the call is answered by D7.
 */
export type DiscountCheck = (request: {
  readonly round: RoundKey;
  readonly call: Call;
  readonly debit: Debit;
}) => boolean | Promise<boolean>;

/**
 * Hashes of the call's debits with an eligible discount.
 * @throws what the check throws: the outcome is then unknown (D7).
 */
export async function eligibleDiscounts(
  round: RoundKey,
  call: Call,
  check: DiscountCheck,
): Promise<ReadonlySet<string>> {
  const eligible = new Set<string>();
  const ask = async (debit: Debit): Promise<void> => {
    if (await check({ round, call, debit })) eligible.add(debit.hash);
  };
  const debits = call.transactions.filter((item): item is Debit => item.type === 'debit');
  await Promise.all(debits.filter(({ discount }) => discount > 0n).map(ask));
  return eligible;
}
