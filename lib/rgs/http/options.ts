import { type Clock, type Random, systemClock, systemRandom } from '../../platform';
import type { OptionNames } from '../../platform/validation';
import type { CallEvent, HttpFinding } from './call-event';
import { checkFunction, checkMethods, portMethods } from './callers';

/** Options that every API of the service has. */
export interface ApiOptions {
  /** In front of every path; none unless set. */
  readonly basePath?: string;
  /** Largest difference of X-H-TIMESTAMP from real time, in milliseconds; 300,000 unless set (D1.3, E2.1). */
  readonly clockToleranceMs?: number;
  /** Number of latest signatures that are remembered; 100,000 unless set (D1.8, E2.6). */
  readonly rememberedSignatures?: number;
  /** Largest body, in bytes; 262,144 unless set (D2.1, E2.4). */
  readonly maxBodyBytes?: number;
  /** Called after every call, for a trace; what it throws is ignored. */
  readonly onCall?: (event: CallEvent) => void;
  /** Called with what is legal and almost surely a mistake (E1.5); what it throws is ignored. */
  readonly onFinding?: (finding: HttpFinding) => void;
  /** Asked as a call arrives, for its number in a record of the calls: what is made for it names that number. */
  readonly numberOf?: () => number | null;
  /** Real time, also where the service's clock is moved on (E1.3); the machine's own unless set. */
  readonly clock?: Clock;
  /** Source of the ids of responses and errors, and of decoys; the machine's own unless set. */
  readonly random?: Random;
}

/** The same options with their defaults filled in. */
export interface ApiSettings {
  readonly basePath: string;
  readonly clockToleranceMs: number;
  readonly rememberedSignatures: number;
  readonly maxBodyBytes: number;
  readonly onCall: ((event: CallEvent) => void) | null;
  readonly onFinding: ((finding: HttpFinding) => void) | null;
  readonly numberOf: (() => number | null) | null;
  readonly clock: Clock;
  readonly random: Random;
}

/** The names of {@link ApiOptions}. */
export const apiOptionNames: OptionNames<ApiOptions> = {
  basePath: true,
  clockToleranceMs: true,
  rememberedSignatures: true,
  maxBodyBytes: true,
  onCall: true,
  onFinding: true,
  numberOf: true,
  clock: true,
  random: true,
};

/** Options whose values are functions or objects: a schema cannot check them. */
type ApiPorts = {
  readonly [name in 'onCall' | 'onFinding' | 'numberOf' | 'clock' | 'random']:
    | ApiOptions[name]
    | undefined;
};

/**
 * Checks the functions and ports, and fills in defaults; a schema has accepted the others.
 * @throws TypeError that names the wrong option.
 */
export function readApiOptions(maker: string, options: ApiOptions, ports: ApiPorts): ApiSettings {
  const { onCall, onFinding, numberOf, clock = systemClock, random = systemRandom } = ports;
  checkMethods(maker, 'clock', clock, portMethods.clock);
  checkMethods(maker, 'random', random, portMethods.random);
  return {
    basePath: options.basePath ?? '',
    clockToleranceMs: options.clockToleranceMs ?? 300_000,
    rememberedSignatures: options.rememberedSignatures ?? 100_000,
    maxBodyBytes: options.maxBodyBytes ?? 256 * 1024,
    onCall: checkFunction(maker, 'onCall', onCall),
    onFinding: checkFunction(maker, 'onFinding', onFinding),
    numberOf: checkFunction(maker, 'numberOf', numberOf),
    clock,
    random,
  };
}
