import type { Clock } from '../../../platform';
import type { Random } from '../../../platform/random';
import { type CertificationProgress, type Case, groups } from '../talk/case';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import type { LongCases } from '../talk';
import { minStake } from './obstacles';

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
  /** Blocks the first player, so that the wallet refuses debits; it ends when the block holds. */
  readonly block?: () => Promise<void>;
  /** Lifts that block. */
  readonly unblock?: () => Promise<void>;
  /** The wallet's memory in bytes, for the cases of a load. */
  readonly memoryBytes?: () => Promise<number>;
  /** Groups or ids of cases; all unless set. What they depend on is played as well. */
  readonly only?: readonly string[];
  /** `specification` plays the required cases alone; `full` unless set. */
  readonly profile?: 'specification' | 'full';
  /** Known differences: reasons by id of the case. They are shown, and do not count. */
  readonly exceptions?: ReadonlyMap<string, string>;
  /** Seed and length of the long cases. */
  readonly long?: Partial<LongCases>;
  /** The usual debit, an even number of the wire's unit, so that half of it is whole too; 100n unless set. */
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
  /** Of the wallet, for the report. */
  readonly walletName?: string;
  readonly walletVersion?: string;
  /** Who runs it, for the report. */
  readonly runBy?: string;
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
  block: true,
  unblock: true,
  memoryBytes: true,
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
  walletName: true,
  walletVersion: true,
  runBy: true,
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
  const { stake = minStake } = options;
  if (stake < minStake || stake % 2n !== 0n) throw new TypeError('certify: stake must be even');
}

/** What of the cases is to be played. */
type Selection = Pick<CertificationOptions, 'only' | 'profile'> & { readonly withLoad: boolean };

/**
 * The cases to play, in order, with what they depend on.
 * @throws TypeError for a name that is neither a group nor a case.
 */
export function planOf(all: readonly Case[], { only, profile, withLoad }: Selection): Case[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  for (const name of only ?? []) {
    if (!byId.has(name) && !groups.some((group) => group === name)) {
      throw new TypeError(`only: there is no group and no case "${name}"`);
    }
  }
  const wanted = new Set<Case>();
  const add = (one: Case): void => {
    if (wanted.has(one)) return;
    wanted.add(one);
    for (const id of one.after ?? []) {
      const below = byId.get(id);
      if (below === undefined) throw new TypeError(`${one.id} depends on ${id}, an unknown case`);
      add(below);
    }
  };
  for (const one of all) {
    const isNamed = only === undefined || only.includes(one.id) || only.includes(one.group);
    const isInProfile = profile !== 'specification' || one.level === 'required';
    const isLoad = one.group === 'load' && !withLoad;
    if (one.group === 'basics' || (isNamed && isInProfile && !isLoad)) add(one);
  }
  return all.filter((one) => wanted.has(one));
}
