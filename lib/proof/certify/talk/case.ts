import type { Exchange } from '../client';
import type { CaseContext } from '.';

/** The groups of cases, in the order in which they are played. */
export const groups = [
  'basics',
  'signature',
  'request-form',
  'ordering',
  'partial-outcomes',
  'idempotency',
  'key-reuse',
  'voids',
  'states',
  'credits',
  'concurrency',
  'free-plays',
  'amounts',
  'get-balance',
  'tenancy',
  'replay',
  'robustness',
  'retention',
  'histories',
  'crashes',
  'memory',
  'load',
  'blocks',
] as const;

/** A group of cases. */
export type Group = (typeof groups)[number];

/** One rule, tried. */
export interface Case {
  /** Unique, in lower case with hyphens. */
  readonly id: string;
  readonly group: Group;
  /** `required` where the specification speaks, `advisory` where public documentation or our reading adds to it. */
  readonly level: 'required' | 'advisory';
  /** The sentence: a section of the Operator API, and of an advisory one the public documentation or a D-number too. */
  readonly rule: string;
  readonly given: string;
  readonly when: string;
  readonly expected: string;
  /** Of an advisory case: the other legal reading. */
  readonly otherwise?: string;
  /** Ids of cases without which this one says nothing: it is inconclusive unless they passed. */
  readonly after?: readonly string[];
  /**
   * Plays it. Returns a remark for the report, if any.
   * @throws CaseFailure if the wallet broke the rule; Undecided if that could not be found out.
   */
  play(context: CaseContext): Promise<string | undefined | void>;
}

/** A case as its group has it: what names another legal reading is advisory. */
export type CaseOfGroup = Omit<Case, 'group' | 'level'>;

/** The cases of a group. */
export function casesIn(group: Group, cases: readonly CaseOfGroup[]): readonly Case[] {
  return cases.map((one) => {
    return { ...one, group, level: one.otherwise === undefined ? 'required' : 'advisory' };
  });
}

/** How a case ended. One that could not be decided is inconclusive, never passed. */
export type Verdict = 'passed' | 'failed' | 'inconclusive';

/** A case that was played, or could not be. */
export interface CaseResult
  extends Pick<
    Case,
    'id' | 'group' | 'level' | 'rule' | 'given' | 'when' | 'expected' | 'otherwise'
  > {
  readonly verdict: Verdict;
  /** One sentence: what was expected and what came, or why it could not be decided; a remark of one that passed. */
  readonly message: string | null;
  /** Further lines, such as a shrunk history. */
  readonly details: readonly string[];
  /** The call that shows a failure: the last one, where the case names none. */
  readonly exchange: Exchange | null;
  /** What led to that call; empty unless the case failed, or stayed undecided for an answer. */
  readonly steps: readonly Step[];
  /** The same as a curl line; null where a shell could not say it. */
  readonly curl: string | null;
  /** The option without which it could not be tried, such as `--use-balance`; null if it was tried. Such a case does not count. */
  readonly needs: string | null;
  /** What players have more or less after it, though every debit was voided; absent if nobody has. */
  readonly left?: readonly MoneyLeft[];
  /** Why a failure or an undecided case is known and does not count; null unless it is excepted. */
  readonly exception: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
}

/** A call of a case and its answer, or in words what else was done, such as a kill of the wallet. */
export type Step = Exchange | string;

/** A case that the options of the run left out. */
export interface LeftOut extends Pick<Case, 'id' | 'group' | 'level' | 'rule' | 'expected'> {
  /** `without --load`, `left out by --only`. */
  readonly why: string;
}

/** What is known of the wallet's name and version. */
export interface WalletFacts {
  /** As the options say. */
  readonly name: string | null;
  readonly version: string | null;
  /** What the wallet sent as X-Wallet-Version; more than one if it changed during the run. */
  readonly sent: readonly string[];
}

/** Times of one kind of call, in milliseconds. */
export interface Timing {
  /** `doTransactions` or `getBalance`. */
  readonly call: string;
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** How many took at most `upToMs` and more than the bucket before; the last one has no limit (null). */
  readonly buckets: readonly { readonly upToMs: number | null; readonly count: number }[];
}

/** What a case has left of a player's money, in units of 10^-4 of the wire's number: below 0 if it is missing. */
export interface MoneyLeft {
  readonly playerId: string;
  readonly units: bigint;
  /** Set where the balance could not be read: it is what the case staked, and the player may have it or not. */
  readonly isUnread?: true;
}

/** A player's money over the run, in units of 10^-4 of the wire's number. */
export interface PlayerMoney {
  readonly playerId: string;
  readonly start: bigint;
  /** Null if it could not be read any more. */
  readonly end: bigint | null;
}

/**
 * `failed`: a required case failed, or was tried and stayed undecided, without an exception. `not run`: the wallet could
 * not be tried at all. `broken off`: no required case failed, but the wallet took no connection any more.
 */
export type Outcome = 'passed' | 'failed' | 'broken off' | 'not run';

/** What a run found. */
export interface CertificationResult {
  readonly outcome: Outcome;
  /** One sentence. */
  readonly summary: string;
  /** Of the package. */
  readonly version: string;
  readonly wallet: WalletFacts;
  /** Who ran it, as the options say. */
  readonly runBy: string | null;
  readonly seed: number;
  readonly profile: 'full' | 'specification';
  readonly urls: readonly string[];
  readonly operatorId: string;
  readonly currency: string;
  readonly gameCode: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly cases: readonly CaseResult[];
  /** What was not played at all. */
  readonly leftOut: readonly LeftOut[];
  readonly timings: readonly Timing[];
  readonly money: readonly PlayerMoney[];
  /** Most money, in units, that was staked and not yet given back at any time. */
  readonly mostAtRisk: bigint;
  /** SHA-256, in hex, of id and verdict of each case: two runs that found the same have the same. */
  readonly resultsHash: string;
}

/** Called while the run is in progress. */
export interface CertificationProgress {
  /** Called before each case. */
  begins(one: Case, index: number, count: number): void;
  /** Called after each case. */
  ended(result: CaseResult, index: number, count: number): void;
  /** A remark of a long case, such as `120 of 200 histories`. */
  note(text: string): void;
}
