import { type Clock, type Random, systemClock, systemRandom } from '../../platform';
import type { CallerSettings } from '../../protocol/authentication/callers';
import {
  type Credentials,
  type CredentialsPlace,
  readCredentials,
} from '../../protocol/authentication/credentials';
import type { CallEvent, HttpFinding } from './call-event';

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

/** The same options with their defaults filled in; secrets wrapped. */
export interface ApiSettings extends CallerSettings {
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly onCall: ((event: CallEvent) => void) | null;
  readonly onFinding: ((finding: HttpFinding) => void) | null;
  readonly numberOf: (() => number | null) | null;
  readonly random: Random;
}

/** Fills in defaults, and wraps the secrets. @throws TypeError that names a wrong caller by its index. */
export function apiSettings(
  options: ApiOptions,
  callers: readonly Credentials[],
  place: CredentialsPlace,
): ApiSettings {
  const { clock = systemClock, random = systemRandom } = options;
  return {
    basePath: options.basePath ?? '',
    secrets: readCredentials(callers, random, place),
    clockToleranceMs: options.clockToleranceMs ?? 300_000,
    rememberedSignatures: options.rememberedSignatures ?? 100_000,
    maxBodyBytes: options.maxBodyBytes ?? 256 * 1024,
    onCall: options.onCall ?? null,
    onFinding: options.onFinding ?? null,
    numberOf: options.numberOf ?? null,
    clock,
    random,
  };
}
