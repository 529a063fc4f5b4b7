import type { CallOptions } from '../../protocol/client/run-call';
import { InvalidRequestError } from '../../protocol/client/errors';
import { Inquiry, type InquiryParts } from './inquiry';
import type { LostCall, LostRound, Recovery } from './lost';
import type { RecoveryPolicy } from './step';

/** Options of recover. */
export interface RecoverOptions extends CallOptions {
  /** At most 20,000, which is also the default (S2.6). */
  readonly timeoutMs?: number;
  /** `repeatFirst` unless set. `endOnly` is the published guidance, which loses a win that is not found (S2.5). */
  readonly policy?: RecoveryPolicy;
}

/** Longest time of one recovery, in milliseconds (S2.6). */
const longestMs = 20_000;

/**
 * Finds out how a lost call ended, and brings it to its end: asks for the round, and repeats the same request
 * at most once, where the RGS cannot count it twice. Never sends a start (S2).
 * @throws EngineClientError: that of the lost call where its outcome stays unknown; INVALID_REQUEST for
 * options or a lost call that do not fit.
 */
export async function recover(
  parts: InquiryParts,
  given: LostRound,
  options: RecoverOptions = {},
): Promise<Recovery> {
  checkLost(given);
  const { timeoutMs = longestMs, policy = 'repeatFirst', signal } = options;
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > longestMs) {
    throw wrong('timeoutMs', `must be a whole number from 1 to ${longestMs}`);
  }
  if (policy !== 'repeatFirst' && policy !== 'endOnly') {
    throw wrong('policy', 'must be repeatFirst or endOnly');
  }
  return new Inquiry(parts, given, policy, timeoutMs, signal).run();
}

const kinds: readonly LostCall['call'][] = [
  'start',
  'addBet',
  'addWin',
  'wagerWin',
  'spin',
  'end',
  'collect',
  'void',
];

function checkLost({ token, gameRound, lost, last }: LostRound): void {
  for (const [name, value] of Object.entries({ token, gameRound })) {
    if (typeof value !== 'string' || value === '') throw wrong(name, 'must be a text');
  }
  if (last === undefined) throw wrong('last', 'must be the last reply seen, or null');
  if (!kinds.includes(lost.call)) throw wrong('lost/call', `must be one of ${kinds.join(', ')}`);
  const named = gameRoundOf(lost);
  if (named === undefined) throw wrong('lost/request', 'must name the round');
  if (named !== gameRound) throw wrong('lost/request', 'names another round');
}

function gameRoundOf({ call, request }: LostCall): string | undefined {
  const isDebit = call === 'start' || call === 'addBet';
  return isDebit ? request.externalGameProviderRoundId : request.gameRound;
}

function wrong(field: string, problem: string): InvalidRequestError {
  return new InvalidRequestError('recover', field, problem);
}
