import type { Clock } from '../../../../platform';
import { formatAmount } from '../../../../protocol/money/amount';
import {
  type Actor,
  type Limit,
  type LimitRecord,
  type LimitResult,
  type LimitTerms,
  maxLimits,
  type PlayerKey,
  type WalletStore,
} from '../../../wallet';
import { queryStore } from '../query-store';

/** A limit of a player that counts (D13), amounts as decimal texts. */
export interface LimitRow extends LimitTerms {
  readonly amount: string;
  /** What counts in the window that runs; of `loss` below zero if the player has won. */
  readonly used: string;
  readonly remaining: string;
  /** When the next window begins: ISO 8601, UTC. */
  readonly resetsAt: string;
  /** Only where it is so: `used` may be too much, and the same order, sent again, ends that (P18). */
  readonly isBound?: true;
}

/** A limit of a player was set or lifted. */
export interface LimitChangeRow extends LimitTerms {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Null where it was lifted. */
  readonly amount: string | null;
  /** Null where a program did it. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** The limits of a player, and who changed them, the newest first. */
export interface LimitsView {
  readonly limits: readonly LimitRow[];
  readonly changes: readonly LimitChangeRow[];
}

/** Why an order of a limit was refused, for a person. */
export const limitRefusals: Readonly<
  Record<Extract<LimitResult, { readonly kind: 'refused' }>['reason'], string>
> = {
  noCurrency: 'The player has no account in this currency.',
  otherTerms:
    "The player's other limits of this kind and currency have another zone, or count other balances. Leave both out, or lift the others first.",
  historyTooShort:
    "The store does not have all of the player's rounds since the limit's window began, so what counts is not known. Set a limit of a shorter window, or wait for the next one to begin.",
  historyTooLong:
    'The player has more rounds, or deposits, in the window than are read for a limit. Set a limit of a shorter window.',
  tooMany: `The player has ${maxLimits} limits, which is the most.`,
};

/**
 * The limits of a player; null if the store holds none, as over a platform's own ledger.
 * @throws StoreUnavailableError
 */
export async function viewLimits(
  { store, clock }: { readonly store: WalletStore; readonly clock: Clock },
  player: PlayerKey,
): Promise<LimitsView | null> {
  if (store.players?.limits === undefined) return null;
  const found = await queryStore(clock, store.players.limits(player));
  if (found.kind === 'noPlayer') return { limits: [], changes: [] };
  return limitsView(found, store.decimals);
}

/** What a store says of a player's limits, as JSON. */
export function limitsView(
  {
    limits,
    changes,
  }: { readonly limits: readonly Limit[]; readonly changes: readonly LimitRecord[] },
  decimals: number,
): LimitsView {
  return {
    limits: limits.map(({ amount, used, remaining, resetsAt, ...terms }) => ({
      ...terms,
      amount: formatAmount(amount, decimals),
      used: formatAmount(used, decimals),
      remaining: formatAmount(remaining, decimals),
      resetsAt: new Date(resetsAt).toISOString(),
    })),
    changes: changes.map(({ at, amount, ...change }) => ({
      at: new Date(at).toISOString(),
      ...change,
      amount: amount === null ? null : formatAmount(amount, decimals),
    })),
  };
}
