import type { Random } from '../../../platform';
import type { FaultKind, FaultRequest, FaultView, LineName } from '../view';
import { readFaultRequest } from './read';

/** What happens to one call. */
export interface FaultDecision {
  readonly kind: FaultKind;
  readonly delayMs: number;
}

/** The faults that are set on the lines. */
export interface FaultPlan {
  /** @throws TypeError that names the wrong member, or says that too many are set. */
  set(request: FaultRequest): FaultView;
  clear(): void;
  list(): readonly FaultView[];
  /** What happens to this call: the first fault that is set for it and hits. Null: it passes. */
  decide(line: LineName, call: string): FaultDecision | null;
}

interface SetFault {
  readonly id: number;
  readonly line: LineName;
  readonly call: string | null;
  readonly kind: FaultKind;
  readonly probability: number | null;
  readonly delayMs: number;
  left: number | null;
  hits: number;
}

/**
 * How long a call is held unless the fault says so. A call out of order has to outlast the time limit of
 * its caller, so that what the caller does next passes it.
 */
const usualDelayMs: Partial<Record<FaultKind, number>> = { late: 1000, reorder: 15_000 };

/** More faults than these are a mistake, and each call looks at all of them. */
const maxFaults = 10_000;

/** A plan without faults. The same seed makes the same decisions for the same calls. */
export function createFaultPlan(random: Random): FaultPlan {
  let faults: SetFault[] = [];
  let lastId = 0;
  return {
    set(request) {
      if (faults.length >= maxFaults) throw new TypeError(`fault: ${maxFaults} are set already`);
      const { line, call, kind, next, probability, delayMs } = readFaultRequest(request);
      const fault: SetFault = {
        id: ++lastId,
        line,
        call: call ?? null,
        kind,
        probability: probability ?? null,
        delayMs: delayMs ?? usualDelayMs[kind] ?? 0,
        left: probability === undefined ? (next ?? 1) : null,
        hits: 0,
      };
      faults.push(fault);
      return { ...fault };
    },
    clear() {
      faults = [];
    },
    list: () => faults.map((fault) => ({ ...fault })),
    decide(line, call) {
      for (const fault of faults) {
        if (fault.line !== line || (fault.call !== null && fault.call !== call)) continue;
        if (fault.probability !== null && random.next() >= fault.probability) continue;
        fault.hits++;
        if (fault.left !== null) fault.left--;
        if (fault.left === 0) faults = faults.filter((one) => one !== fault);
        return { kind: fault.kind, delayMs: fault.delayMs };
      }
      return null;
    },
  };
}
