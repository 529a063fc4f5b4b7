import { owed, type Round } from '../state';
import type { Context } from './context';

/** The rule behind each finding of the engine's calls: legal, and yet almost surely a mistake (E1.5). */
export const callFindingRules = Object.freeze({
  noRoundId: 'E7.7',
  stakeNotOffered: 'E7.3',
  multiplierTwice: 'E21.2',
  ignoredOnAddedDebit: 'E8.3',
  noKey: 'E15.1',
  rngCallIdTwice: 'E15.1',
  partialWager: 'E10.3',
  twoOutcomes: 'E10.3',
  gambleNotEnabled: 'E10.4',
  recordedAmountNotAdded: 'E7.5',
  spinsLeft: 'E11.4',
  maxExposure: 'E21.1',
});

/** What a provider did that is almost surely a mistake, by a name of its own. */
export type CallFinding = keyof typeof callFindingRules;

/** What the call made of the round is more than a round may owe (E21.1); found by the call that made it so. */
export function exposureFindings(
  { maxExposure }: Context,
  before: Round | null,
  after: Round,
): CallFinding[] {
  if (maxExposure === null || owed(after) <= maxExposure) return [];
  return before === null || owed(before) <= maxExposure ? ['maxExposure'] : [];
}
