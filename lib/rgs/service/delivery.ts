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
} from '../rounds/delivery';
import type { Owner, Round } from '../rounds/round';
import { type Finding, nextAttempt } from '../settlement/settle';
import { timeOut } from '../settlement/answer';
import type { Committer } from './state/committer';
import type { State } from './state/everything';
import { playerKey, type RoundName, roundKey } from './state/keys';

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

/** What the delivery depends on. */
interface DeliveryParts {
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

/** The delivery of a round in flight. */
interface InFlight {
  /** Resolves as that of deliver. */
  readonly done: Promise<void>;
  /** Resolves once the answer to the attempt in flight is durable, or could not be made so. */
  readonly step: Promise<void>;
}

/** A round that is being sent. */
type Sending = { how: How } & { -readonly [Name in keyof InFlight]: InFlight[Name] };

/** Sends what is due to the wallets, round by round (W3, W4, W5). */
export class Delivery {
  readonly #sending = new Map<string, Sending>();
  #isStopped = false;

  constructor(private readonly parts: DeliveryParts) {}

  /**
   * Sends the queue of a round from its head. Only one sends it at a time: if that is in flight, this call
   * joins it, with the larger number of attempts. Resolves when nothing is due, or when the attempts are used up.
   * @throws EngineRefusedError 9000 if an outcome could not be made durable.
   */
  deliver({ gameProviderId, gameRound }: RoundName, how: How): Promise<void> {
    const name = { gameProviderId, gameRound };
    const key = roundKey(gameProviderId, gameRound);
    const known = this.#sending.get(key);
    if (known !== undefined) {
      // A call that joins takes no attempts from the one it joins.
      const { attempts, cause } = known.how;
      known.how = { ...how, attempts: Math.max(how.attempts, attempts), cause };
      return known.done;
    }
    if (this.#isOld(this.#current(name)) && !how.isAtAnyAge) return Promise.resolve();
    const sending: Sending = { how, done: Promise.resolve(), step: Promise.resolve() };
    this.#sending.set(key, sending);
    sending.done = this.#send(key, name, sending);
    sending.done.catch(ignore);
    return sending.done;
  }

  /** The delivery of the round in flight; null if there is none. */
  inFlight({ gameProviderId, gameRound }: RoundName): InFlight | null {
    return this.#sending.get(roundKey(gameProviderId, gameRound)) ?? null;
  }

  /** Resolves once nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) {
      await Promise.allSettled([...this.#sending.values()].map(({ done }) => done));
    }
  }

  /** Sends nothing more; resolves once what was sent is answered. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.idle();
  }

  async #send(key: string, name: RoundName, sending: Sending): Promise<void> {
    let failed = 0;
    try {
      while (!this.#isStopped) {
        const { owner, gameRound } = this.#current(name);
        const transactions = nextCall(this.#current(name), this.parts.batching());
        // Nothing is awaited between this and `finally`: what falls due later starts another delivery.
        if (transactions.length === 0) return;
        const { how } = sending;
        const trying = this.#attempt(
          name,
          { owner, gameRound, transactions, cause: how.cause },
          how,
        );
        sending.step = trying.then(ignore, ignore);
        const effect = await trying;
        failed = effect.repeat === null ? 0 : failed + 1;
        if (!this.#continues(effect, failed, sending.how)) return;
      }
    } finally {
      this.#sending.delete(key);
    }
  }

  async #attempt(name: RoundName, call: WalletCall, how: How): Promise<AnswerEffect> {
    const { committer, clock, onAnswer, onFindings } = this.parts;
    const answered = await sendWithin(this.parts, call, how);
    onAnswer(call.owner, answered);
    const effect = await committer.commit(playerKey(call.owner), () => {
      const { transactions } = call;
      const made = applyAnswer(this.#current(name), transactions, answered.answer, clock.now());
      return { events: [{ type: 'round', ...name, event: made.event }], result: made };
    });
    onFindings(effect.round, effect.findings);
    return effect;
  }

  /** Whether the queue is sent further after this number of attempts that left its head due. */
  #continues({ repeat, round }: AnswerEffect, failed: number, { attempts }: How): boolean {
    if (repeat === null) return true;
    return failed < attempts && nextAttempt(repeat, failed, this.#isOld(round)) === 'atOnce';
  }

  #isOld(round: Round): boolean {
    return isPastMaxAge(round, this.parts.clock.now(), this.parts.ages);
  }

  #current({ gameProviderId, gameRound }: RoundName): Round {
    const round = this.parts.state.rounds.find(gameProviderId, gameRound);
    if (round === null) throw new Error('a round that is being sent is not known');
    return round;
  }
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
