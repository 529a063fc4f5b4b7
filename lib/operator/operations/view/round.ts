import type { Clock } from '../../../platform';
import type { OperationsStore } from '../configuration';
import type { RoundJson, RoundKey } from '../../wallet';
import { queryStore } from './query-store';
import { RequestFault } from './request-fault';

/** A whole round. @throws RequestFault 404, StoreUnavailableError. */
export async function viewRound(
  { store, clock }: { readonly store: OperationsStore; readonly clock: Clock },
  round: RoundKey,
): Promise<RoundJson> {
  const report = await queryStore(clock, store.readRound(round));
  if (report === null) {
    throw new RequestFault(
      404,
      'The store has no such round: it never arrived, or it was deleted after its retention.',
    );
  }
  return report.toJSON();
}
