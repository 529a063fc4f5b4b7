import type { Group, CaseResult, CertificationResult } from '../talk/case';
import { counts } from '../run/conclusion';

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

/** The cases by their message, in the order of the run. */
export function byMessage(cases: readonly CaseResult[]): (readonly [string, CaseResult[]])[] {
  const messages = new Map<string, CaseResult[]>();
  for (const one of cases) {
    const message = one.message ?? '';
    messages.set(message, [...(messages.get(message) ?? []), one]);
  }
  return [...messages];
}

/** `3 passed, 1 failed`: what is not 0, in words. */
export function tallyInWords(tally: Tally): string {
  const parts = standings
    .filter((standing) => tally[standing] > 0)
    .map((standing) => `${tally[standing]} ${standingNames[standing]}`);
  return parts.length === 0 ? 'no case' : parts.join(', ');
}

/** What the cases of each group ask, in one line. */
export const groupQuestions: Readonly<Record<Group, string>> = {
  basics: 'Does a balance, a round and a void work at all?',
  signature: 'Is a call with a wrong, old or missing signature refused, without moving money?',
  'request-form': 'Is a body or a header of the wrong form refused without an effect?',
  ordering: 'Are the transactions of a call applied in their order?',
  'partial-outcomes':
    'Does a reply say, transaction by transaction, what was done and what was refused?',
  idempotency: 'Does a repeated call move money once, and get the same answer?',
  'key-reuse': 'Does a known hash with other content move nothing?',
  voids: 'Does a void return a stake once, even if it arrives before its debit?',
  states: 'Does a round accept what its state allows, and nothing else?',
  credits: 'Is a credit paid exactly once, whatever its size and the balance?',
  concurrency: 'Do concurrent calls behave as if they came one after the other?',
  'free-plays': 'Is a free play free, and are its winnings paid?',
  amounts: 'Are amounts exact at every size, and wrong ones refused?',
  'get-balance': 'Does getBalance return what the player has, and nothing about others?',
  tenancy: 'Are operators, players and currencies kept apart?',
  replay: 'Is a captured signature useless for another call?',
  robustness: 'Does the wallet survive hostile and broken requests?',
  retention: 'Are hashes, rounds, voids and signatures still known after a restart?',
  histories: 'Do random histories of calls, repeats and voids end with the right money?',
  crashes: 'Is acknowledged money still there after the wallet is killed?',
  memory: 'Does the wallet still know at the end of a run what came at its beginning?',
  load: 'Does the wallet keep to the rules, and answer, under load?',
  blocks: 'Is a blocked player kept from new debits, and still paid?',
};

/** `get-balance` is `Get balance`. */
export function groupTitle(group: string): string {
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Cases by their standing, with those that were left out among the untried. */
export interface Counts extends Tally {
  readonly total: number;
}

/** Counts the cases of a run, or those of one level. */
export function countsOf(
  { cases, leftOut }: Pick<CertificationResult, 'cases' | 'leftOut'>,
  level: CaseResult['level'] | null = null,
): Counts {
  const isMeant = (one: Pick<CaseResult, 'level'>): boolean =>
    level === null || one.level === level;
  const [played, out] = [cases.filter(isMeant), leftOut.filter(isMeant)];
  const tally = tallyOf(played);
  const untried = tally.untried + out.length;
  return { ...tally, untried, total: played.length + out.length };
}

/** Counts by group, in the order of the cases; a group that was left out is at the end. */
export function countsByGroup({
  cases,
  leftOut,
}: Pick<CertificationResult, 'cases' | 'leftOut'>): (readonly [Group, Counts])[] {
  const names = new Set([...cases, ...leftOut].map(({ group }) => group));
  return [...names].map((name) => {
    const ofGroup = ({ group }: { readonly group: Group }): boolean => group === name;
    return [name, countsOf({ cases: cases.filter(ofGroup), leftOut: leftOut.filter(ofGroup) })];
  });
}

/** How a run ended, for a reader: a partial one passed, with required cases that were not tried or are excepted. */
export type Grade = 'whole' | 'partial' | 'failed' | 'unrun';

/** How a run ended. */
export function gradeOf(result: CertificationResult): Grade {
  if (result.outcome !== 'passed') return result.outcome === 'failed' ? 'failed' : 'unrun';
  const { untried, excepted } = countsOf(result, 'required');
  return untried + excepted === 0 ? 'whole' : 'partial';
}
