import { formatAmount } from '../../../protocol/money/amount';
import { type Answer, decimals, described, unitsInOne } from '../talk';

/** The smallest stake that a run takes: half of it must be a whole unit. */
export const minStake = 2n;

/** An amount in units as the wire's number: 105000n is `10.5`. */
export function wireAmount(units: bigint): string {
  return formatAmount(units, decimals);
}

/** Why a run cannot begin with what a player has, and the ways to begin it. */
export function tooLittle(facts: {
  readonly playerId: string;
  readonly total: bigint;
  readonly currency: string;
  readonly minStakes: bigint;
  readonly stake: bigint;
}): string {
  const { playerId, total, currency, minStakes, stake } = facts;
  const least = minStakes * stake * unitsInOne;
  const [has, needs, lacks] = [total, least, least - total].map(wireAmount);
  const most = total / (minStakes * unitsInOne);
  const affordable = most - (most % minStake);
  const smaller = affordable >= minStake ? `, or use a smaller stake (--stake ${affordable})` : '';
  return `Player ${playerId} has ${has} in ${currency} and needs at least ${needs}, ${minStakes} stakes of ${stake}: deposit ${lacks} or more${smaller}.`;
}

/** Why a run cannot begin where getBalance of a player is refused, and not as a wrong secret is. */
export function noAccount(playerId: string, currency: string, answer?: Answer): string {
  const came = answer === undefined ? '' : ` (getBalance got ${described(answer)})`;
  return `The wallet has no balance of player ${playerId} in ${currency}${came}: open an account with money for this player, or name another.`;
}

/** Why a run cannot begin where getBalance is refused as it is with a wrong secret. */
export function wrongSecret(operatorId: string, answer: Answer): string {
  return `The wallet refuses a getBalance of operator ${operatorId} as it refuses one with a wrong secret (${described(answer)}): look whether --operator-id and the secret of --secret-env are those of this wallet, and its clock is right. If they are, it signs other fields than Operator API 4.2.`;
}

/** Whether two refusals say the same. */
export function looksAlike(one: Answer, other: Answer): boolean {
  return one.status === other.status && one.error?.id === other.error?.id;
}
