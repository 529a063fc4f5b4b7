import type { Clock } from '../../../../platform';
import type { WalletStore } from '../../../wallet';
import { freshly, queryStore } from '../query-store';

/**
 * When a person last approved a repair, as far as the newest acts of repairs say, read once in five seconds: ISO 8601, UTC; null if
 * that is not known.
 * @throws StoreUnavailableError
 */
export async function viewLastRepair({
  store: { acts },
  clock,
  operators,
}: {
  readonly store: Pick<WalletStore, 'acts'>;
  readonly clock: Clock;
  readonly operators: readonly string[];
}): Promise<string | null> {
  if (acts === undefined) return null;
  const newest = (operatorId: string) =>
    queryStore(clock, acts.list(operatorId, { kind: 'repair' }));
  const asked = `last repair ${JSON.stringify(operators)}`;
  const pages = await freshly(acts, asked, clock, () => Promise.all(operators.map(newest)));
  const made = pages
    .flatMap((page) => page.acts)
    .flatMap((act) => (act.type === 'repair' && act.step === 'approved' ? [act.at] : []));
  return made.length === 0 ? null : new Date(Math.max(...made)).toISOString();
}
