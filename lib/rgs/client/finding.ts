/** What a line noticed that is almost surely a mistake of the other side (E1.5). */
export interface LineFinding {
  readonly id: LineFindingId;
  /** The rule that it rests on. */
  readonly rule: string;
  /** Name of the call. */
  readonly call: string;
  /** Null if the call is not about a round. */
  readonly round: string | null;
  /** For the engineer; of what was received it repeats at most a status, a content type, a number and currencies. */
  readonly text: string;
}

/** What the findings of the lines are named by. */
export type LineFindingId = keyof typeof lineFindings;

/** Each finding of the lines: the rule that it rests on, and its text. */
const lineFindings = Object.freeze({
  walletRefusesSignature: {
    rule: 'operator-api 5',
    text: 'The wallet refuses our signature: check operator id, secret, clock and the order of the signed fields.',
  },
  routerRefusesSignature: {
    rule: 'E23.1',
    text: 'Your router refuses our signature: check provider id, secret and clock, and that the secret stands first in the signed string (E2.8).',
  },
  balanceUnreadable: {
    rule: 'operator-api 2.2',
    text: 'No balance is known:',
  },
  walletUnreadable: {
    rule: 'operator-api 4',
    text: 'The wallet did not answer as a wallet:',
  },
  configurationInvalid: {
    rule: 'E21.3',
    text: 'The configuration lacks a mandatory member, or has another game, currency or multiplier than requested.',
  },
  resultInvalid: {
    rule: 'E23.2',
    text: 'The reply to getGameResult lacks the requested gameRound.',
  },
  filesInvalid: {
    rule: 'E23.1',
    text: 'The reply to certifiedfiles is not a list of {file, hash}.',
  },
  cannotBeSent: {
    rule: 'D1.6',
    text: 'No party of this id is configured, or a signed field cannot be signed: nothing was sent.',
  },
});

/**
 * Takes findings; what it throws is ignored.
 * @param about The request to the line, as it was given; null for a call without such an object.
 */
export type FindingListener = (finding: LineFinding, about: object | null) => void;

/** What a finding is about. */
interface FoundIn {
  readonly call: string;
  readonly round: string | null;
  /** The request to the line. */
  readonly about: object | null;
}

/**
 * Reports a finding; a listener that throws must not fail the call.
 * @param detail Ends the text of those that end with a colon.
 */
export function reportFinding(
  listener: FindingListener | null,
  id: LineFindingId,
  { call, round, about }: FoundIn,
  detail = '',
): void {
  if (listener === null) return;
  const { rule, text: beginning } = lineFindings[id];
  const text = detail === '' ? beginning : `${beginning} ${detail}`;
  try {
    listener(Object.freeze({ id, rule, call, round, text }), about);
  } catch {
    // What the listener throws is ignored.
  }
}
