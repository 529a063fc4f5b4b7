import type { EngineErrorCode } from '../../protocol/engine-api/errors';
import { owed } from './amounts';
import { apply } from './apply';
import type { Context } from './context';
import { ours } from './delivery';
import type { RoundEvent } from './event';
import type { Refusal, Round } from './round';

/** The rule of each finding in the engine's calls: legal, and almost surely a mistake (E1.5). */
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

/** What a provider did that is almost surely a mistake, by its code. */
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

/** What a call makes of one round: the events for the journal, and the round after them. */
export interface Change {
  readonly events: readonly RoundEvent[];
  readonly round: Round;
}

/** A call that changes nothing and is answered by an error. */
export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  /** Whether the id of the query is spent for this player from now on (E14.1). */
  readonly spendsId: boolean;
}

/** A call that changes nothing and is answered with the current round: a repeat, or a query. */
export interface Answered {
  readonly kind: 'answered';
  readonly round: Round;
}

/**
 * A call that changes rounds. First its events are made durable; then the due transactions go to the
 * wallet, round by round in this order; then the last round is answered by {@link answerOf}.
 */
export interface Changed {
  readonly kind: 'changed';
  readonly changes: readonly [...Change[], Change];
  /** The debit of the call; null if it has none. */
  readonly debit: string | null;
  readonly findings: readonly CallFinding[];
}

/**
 * The due part of the round is retried, after the change if there is one; then the call is decided again
 * (E8.4).
 */
export interface TryFirst {
  readonly kind: 'tryFirst';
  readonly round: Round;
  readonly change: Change | null;
}

/** What a call makes the service do. */
export type Decision = Refused | Answered | Changed | TryFirst;

/** A refusal by one of our errors and the rule that decides it. */
export function refuse(code: EngineErrorCode, rule: string): Refused {
  return refuseAs(ours(code, rule));
}

/** A refusal that was decided before. */
export function refuseAs(refusal: Refusal): Refused {
  return { kind: 'refused', refusal, spendsId: false };
}

/** A call that changes one round. */
export function change(
  round: Round,
  events: readonly RoundEvent[],
  findings: readonly CallFinding[] = [],
): Changed {
  return { kind: 'changed', changes: [changeOf(round, events)], debit: null, findings };
}

/** The events, and the round after them. */
export function changeOf(round: Round, events: readonly RoundEvent[]): Change {
  return { events, round: events.reduce<Round>(apply, round) };
}

/** What a call is answered once the wallet was asked: the round, or the refusal of its debit (B2). */
export function answerOf(round: Round, debit: string | null): Answered | Refused {
  const found = round.debits.find(({ due }) => due.hash === debit);
  if (found === undefined) return { kind: 'answered', round };
  if (found.refusal !== null) return refuseAs(found.refusal);
  if (found.state === 'due') return refuse('OPERATIONBEINGPROCESSED', 'E15.3');
  return { kind: 'answered', round };
}
