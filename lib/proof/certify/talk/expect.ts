import { type Answer, described } from './answer';
import type { Exchange } from '../client';

/** What a refusal must look like. */
export interface Refusal {
  /** Exactly this status; any 4xx or 5xx unless set (operator-api 7, rule 2). */
  readonly status?: number;
  /** This error id at the top. */
  readonly id?: number;
}

/** @throws CaseFailure unless the call was answered 2xx, without an error at the top or for a hash. */
export function mustSucceed(answer: Answer, what: string): Answer {
  const refused = answer.processed.find(({ error }) => error !== null);
  if (answer.meaning !== 'success' || answer.error !== null) {
    throw new CaseFailure(`${what} must be answered 200, but got ${described(answer)}`, answer);
  }
  if (refused !== undefined) {
    const why = `200 with error ${refused.error?.id ?? 'without an id'} for a hash`;
    throw new CaseFailure(`${what} must succeed, but got ${why}`, answer);
  }
  return answer;
}

/** @throws CaseFailure unless the call was refused with a status of 400 or above (operator-api 7, rule 2). */
export function mustBeRefused(answer: Answer, what: string, { status, id }: Refusal = {}): Answer {
  const fits = status === undefined ? answer.status >= 400 : answer.status === status;
  const wanted = [
    status === undefined ? '4xx or 5xx' : String(status),
    ...(id === undefined ? [] : [`error ${id}`]),
  ].join(' with ');
  if (!fits || (id !== undefined && answer.error?.id !== id)) {
    throw new CaseFailure(
      `${what} must be answered ${wanted}, but got ${described(answer)}`,
      answer,
    );
  }
  return answer;
}

/** @throws CaseFailure unless a whole HTTP reply came, whatever it says. */
export function mustAnswer(answer: Answer, what: string): Answer {
  if (answer.exchange.reply.kind === 'reply') return answer;
  throw new CaseFailure(`${what} must be answered, but got ${described(answer)}`, answer);
}

/** @throws CaseFailure, with the call that shows it, unless the condition holds. */
export function must(holds: boolean, message: string, answer?: Answer): asserts holds {
  if (!holds) throw new CaseFailure(message, answer);
}

/** For the set-up of a case. @throws Undecided unless the call succeeded. */
export function given(answer: Answer, what: string): Answer {
  try {
    return mustSucceed(answer, what);
  } catch (error) {
    if (!(error instanceof CaseFailure)) throw error;
    throw new Undecided(`the set-up failed: ${error.message}`, error.evidence);
  }
}

/** The verdict of a hash in `hashesProcessed`: processed, refused with an error, or not listed. */
export function verdictOf(answer: Answer, hash: string): 'processed' | 'refused' | 'not listed' {
  const listed = answer.processed.find((item) => item.hash === hash);
  if (listed === undefined) return 'not listed';
  return listed.error === null ? 'processed' : 'refused';
}

/** @throws CaseFailure unless the wallet decides on the hash so (operator-api 2.3). */
export function mustSay(
  answer: Answer,
  hash: string,
  wanted: 'processed' | 'refused' | 'not listed',
  what: string,
): Answer {
  const said = verdictOf(answer, hash);
  must(said === wanted, `${what} must be ${wanted} in hashesProcessed, but it is ${said}`, answer);
  return answer;
}

/** What a failure shows besides its sentence. */
interface Evidence {
  /** The call that shows it. */
  readonly exchange?: Exchange;
  /** Further lines, such as a shrunk history. */
  readonly details?: readonly string[];
}

/** The wallet broke the case's rule. The message says what was expected and what came, in one sentence. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure';

  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message);
  }
}

/** The case could not be decided: the set-up was refused, or what it needs was not given. */
export class Undecided extends Error {
  override readonly name = 'Undecided';

  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message);
  }
}

/** The case was not tried: it needs an option that was not given. It counts neither for nor against the wallet. */
export class NotTried extends Undecided {
  /** @param option As on the command line, such as `--use-balance`. */
  constructor(readonly option: string) {
    super(`not tried: it needs ${option}`);
  }
}
