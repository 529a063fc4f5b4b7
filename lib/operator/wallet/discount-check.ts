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
