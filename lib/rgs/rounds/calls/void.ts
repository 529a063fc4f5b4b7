import type { EndOrVoid } from '../../../protocol/engine-api';
import { voidDue } from '../delivery';
import type { Round } from '../state';
import type { Context } from './context';
import { type Answered, change, type Changed, type Refused, refuse } from './decision';

/**
 * voidGameRound (E13): of the first debit the whole round, of an added one that debit alone. One that
 * was not taken, or is voided, needs none. A credit that is processed, pending or in doubt forbids it.
 * The round is voided from here on, whatever the wallet says of the void that is due (E13.3).
 */
export function voidGameRound(
  context: Context,
  round: Round,
  call: EndOrVoid<'voidGameRound'>,
): Changed | Answered | Refused {
  const key = call.externalGameProviderTransactionId;
  const debit = key === null ? round.debits[0] : round.debits.find((one) => one.key === key);
  if (debit === undefined) return refuse('INVALIDPARAMETER', 'E13.1');
  if (debit.state !== 'accepted') return { kind: 'answered', round };
  // A person may have given up a credit that the wallet has processed.
  if (round.credits.some(({ state }) => state === 'paid' || state === 'due' || state === 'held')) {
    return refuse('TRANSACTIONSARERETRYING', 'E13.2');
  }
  const { at } = context;
  return change(round, [{ type: 'voided', at, void: voidDue(debit.due, at) }]);
}
