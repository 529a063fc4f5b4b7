import type { Random } from '../../../platform';
import { listKnownNames } from '../../../platform/validation';
import {
  type FaultKind,
  faultKinds,
  type FaultRequest,
  type FaultView,
  type LineName,
  lineNames,
} from '../view/state';

/** A longer delay is a mistake. */
const longestDelayMs = 600_000;
const members = ['line', 'call', 'kind', 'next', 'probability', 'delayMs'];

/**
 * A fault as the page or a test asks for it.
 * @throws TypeError that names the wrong member.
 */
function readFaultRequest(value: unknown): FaultRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('fault: must be an object');
  }
  const { line, call, kind, next, probability, delayMs } = value as Record<string, unknown>;
  const given = Object.keys(value);
  if (!given.every((name) => members.includes(name))) {
    const help = listKnownNames('the members', given, members);
    throw new TypeError(`fault: has an unknown member; ${help}`);
  }
  check(lineNames.includes(line as LineName), 'line', `one of ${lineNames.join(', ')}`);
  check(faultKinds.includes(kind as FaultKind), 'kind', `one of ${faultKinds.join(', ')}`);
  check(call === undefined || isCallName(call), 'call', 'the name of a call');
  check(next === undefined || isWhole(next, 1, 1_000_000), 'next', 'a whole number above 0');
  check(
    probability === undefined || isShare(probability),
    'probability',
    'a number above 0, at most 1',
  );
  check(delayMs === undefined || isWhole(delayMs, 0, longestDelayMs), 'delayMs', 'milliseconds');
  check(next === undefined || probability === undefined, 'next', 'absent if probability is set');
  return value as FaultRequest;
}

function check(isRight: boolean, member: string, expected: string): void {
  if (!isRight) throw new TypeError(`fault: ${member} must be ${expected}`);
}

function isCallName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z]{1,64}$/.test(value);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 1;
}

/** What happens to one call. */
export type FaultDecision = Pick<FaultView, 'kind' | 'delayMs'>;

/** A fault, as its hits move it on. */
type SetFault = { -readonly [Name in keyof FaultView]: FaultView[Name] };

/**
 * How long a call is held unless the fault says so. A call out of order has to outlast the time limit of
 * its caller, so that what the caller does next passes it.
 */
const usualDelayMs: Partial<Record<FaultKind, number>> = { late: 1000, reorder: 15_000 };

/** More faults than these are a mistake, and each call looks at all of them. */
const maxFaults = 10_000;

/** The faults that are set on the lines. The same seed makes the same decisions for the same calls. */
export class FaultPlan {
  #faults: SetFault[] = [];
  #lastId = 0;

  constructor(private readonly random: Random) {}

  /** @throws TypeError that names the wrong member, or says that too many are set. */
  set(request: FaultRequest): FaultView {
    const count = this.#faults.length;
    if (count >= maxFaults) throw new TypeError(`fault: ${maxFaults} are set already`);
    const { line, call, kind, next, probability, delayMs } = readFaultRequest(request);
    const fault: SetFault = {
      id: ++this.#lastId,
      line,
      call: call ?? null,
      kind,
      probability: probability ?? null,
      delayMs: delayMs ?? usualDelayMs[kind] ?? 0,
      left: probability === undefined ? (next ?? 1) : null,
      hits: 0,
    };
    this.#faults.push(fault);
    return { ...fault };
  }

  clear(): void {
    this.#faults = [];
  }

  list(): readonly FaultView[] {
    return this.#faults.map((fault) => ({ ...fault }));
  }

  /** The first fault that is set for the call and hits; null: the call passes. */
  decide(line: LineName, call: string): FaultDecision | null {
    for (const fault of this.#faults) {
      if (fault.line !== line || (fault.call !== null && fault.call !== call)) continue;
      if (fault.probability !== null && this.random.next() >= fault.probability) continue;
      fault.hits++;
      if (fault.left !== null) fault.left--;
      if (fault.left === 0) this.#faults = this.#faults.filter((one) => one !== fault);
      return { kind: fault.kind, delayMs: fault.delayMs };
    }
    return null;
  }
}
