import type { Clock, Random } from '../../../platform';
import type { PlainReply, PlainRequest } from '../../../platform/http';
import { randomUuid } from '../../../platform/random';
import type { FaultKind, LineName } from '../view/state';
import type { OpenCall, Wire } from '../wire/record';
import { describe, type Described } from '../wire/request';
import { answerInstead, nonsense } from './answers';
import type { FaultDecision, FaultPlan } from './faults';

/** Holds calls that go out of order, until another call has passed them. */
class Gate {
  readonly #held = new Map<string, AbortController>();

  constructor(private readonly clock: Clock) {}

  /** Whether any call is held. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /**
   * Whether the call would be held: false if one already waits for it to pass, since two that wait for each
   * other would both be late.
   */
  canHold(lane: string): boolean {
    return !this.#held.has(lane);
  }

  /** Resolves once another call of this lane has been answered; after this many milliseconds at the latest. */
  async hold(lane: string, delayMs: number): Promise<void> {
    const until = new AbortController();
    this.#held.set(lane, until);
    await this.clock.pause(delayMs, until.signal, 'background');
    if (this.#held.get(lane) === until) this.#held.delete(lane);
  }

  /** A call of this lane has been answered. */
  passed(lane: string): void {
    const until = this.#held.get(lane);
    this.#held.delete(lane);
    until?.abort();
  }
}

/** What the caller gets. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: PlainReply }
  /** Half of the reply, then the connection breaks. */
  | { readonly kind: 'half'; readonly reply: PlainReply }
  /** Nothing, for as long as the caller waits. */
  | { readonly kind: 'silence' };

/**
 * Does the work of a request. `isDetached`: the caller no longer decides whether it arrives.
 * Rejects if there is no whole reply.
 */
type Work = (request: PlainRequest, isDetached: boolean) => Promise<PlainReply>;

/** Lets a request pass a line, with its fault if one is set. Rejects if the work does. */
export type Pass = (line: LineName, request: PlainRequest, work: Work) => Promise<Outcome>;

/** What the lines share. */
interface LinePorts {
  readonly plan: FaultPlan;
  readonly wire: Wire;
  /** Real time. */
  readonly clock: Clock;
  readonly random: Random;
}

/** A call that passed a line. */
export interface PassedCall {
  readonly n: number;
  readonly fault: FaultKind | null;
}

/** What calls are made for. */
export interface Making {
  /** The number of the call that they are made for; null for none. */
  readonly cause: number | null;
  /** The latest of them; null before the first. */
  latest: PassedCall | null;
}

/** No call is made for anything. */
const unattributed: Making = Object.freeze({ cause: null, latest: null });

const silence: Outcome = Object.freeze({ kind: 'silence' });

/** A request on its line. */
interface Passing {
  readonly line: LineName;
  readonly request: PlainRequest;
  readonly described: Described;
  readonly work: Work;
  readonly made: Making;
}

/**
 * The lines, and what the calls on them are made for. That holds for what is done at once, up to the first wait: a call
 * that is made later says again what for. (AsyncLocalStorage would follow the work by itself; on Node 20 that takes a
 * tenth of the process's time.)
 *
 * Every call is recorded, and has the fault that the plan decides. 429 and 503 are answered in place of the request,
 * which does not arrive; nonsense, cut and lost replies come after it was worked, since a refusal of what was booked
 * would be a wrong wallet, not a fault of the line.
 */
export class Lines {
  readonly #gate: Gate;
  #current: Making = unattributed;

  constructor(private readonly ports: LinePorts) {
    this.#gate = new Gate(ports.clock);
  }

  /** Lets a request pass a line, with its fault if one is set. */
  readonly pass: Pass = async (line, request, work) => {
    const { plan, random } = this.ports;
    const passing = {
      line,
      request,
      work,
      described: describe(line, request),
      made: this.#current,
    };
    const decision = plan.decide(line, passing.described.call);
    const isPassed =
      decision === null || (decision.kind === 'reorder' && !this.#gate.canHold(laneOf(passing)));
    if (isPassed) return { kind: 'reply', reply: await this.#worked(passing, null) };
    const { kind } = decision;
    if (kind === 'loseRequest') {
      this.#open(passing, kind).lost();
      return silence;
    }
    if (kind === '503' || kind === '429') {
      const reply = answerInstead(line, kind === '503' ? 503 : 429, randomUuid(random));
      this.#open(passing, kind).replied(reply);
      return { kind: 'reply', reply };
    }
    return this.#afterWork(passing, decision);
  };

  /** The number of the call that is handed over at this moment; null if none is. */
  readonly cause = (): number | null => this.#current.cause;

  /** What calls are made for at this moment, to be resumed later. */
  readonly hold = (): (<T>(work: () => T) => T) => {
    const held = this.#current;
    return (work) => this.making(held, work);
  };

  /** Begins work; the calls that it makes at once are made for this. */
  making<T>(what: Making, work: () => T): T {
    const before = this.#current;
    this.#current = what;
    try {
      return work();
    } finally {
      this.#current = before;
    }
  }

  #open({ described, request, made }: Passing, fault: FaultKind | null): OpenCall {
    const call = this.ports.wire.open(described, request, { cause: made.cause, fault });
    if (made !== unattributed) made.latest = { n: call.n, fault };
    return call;
  }

  async #worked(passing: Passing, fault: FaultKind | null): Promise<PlainReply> {
    const { request, work } = passing;
    const call = this.#open(passing, fault);
    try {
      const within = { cause: call.n, latest: null };
      const reply = await this.making(within, () => work(request, fault !== null));
      call.replied(reply);
      return reply;
    } catch (error) {
      call.lost();
      throw error;
    } finally {
      if (this.#gate.isHolding) this.#gate.passed(laneOf(passing));
    }
  }

  /** The faults of a request that arrives. */
  async #afterWork(passing: Passing, { kind, delayMs }: FaultDecision): Promise<Outcome> {
    if (kind === 'reorder') await this.#gate.hold(laneOf(passing), delayMs);
    const reply = await this.#worked(passing, kind);
    if (kind === 'loseReply') return silence;
    if (kind === 'html') return { kind: 'reply', reply: nonsense() };
    if (kind === 'cut') return { kind: 'half', reply };
    if (kind === 'late') await this.ports.clock.pause(delayMs, undefined, 'background');
    // The caller has the first reply; nobody reads the second.
    if (kind === 'twice') await this.#worked(passing, kind).catch(() => null);
    return { kind: 'reply', reply };
  }
}

/** Read of a call only while another one is held. */
function laneOf({ line, described }: Passing): string {
  return `${line} ${described.round ?? ''}`;
}
