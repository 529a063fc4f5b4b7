import type { Clock, Random } from '../../../platform';
import type { PlainReply, PlainRequest } from '../../../platform/http';
import { randomUuid } from '../../../platform/random';
import type { FaultKind, LineName } from '../view/state';
import { describe } from '../wire/request';
import type { Wire } from '../wire/record';
import { answerInstead, nonsense } from './answers';
import type { FaultDecision, FaultPlan } from './faults';

/** Holds calls that go out of order, until another call has passed them. */
interface Gate {
  /** Whether any call is held. */
  readonly isHolding: boolean;
  /**
   * Whether the call would be held: false if one waits already for it to pass, since two that wait for each
   * other would both be late.
   */
  canHold(lane: string): boolean;
  /** Resolves once another call of this lane has been answered; after this many milliseconds at the latest. */
  hold(lane: string, delayMs: number): Promise<void>;
  /** A call of this lane has been answered. */
  passed(lane: string): void;
}

/** Creates a gate without a call that waits. */
function createGate(clock: Clock): Gate {
  const held = new Map<string, AbortController>();
  return {
    get isHolding() {
      return held.size > 0;
    },
    canHold: (lane) => !held.has(lane),
    async hold(lane, delayMs) {
      const until = new AbortController();
      held.set(lane, until);
      await clock.pause(delayMs, until.signal, 'background');
      if (held.get(lane) === until) held.delete(lane);
    },
    passed(lane) {
      const until = held.get(lane);
      held.delete(lane);
      until?.abort();
    },
  };
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

/**
 * The lines, and what the calls on them are made for. That holds for what is done at once, up to the first wait: a call
 * that is made later says again what for. (AsyncLocalStorage would follow the work by itself; on Node 20 that takes a
 * tenth of the process's time.)
 */
export interface Lines {
  readonly pass: Pass;
  /** The number of the call that is handed over at this moment; null if none is. */
  readonly cause: () => number | null;
  /** Begins work; the calls that it makes at once are made for this. */
  readonly making: <T>(what: Making, work: () => T) => T;
  /** What calls are made for at this moment, to be resumed later. */
  readonly hold: () => <T>(work: () => T) => T;
}

/**
 * Lines on which every call is recorded, and has the fault that the plan decides. 429 and 503 are answered
 * in place of the request, which does not arrive; nonsense, cut and lost replies come after it was worked,
 * since a refusal of what was booked would be a wrong wallet, not a fault of the line.
 */
export function createLines({ plan, wire, clock, random }: LinePorts): Lines {
  const gate = createGate(clock);
  let current: Making = unattributed;
  const making = <T>(what: Making, work: () => T): T => {
    const before = current;
    current = what;
    try {
      return work();
    } finally {
      current = before;
    }
  };

  const pass: Pass = async (line, request, work) => {
    const made = current;
    const described = describe(line, request);
    // Read of a call only while another one is held.
    const lane = (): string => `${line} ${described.round ?? ''}`;
    const decision = plan.decide(line, described.call);
    const open = (fault: FaultKind | null) => {
      const call = wire.open(described, request, { cause: made.cause, fault });
      if (made !== unattributed) made.latest = { n: call.n, fault };
      return call;
    };
    const worked = async (fault: FaultKind | null): Promise<PlainReply> => {
      const call = open(fault);
      try {
        const within = { cause: call.n, latest: null };
        const reply = await making(within, () => work(request, fault !== null));
        call.replied(reply);
        return reply;
      } catch (error) {
        call.lost();
        throw error;
      } finally {
        if (gate.isHolding) gate.passed(lane());
      }
    };
    const hold = (delayMs: number) => gate.hold(lane(), delayMs);
    if (decision === null || (decision.kind === 'reorder' && !gate.canHold(lane()))) {
      return { kind: 'reply', reply: await worked(null) };
    }
    if (decision.kind === 'loseRequest') {
      open('loseRequest').lost();
      return silence;
    }
    if (decision.kind === '503' || decision.kind === '429') {
      const status = decision.kind === '503' ? 503 : 429;
      const reply = answerInstead(line, status, randomUuid(random));
      open(decision.kind).replied(reply);
      return { kind: 'reply', reply };
    }
    return afterWork(decision, { worked, hold, clock });
  };
  return {
    pass,
    cause: () => current.cause,
    making,
    hold: () => {
      const held = current;
      return (work) => making(held, work);
    },
  };
}

/** No call is made for anything. */
const unattributed: Making = Object.freeze({ cause: null, latest: null });

const silence: Outcome = Object.freeze({ kind: 'silence' });

interface WorkPorts {
  readonly worked: (fault: FaultKind) => Promise<PlainReply>;
  readonly hold: (delayMs: number) => Promise<void>;
  readonly clock: Clock;
}

/** The faults of a request that arrives. */
async function afterWork(
  { kind, delayMs }: FaultDecision,
  { worked, hold, clock }: WorkPorts,
): Promise<Outcome> {
  if (kind === 'reorder') await hold(delayMs);
  const reply = await worked(kind);
  switch (kind) {
    case 'loseReply':
      return silence;
    case 'html':
      return { kind: 'reply', reply: nonsense() };
    case 'cut':
      return { kind: 'half', reply };
    case 'late':
      await clock.pause(delayMs, undefined, 'background');
      return { kind: 'reply', reply };
    case 'twice':
      // The caller has the first reply; whatever the second is, nobody reads it.
      await worked(kind).catch(() => null);
      return { kind: 'reply', reply };
    default:
      return { kind: 'reply', reply };
  }
}
