import type { Case, CaseResult, LeftOut } from '../talk/case';
import type { CertificationOptions } from './options';

/** The cases that a plan does not hold, and the option that left each out. */
export function leftOutOf(
  all: readonly Case[],
  plan: readonly Case[],
  { only, profile, long }: Pick<CertificationOptions, 'only' | 'profile' | 'long'>,
): LeftOut[] {
  const planned = new Set(plan);
  const whyOf = ({ id, group, level }: Case): string => {
    if (only !== undefined && !only.includes(id) && !only.includes(group)) {
      return 'left out by --only';
    }
    if (group === 'load' && (long?.load ?? null) === null) return 'without --load';
    return profile === 'specification' && level === 'advisory'
      ? 'left out by --profile specification'
      : 'left out';
  };
  return all
    .filter((one) => !planned.has(one))
    .map((one) => {
      const { id, group, level, rule, expected } = one;
      return { id, group, level, rule, expected, why: whyOf(one) };
    });
}

/** Everything that was not tried: what needed an option, and what was left out. */
export function untriedOf({
  cases,
  leftOut,
}: {
  readonly cases: readonly CaseResult[];
  readonly leftOut: readonly LeftOut[];
}): LeftOut[] {
  const needing = cases.flatMap(({ id, group, level, rule, expected, needs }) =>
    needs === null ? [] : [{ id, group, level, rule, expected, why: `without ${needs}` }],
  );
  return [...needing, ...leftOut];
}

/** The same by the reason, the most frequent first. */
export function byReason(untried: readonly LeftOut[]): (readonly [string, readonly LeftOut[]])[] {
  const reasons = new Map<string, LeftOut[]>();
  for (const one of untried) reasons.set(one.why, [...(reasons.get(one.why) ?? []), one]);
  return [...reasons].toSorted(([, one], [, other]) => other.length - one.length);
}

/** `8 without --kill and --start; 3 left out by --only`; the number is left out where there is one reason. */
export function reasonsInWords(untried: readonly LeftOut[]): string {
  const reasons = byReason(untried);
  return reasons
    .map(([why, { length }]) => (reasons.length === 1 ? why : `${length} ${why}`))
    .join('; ');
}
