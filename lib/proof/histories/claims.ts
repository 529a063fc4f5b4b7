import type { CallOutcome } from '../../operator/wallet';
import type { Call } from '../../protocol/operator-api';
import type { Written } from './commit-recorder';
import type { CallOrder } from './orders';

/** A call that was sent; `outcome` is null if it did not arrive. */
export interface DoneCall {
  readonly order: CallOrder;
  readonly call: Call;
  readonly outcome: CallOutcome | null;
  /** The changes of the round that it committed, in their order. */
  readonly commits: readonly Written[];
}

/** A transaction that concurrent calls were answered for, and the one call that counts as its own. */
export interface Claim {
  owner: DoneCall | null;
  readonly calls: Set<DoneCall>;
}

/** Which call did what was answered as processed: the one that was answered first, if that is known. */
export function claimsOf(calls: readonly DoneCall[]): ReadonlyMap<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const call of calls) {
    const { player, round, transactions } = call.order;
    for (const [at, verdict] of (call.outcome?.verdicts ?? []).entries()) {
      const prefix = transactions[at]?.type === 'void' ? 'void ' : '';
      const name = `${player} ${round} ${prefix}${verdict.hash}`;
      const claim = claims.get(name) ?? { owner: null, calls: new Set() };
      claims.set(name, claim);
      claim.calls.add(call);
      if (verdict.outcome !== 'processed') continue;
      if (!verdict.replay || claim.owner === null) claim.owner = call;
    }
  }
  return claims;
}
