import type { Exchange } from '../client';

/** What a failure shows besides its sentence. */
export interface Evidence {
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
