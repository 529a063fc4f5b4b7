import type { Clock } from '../../platform';
import { within } from '../../platform/within';
import type { Cause, WalletAnswer, WalletCall } from '../ports';
import {
  type Ages,
  type AnswerEffect,
  applyAnswer,
  type Batching,
  isPastMaxAge,
  nextCall,
  type Owner,
  type Round,
} from '../rounds';
import { type Answer, type Finding, nextAttempt, timeOut } from '../settlement';
import type { Committer } from './state/committer';
import type { State } from './state/everything';
import { playerKey, roundKey } from './state/keys';

/** Names a round. */
export interface RoundName {
  readonly gameProviderId: string;
  readonly gameRound: string;
}

/** How the queue of a round is sent. */
interface How {
  /** Times that a call is sent without a pause (W3). */
  readonly attempts: number;
  /** Milliseconds until a debit without an answer counts as unanswered (W2, E15.3); null for no limit. */
  readonly debitWithinMs: number | null;
  /**
   * Whether it is sent past the maximum age of its round too: only what a call has just made due, or what a
   * person sends. A wallet may have forgotten the hash of anything older, and would pay it twice (E16.2, W3).
   */
  readonly isAtAnyAge: boolean;
  /** The call that it is sent for; null for what no call waits for. */
  readonly cause: Cause;
}

/** Sends what is due to the wallets, round by round (W3, W4, W5). */
export interface Delivery {
  /**
   * Sends the queue of a round from its head. Only one sends it at a time: where that is in flight, this is
   * about the same, with the larger number of attempts. Resolves when nothing is due, or when the attempts are used up.
   * @throws EngineRefusedError 9000 if an outcome could not be made durable.
   */
  deliver(round: RoundName, how: How): Promise<void>;
  /** The delivery of the round in flight; null if there is none. */
  inFlight(round: RoundName): InFlight | null;
  /** Resolves once nothing is being sent. */
  idle(): Promise<void>;
  /** Sends nothing more; resolves once what was sent is answered. */
  stop(): Promise<void>;
}

/** The delivery of a round in flight. */
interface InFlight {
  /** Resolves as that of deliver. */
  readonly done: Promise<void>;
  /** Resolves once the answer to the attempt in flight is durable, or could not be made so. */
  readonly step: Promise<void>;
}

/** What the delivery depends on. */
export interface DeliveryParts {
  readonly state: State;
  readonly committer: Committer;
  /** The wallet of the round: the operator's, or that of DEMO (E19.1). */
  readonly ask: (call: WalletCall) => Promise<WalletAnswer>;
  readonly batching: () => Batching;
  readonly ages: Ages;
  /** The service's clock. */
  readonly clock: Clock;
  /** Real time, for time limits (E1.3). */
  readonly realClock: Clock;
  readonly onAnswer: (owner: Owner, answer: WalletAnswer) => void;
  readonly onFindings: (round: Round, findings: readonly Finding[]) => void;
}

/** A round that is being sent. */
interface Sending {
  how: How;
  done: Promise<void>;
  /** The attempt in flight. */
  step: Promise<void>;
}

/** The delivery of a service. */
export function createDelivery(parts: DeliveryParts): Delivery {
  const { state, committer, ages, clock } = parts;
  const sending = new Map<string, Sending>();
  const running = { isOn: true };

  const current = ({ gameProviderId, gameRound }: RoundName): Round => {
    const round = state.rounds.find(gameProviderId, gameRound);
    if (round === null) throw new Error('a round that is being sent is not known');
    return round;
  };
  const commitAnswer = (name: RoundName, call: WalletCall, answer: Answer): Promise<AnswerEffect> =>
    committer.commit(playerKey(call.owner), () => {
      const effect = applyAnswer(current(name), call.transactions, answer, clock.now());
      return { events: [{ type: 'round', ...name, event: effect.event }], result: effect };
    });
  const attempt = async (name: RoundName, call: WalletCall, how: How): Promise<AnswerEffect> => {
    const answered = await sendWithin(parts, call, how);
    parts.onAnswer(call.owner, answered);
    const effect = await commitAnswer(name, call, answered.answer);
    parts.onFindings(effect.round, effect.findings);
    return effect;
  };
  /** Whether the queue is sent on after this number of attempts that left its head due. */
  const goesOn = ({ repeat, round }: AnswerEffect, failed: number, { attempts }: How): boolean => {
    if (repeat === null) return true;
    const isOld = isPastMaxAge(round, clock.now(), ages);
    return failed < attempts && nextAttempt(repeat, failed, isOld) === 'atOnce';
  };
  const send = async (key: string, name: RoundName, sender: Sending): Promise<void> => {
    let failed = 0;
    try {
      while (running.isOn) {
        const { owner, gameRound } = current(name);
        const transactions = nextCall(current(name), parts.batching());
        // Nothing is awaited between this and the end: what falls due later starts a delivery of its own.
        if (transactions.length === 0) return;
        const { how } = sender;
        const call = { owner, gameRound, transactions, cause: how.cause };
        const trying = attempt(name, call, how);
        sender.step = trying.then(ignore, ignore);
        const effect = await trying;
        failed = effect.repeat === null ? 0 : failed + 1;
        if (!goesOn(effect, failed, sender.how)) return;
      }
    } finally {
      sending.delete(key);
    }
  };
  const idle = async (): Promise<void> => {
    while (sending.size > 0)
      await Promise.allSettled([...sending.values()].map(({ done }) => done));
  };

  return {
    deliver({ gameProviderId, gameRound }, how) {
      const key = roundKey(gameProviderId, gameRound);
      const known = sending.get(key);
      if (known !== undefined) {
        // Who joins takes no attempts from who came before.
        const { attempts, cause } = known.how;
        known.how = { ...how, attempts: Math.max(how.attempts, attempts), cause };
        return known.done;
      }
      const isOld = isPastMaxAge(current({ gameProviderId, gameRound }), clock.now(), ages);
      if (isOld && !how.isAtAnyAge) return Promise.resolve();
      const sender: Sending = { how, done: Promise.resolve(), step: Promise.resolve() };
      sending.set(key, sender);
      sender.done = send(key, { gameProviderId, gameRound }, sender);
      sender.done.catch(ignore);
      return sender.done;
    },
    inFlight: ({ gameProviderId, gameRound }) =>
      sending.get(roundKey(gameProviderId, gameRound)) ?? null,
    idle,
    stop() {
      running.isOn = false;
      return idle();
    },
  };
}

/** The answer of the wallet; to a debit, within its time, else none (W2). */
async function sendWithin(
  { ask, realClock }: DeliveryParts,
  call: WalletCall,
  { debitWithinMs }: How,
): Promise<WalletAnswer> {
  const answer = ask(call);
  const hasDebit = call.transactions.some(({ type }) => type === 'debit');
  if (!hasDebit || debitWithinMs === null) return answer;
  return within(realClock, debitWithinMs, answer, { late: () => unanswered });
}

const unanswered: WalletAnswer = Object.freeze({ answer: timeOut, balance: null });

function ignore(): void {}
