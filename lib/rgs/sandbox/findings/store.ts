import type { Clock } from '../../../platform';
import type { FindingView } from '../view';
import { maskTokens } from '../wire';

/** A finding, as its source reports it. */
export interface Noticed {
  readonly id: string;
  readonly rule: string;
  readonly call: string | null;
  readonly round: string | null;
  readonly text: string;
}

/** The findings of a sandbox: what is legal, and almost surely a mistake (E1.5). */
export interface Findings {
  /** @param wire The number of the call that the finding is about; null if that is not known. */
  add(finding: Noticed, wire: number | null): void;
  /** Oldest first. */
  list(): readonly FindingView[];
  readonly count: number;
}

/** More findings than these are counted, and not kept: the first say what is wrong. */
const maxKept = 10_000;

/**
 * A store without findings.
 * @param onFinding Called with each, for the terminal.
 */
export function createFindingStore(
  clock: Clock,
  onFinding: (finding: FindingView) => void = () => {},
): Findings {
  const kept: FindingView[] = [];
  let count = 0;
  return {
    add({ id, rule, call, round: named, text }, wire) {
      count++;
      // A game may have sent its token as the round.
      const round = named === null ? null : maskTokens(named);
      const at = new Date(clock.now()).toISOString();
      const finding = { id, rule, call, round, text, at, wire };
      if (kept.length < maxKept) kept.push(Object.freeze(finding));
      onFinding(finding);
    },
    list: () => [...kept],
    get count() {
      return count;
    },
  };
}
