import type { CaseContext } from './talk';

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
  'load',
] as const;

/** A group of cases. */
export type Group = (typeof groups)[number];

/** One rule, tried. */
export interface Case {
  /** Unique, in lower case with hyphens. */
  readonly id: string;
  readonly group: Group;
  /** `required` where the specification speaks, `advisory` where another reading is legal. */
  readonly level: 'required' | 'advisory';
  /** Where the rule stands: `Operator API 3, rule 2`; of an advisory one also its D-number. */
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
