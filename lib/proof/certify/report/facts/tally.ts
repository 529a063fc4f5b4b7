import type { Group } from '../../cases';
import type { CaseResult } from '../../outcome/result';
import { counts } from '../../run/conclusion';

/** Every {@link Standing}, in the order of the columns. */
export const standings = ['passed', 'failed', 'inconclusive', 'untried', 'excepted'] as const;

/**
 * How a case stands in the report. One that needs an option is untried; an excepted one failed or stayed
 * undecided for a known reason. Neither counts.
 */
export type Standing = (typeof standings)[number];

/** Every {@link Standing} as a reader knows it. */
export const standingNames: Readonly<Record<Standing, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  untried: 'not tried',
  excepted: 'excepted',
};

/** How a case stands. */
export function standingOf({ verdict, needs, exception }: CaseResult): Standing {
  if (verdict === 'passed') return verdict;
  if (needs !== null) return 'untried';
  return exception === null ? verdict : 'excepted';
}

/** Cases by their standing. */
export type Tally = Readonly<Record<Standing, number>>;

/** Counts cases by their standing. */
export function tallyOf(cases: readonly CaseResult[]): Tally {
  const tally = { passed: 0, failed: 0, inconclusive: 0, untried: 0, excepted: 0 };
  for (const one of cases) tally[standingOf(one)] += 1;
  return tally;
}

/** Whether the run cannot pass because of the case: required, without an exception, and not passed. */
export function isDecisive(one: CaseResult): boolean {
  return counts(one);
}

/** The cases of one group. */
export interface GroupCases {
  readonly group: Group;
  readonly cases: readonly CaseResult[];
  readonly tally: Tally;
}

/** The cases by group, both in the order of the run. */
export function byGroup(cases: readonly CaseResult[]): GroupCases[] {
  const groups = new Map<Group, CaseResult[]>();
  for (const one of cases) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups].map(([group, list]) => ({ group, cases: list, tally: tallyOf(list) }));
}

/** `3 passed, 1 failed`: what is not 0, in words. */
export function tallyInWords(tally: Tally): string {
  const parts = standings
    .filter((standing) => tally[standing] > 0)
    .map((standing) => `${tally[standing]} ${standingNames[standing]}`);
  return parts.length === 0 ? 'no case' : parts.join(', ');
}
