import type { Case } from '../cases';
import { curlOf, type Exchange } from '../client';
import type { CaseResult, Verdict } from '../outcome/result';
import { type CaseContext, CaseFailure, NotTried, Undecided } from '../talk';

/** How one case ended. */
export interface Ending {
  readonly verdict: Verdict;
  readonly message: string | null;
  readonly details: readonly string[];
  readonly exchange: Exchange | null;
  readonly needs: string | null;
}

const nothing = { message: null, details: [], exchange: null, needs: null };

/**
 * Plays a case. Never rejects: where the case itself breaks it is undecided, so that the stakes are given back and the
 * other results are not lost.
 */
export async function playCase(one: Case, context: CaseContext): Promise<Ending> {
  try {
    const remark = await one.play(context);
    return { ...nothing, verdict: 'passed', message: remark ?? null };
  } catch (error) {
    if (error instanceof CaseFailure) return endingOf('failed', error);
    if (!(error instanceof Undecided)) {
      return endingOf('inconclusive', new Undecided(`the case itself broke: ${String(error)}`));
    }
    const needs = error instanceof NotTried ? error.option : null;
    return { ...endingOf('inconclusive', error), needs };
  }
}

/** A case that is not played, and why; `needs` is the option without which what it depends on was not tried. */
export function notPlayed(why: string, needs: string | null = null): Ending {
  return { ...nothing, verdict: 'inconclusive', message: why, needs };
}

function endingOf(verdict: Verdict, { message, evidence }: CaseFailure | Undecided): Ending {
  const { exchange = null, details = [] } = evidence;
  return { ...nothing, verdict, message, details, exchange };
}

/** The result of a case. */
export function resultOf(
  one: Case,
  ending: Ending,
  exception: string | null,
  times: Pick<CaseResult, 'at' | 'durationMs'>,
): CaseResult {
  const { id, group, level, rule, given, when, expected, otherwise } = one;
  const { exchange } = ending;
  return {
    id,
    group,
    level,
    rule,
    given,
    when,
    expected,
    ...(otherwise === undefined ? {} : { otherwise }),
    ...ending,
    curl: exchange === null ? null : curlOf(exchange),
    exception: ending.verdict === 'passed' ? null : exception,
    ...times,
  };
}
