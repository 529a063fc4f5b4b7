import type { Clock } from '../../../platform';
import type { Random } from '../../../platform/random';
import type { CertificationProgress } from '../outcome/result';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import type { LongCases } from '../talk';

/** An operator ID and its secret. */
export interface CertifiedOperator {
  readonly operatorId: string;
  /** At least 16 bytes. Never printed. */
  readonly secret: string;
}

/** Options of a certification run. */
export interface CertificationOptions {
  /** Addresses of the wallet: the first is tried, the others are further instances over the same money. */
  readonly urls: readonly string[];
  readonly operator: CertifiedOperator;
  /** Another current secret of the same operator (D1.2). */
  readonly otherSecret?: string;
  /** Another operator of the same wallet. */
  readonly secondOperator?: CertifiedOperator;
  /** Players with money that nobody else plays with; two for all cases. */
  readonly playerIds: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
  /** `certification` unless set. */
  readonly gameCode?: string;
  /** Ends the wallet in good order and starts it again. */
  readonly restart?: () => Promise<void>;
  /** Kills the wallet, so that it has no time to write anything. */
  readonly kill?: () => Promise<void>;
  /** Starts a wallet that was killed. */
  readonly start?: () => Promise<void>;
  /** Groups or ids of cases; all unless set. What they depend on is played as well. */
  readonly only?: readonly string[];
  /** `specification` plays the required cases alone; `full` unless set. */
  readonly profile?: 'specification' | 'full';
  /** Known differences: reasons by id of the case. They are shown, and do not count. */
  readonly exceptions?: ReadonlyMap<string, string>;
  /** Seed and length of the long cases. */
  readonly long?: Partial<LongCases>;
  /** The usual debit, a whole number of the wire's unit; 100n unless set. */
  readonly stake?: bigint;
  /** Most money that may be at stake at one time, of the wire's unit; 10,000n unless set. */
  readonly stakeBudget?: bigint;
  /** Whether a whole balance may be staked for a moment; false unless set. */
  readonly useBalance?: boolean;
  /** Time limit of the whole run, in milliseconds; 600,000 unless set. */
  readonly timeLimitMs?: number;
  /** Time limit of one reply, in milliseconds; 10,000 unless set. */
  readonly timeoutMs?: number;
  /** Ends the run early; what was staked is given back, and the results so far are returned. */
  readonly signal?: AbortSignal;
  /** Of the package, for the report. */
  readonly version?: string;
  readonly progress?: CertificationProgress;
  readonly clock?: Clock;
  readonly random?: Random;
}

const optionNames: OptionNames<CertificationOptions> = {
  urls: true,
  operator: true,
  otherSecret: true,
  secondOperator: true,
  playerIds: true,
  currency: true,
  gameCode: true,
  restart: true,
  kill: true,
  start: true,
  only: true,
  profile: true,
  exceptions: true,
  long: true,
  stake: true,
  stakeBudget: true,
  useBalance: true,
  timeLimitMs: true,
  timeoutMs: true,
  signal: true,
  version: true,
  progress: true,
  clock: true,
  random: true,
};

/** The options without which there is no run. */
const neededNames = ['urls', 'operator', 'playerIds', 'currency'] as const;

/** @throws TypeError that names an option that is missing or unknown. */
export function checkOptions(options: CertificationOptions): void {
  checkOptionNames('certify', options, optionNames);
  for (const name of neededNames) {
    if (options[name] === undefined) throw new TypeError(`certify: ${name} is missing`);
  }
}
