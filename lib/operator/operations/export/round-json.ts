import type { RoundSummary } from '../../wallet';
import { givenJson, purseJson } from '../../wallet/round-report';
import { timeText } from '../../../platform/time/iso';

/** A round of a player's list as JSON: amounts are decimal texts, times ISO 8601. */
export function roundJson(round: RoundSummary, decimals: number) {
  const { operatorId, playerId, gameRound, state, gameCode, currency } = round;
  const names = { operatorId, playerId, gameRound };
  const times = {
    stateSince: timeText(round.stateSince),
    openedAt: timeText(round.openedAt),
    lastAt: timeText(round.lastAt),
  };
  return { ...names, state, gameCode, currency, ...sumsOf(round, decimals), ...times };
}

/** What the round took and gave, as decimal texts. */
export function sumsOf(
  { debits, credits, otherCredits: others = [] }: RoundSummary,
  decimals: number,
) {
  return { debits: purseJson(debits, decimals), ...givenJson({ credits, others }, decimals) };
}
