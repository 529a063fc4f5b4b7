import type { Clock } from '../../../platform';
import { type CallFinding, callFindingRules } from '../../rounds/decision';
import { type FindingCode, findingRules } from '../../settlement/fate';
import type { FindingView } from '../view/wire';
import { maskTokens } from '../wire/mask';

/** What each finding of a provider's call says. */
const ofCalls: Readonly<Record<CallFinding, string>> = {
  noRoundId:
    'The round was started without externalGameProviderRoundId: a lost reply cannot be looked up.',
  stakeNotOffered: 'The stake is not in the ladder of the game, or outside minStake and maxStake.',
  multiplierTwice: 'The debit is a base stake multiplied twice by the currency multiplier.',
  ignoredOnAddedDebit:
    'An added bet has endGame, creditInformation, closeOpenGame or useJackpot: they are ignored.',
  noKey: 'The call has no idempotency key: repeated, it counts again.',
  rngCallIdTwice: 'One rngCallId came under two transaction ids: two wins were counted.',
  partialWager:
    'A part of the open amount was wagered, and rngResult.winAmount does not hold the rest.',
  twoOutcomes:
    'wagerInformation.winAmount and rngResult.winAmount differ: the latter becomes the open amount.',
  gambleNotEnabled: 'The operator does not allow gambles (gambleEnabled is false).',
  recordedAmountNotAdded: 'A winAmount was recorded, and the round closed without paying it.',
  spinsLeft: 'The round was closed with spins left.',
  maxExposure: "The round owes more than maxExposure of the operator's settings.",
};

/** What each finding of a wallet's answer says. */
const ofWallets: Readonly<Record<FindingCode, string>> = {
  errorUnderSuccess: 'A 2xx lists a transaction with an error.',
  refusedNothing: 'A 4xx lists no transaction with an error.',
  creditNotListed: 'A 2xx does not list the credit in hashesProcessed: it stays pending.',
  creditAnswered5xx: 'A call with a credit and no debit was answered 5xx.',
  processedBehindDeclined: 'A transaction after a declined debit was processed.',
  refusedAfterDeclinedDebit: 'A credit was refused after a declined added bet of its round.',
  listedNotSent: 'A hash is listed that the call did not have.',
  endRefused: 'The end of the round was refused.',
  voidRefused: 'A void was refused: it stays due, and the round needs a person in the end.',
};

/** One kind of finding. */
interface FindingEntry {
  readonly rule: string;
  readonly text: string;
}

/** What the other findings of the service say. */
const others: Readonly<Record<string, FindingEntry>> = {
  noEuroRate: {
    rule: 'E24.3',
    text: 'getStats has a currency without a rate: its amounts in euro are 0.',
  },
};

/** Each kind of finding of the service, by its code: the rule that it rests on, and one sentence. */
export const serviceFindings: Readonly<Record<string, FindingEntry>> = Object.freeze({
  ...entries(ofCalls, callFindingRules),
  ...entries(ofWallets, findingRules),
  ...others,
});

function entries<Code extends string>(
  texts: Readonly<Record<Code, string>>,
  rules: Readonly<Record<Code, string>>,
): Record<string, FindingEntry> {
  const codes = Object.keys(texts) as Code[];
  return Object.fromEntries(codes.map((code) => [code, { rule: rules[code], text: texts[code] }]));
}

/** A finding, as its source reports it. */
export interface Noticed {
  readonly id: string;
  readonly rule: string;
  readonly call: string | null;
  readonly round: string | null;
  readonly text: string;
}

/** More findings than these are counted, and not kept: the first say what is wrong. */
const maxKept = 10_000;

/** The findings of a sandbox: what is legal, and almost surely a mistake (E1.5). */
export class Findings {
  readonly #kept: FindingView[] = [];
  #count = 0;

  /** @param onFinding Called with each, for the terminal. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly onFinding: (finding: FindingView) => void = () => {},
  ) {}

  /** Also those that are not kept. */
  get count(): number {
    return this.#count;
  }

  /** @param wire The number of the call that the finding is about; null if that is not known. */
  add({ id, rule, call, round: named, text }: Noticed, wire: number | null): void {
    this.#count++;
    // A game may have sent its token as the round.
    const round = named === null ? null : maskTokens(named);
    const at = new Date(this.clock.now()).toISOString();
    const finding = { id, rule, call, round, text, at, wire };
    if (this.#kept.length < maxKept) this.#kept.push(Object.freeze(finding));
    this.onFinding(finding);
  }

  /** Oldest first. */
  list(): readonly FindingView[] {
    return [...this.#kept];
  }
}
