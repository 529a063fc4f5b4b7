import { within } from '../../../platform/within';
import type { EngineCall } from '../../../protocol/engine-api/requests';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import {
  answerOf,
  type Change,
  type Changed,
  type Decision,
  type TryFirst,
} from '../../rounds/decision';
import type { Refusal, Round } from '../../rounds/round';
import { attemptsAtOnce } from '../../settlement/settle';
import type { Decided } from '../state/committer';
import type { ServiceEvent } from '../state/event-shape';
import type { Front } from './lanes';
import { nameOf, playerKey, type PlayerName, type RoundName } from '../state/keys';
import type { State } from '../state/everything';
import { type AtFront, type Core, checkCertain } from './parts';

/** What a decision of the rules makes the service do; the rules see the state as it is. */
type Decide = (hasTried: boolean) => Decision;

/** A decision, and its changes of rounds that had an empty queue before. */
interface Taken {
  readonly decision: Decision;
  readonly fresh: ReadonlySet<Change>;
}

/**
 * Carries out what is decided about a call at the front of its lane (B4): its events become durable, then
 * what is due is sent, then the round is returned as it is by then.
 * @throws EngineRefusedError if the call is refused, or its debit was not taken.
 */
export async function carryOut(
  core: Core,
  name: EngineCall | 'resolve',
  { player, front }: Pick<AtFront, 'player' | 'front'>,
  decide: Decide,
): Promise<Round> {
  checkCertain(core, player);
  let { decision, fresh } = await take(core, player, () => decide(false));
  if (decision.kind === 'tryFirst') {
    await tryOnce(core, decision, front);
    ({ decision, fresh } = await take(core, player, () => decide(true)));
  }
  switch (decision.kind) {
    case 'answered':
      return decision.round;
    case 'refused':
      throw refusedBy(decision.refusal);
    case 'tryFirst':
      throw new EngineRefusedError('OPERATIONBEINGPROCESSED', 'E8.4');
    case 'changed':
      core.onFindings({ call: name, cause: core.cause }, lastOf(decision).round, decision.findings);
      return sendAll(core, front, decision, fresh);
  }
}

/** The error for a refusal of the rules. */
export function refusedBy(refusal: Refusal): EngineRefusedError {
  if (refusal.kind === 'ours') return new EngineRefusedError(refusal.code, refusal.rule);
  const { id, clientmsg, rule } = refusal;
  return new EngineRefusedError({ id, clientmsg }, rule);
}

function take(
  { committer, state }: Core,
  player: PlayerName,
  decide: () => Decision,
): Promise<Taken> {
  return committer.commit(playerKey(player), (): Decided<Taken> => {
    const decision = decide();
    const changes = changesOf(decision);
    const events = changes.flatMap(({ round, events: ofRound }) =>
      ofRound.map((event): ServiceEvent => ({ type: 'round', ...nameOf(round), event })),
    );
    const fresh = changes.filter(({ round }) => isQueueEmpty(state, nameOf(round)));
    return { events, result: { decision, fresh: new Set(fresh) } };
  });
}

function changesOf(decision: Decision): readonly Change[] {
  if (decision.kind === 'changed') return decision.changes;
  return decision.kind === 'tryFirst' && decision.change !== null ? [decision.change] : [];
}

/** Whether nothing is due of the round as it is kept; so for a new one. */
function isQueueEmpty({ rounds }: State, { gameProviderId, gameRound }: RoundName): boolean {
  return (rounds.find(gameProviderId, gameRound)?.queue.length ?? 0) === 0;
}

/** E8.4: what is due is tried once more. The debit of the call keeps half of the time. */
async function tryOnce(core: Core, { round, change }: TryFirst, front: Front): Promise<void> {
  const { cause } = core;
  const how = { attempts: 1, debitWithinMs: null, isAtAnyAge: change !== null, cause };
  const done = core.delivery.deliver(nameOf(round), how);
  await atMost(core, front.leftMs() / 2, done);
}

/**
 * Sends what a change made due, round by round. A round that is closed for another one gets half of the
 * time: its pending credit does not stop the new round (B2).
 */
async function sendAll(
  core: Core,
  front: Front,
  decision: Changed,
  fresh: ReadonlySet<Change>,
): Promise<Round> {
  const last = lastOf(decision);
  for (const change of decision.changes) {
    const limitMs = change === last ? front.leftMs() : front.leftMs() / 2;
    await atMost(core, limitMs, sent(core, change, fresh.has(change), front));
  }
  return answered(core, nameOf(last.round), decision.debit);
}

/**
 * The delivery of what a change made due. After what was due before, it waits for the delivery in flight, or
 * for the next launch and the janitor (W3, W5).
 */
function sent(
  { delivery, cause }: Core,
  { round }: Change,
  isFresh: boolean,
  front: Front,
): Promise<void> {
  const name = nameOf(round);
  if (!isFresh) return delivery.inFlight(name)?.done ?? Promise.resolve();
  const debitWithinMs = front.leftMs();
  return delivery.deliver(name, {
    attempts: attemptsAtOnce,
    debitWithinMs,
    isAtAnyAge: true,
    cause,
  });
}

/** The round once its debit is answered; a debit without an answer in time counts as unanswered (W2). */
async function answered(core: Core, name: RoundName, debit: string | null): Promise<Round> {
  const current = (): Round => {
    const round = core.state.rounds.find(name.gameProviderId, name.gameRound);
    if (round === null) throw new Error('a round at work was forgotten');
    return round;
  };
  const isDue = (): boolean =>
    current().debits.some(({ due, state }) => due.hash === debit && state === 'due');
  for (let sending = core.delivery.inFlight(name); isDue() && sending !== null; ) {
    await sending.step;
    sending = core.delivery.inFlight(name);
  }
  checkCertain(core, current().owner);
  const answer = answerOf(current(), debit);
  if (answer.kind === 'refused') throw refusedBy(answer.refusal);
  return answer.round;
}

/** Waits for the work, at most so long; then it continues in the background (E15.3). */
async function atMost({ realClock }: Core, ms: number, work: Promise<void>): Promise<void> {
  await within(realClock, ms, work, { late: () => undefined });
}

function lastOf({ changes }: Changed): Change {
  return changes.at(-1) ?? changes[0];
}
