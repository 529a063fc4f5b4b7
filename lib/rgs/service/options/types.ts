import type { Clock, Logger, Random } from '../../../platform';
import type { Journal } from '../../journal';
import type { Ages, Batching, Readings } from '../../rounds';
import type { SessionTimes } from '../../sessions';
import type { OperatorSettings } from '../../settings';
import type { Cause, ProviderLine, WalletLine } from '../lines';

/** A game, and the provider that it is of (E2.7). */
export interface Game {
  readonly gameCode: string;
  readonly gameProviderId: string;
  readonly name: string;
  /** The page of the game; token, login and lang are added to it (E5.1). */
  readonly launchUrl: string;
}

/** Something legal that is almost surely a mistake (E1.5). */
export interface ServiceFinding {
  /** Milliseconds of the service's clock. */
  readonly at: number;
  /** A code, such as `noRoundId`. */
  readonly code: string;
  /** The rule that it rests on. */
  readonly rule: string;
  /** The call that showed it. */
  readonly call: string;
  /** Null if it concerns no round. */
  readonly gameProviderId: string | null;
  readonly gameRound: string | null;
  /** The transaction; null if it concerns the whole call. */
  readonly hash: string | null;
  /** The number of the call that showed it, if its maker gave one; null for what a wallet showed. */
  readonly cause: Cause;
}

/** Members of replies that a remote game server may send, and that this one has no use for (C2). */
export const optionalMembers = [
  'commonDraw',
  'commonRoundHash',
  'feature',
  'promotions',
  'promoWinInfo',
] as const;

/** One of {@link optionalMembers}. */
export type OptionalMember = (typeof optionalMembers)[number];

/** The options of the service. */
export interface RgsServiceOptions {
  readonly journal: Journal;
  readonly wallet: WalletLine;
  readonly provider: ProviderLine;
  readonly games: readonly Game[];
  readonly operators: readonly OperatorSettings[];
  /** The URL of the engine and browser calls, such as http://127.0.0.1:8090/gameapi/v2; asked at each launch. */
  readonly engineUrl: () => string;
  /** The service's clock, which a sandbox can move on; the machine's unless given (E1.3). */
  readonly clock?: Clock;
  /** Real time, for time limits; the machine's unless given. */
  readonly realClock?: Clock;
  /** For tokens and ids; the machine's unless given. */
  readonly random?: Random;
  /** For getRandomResult; `random` unless given (E22.1). */
  readonly draws?: Random;
  /** For batching `mixed`; `random` unless given. */
  readonly chance?: Random;
  readonly readings?: Partial<Readings>;
  /** Refuses a stake that is not offered; false (E7.3). */
  readonly enforceStakes?: boolean;
  /** Sends a credit of 0; false (E12.3). */
  readonly zeroCredits?: boolean;
  /** Credits the open amount before an added debit; false (W12). */
  readonly collectBeforeAddedBet?: boolean;
  /** How transactions are put into calls; combined (W7). */
  readonly batching?: Batching | 'mixed';
  /** Milliseconds within which an engine call is answered; 8,000 (E15.3). */
  readonly replyWithinMs?: number;
  readonly sessionTimes?: Partial<SessionTimes>;
  readonly ages?: Partial<Ages>;
  /** Pause between two runs of the janitor; an hour (E16.3). */
  readonly janitorEveryMs?: number;
  /** After which a round at rest leaves; 30 days (B4). */
  readonly retentionMs?: number;
  /** Units that a player of DEMO starts with; 100,000 (E19.1). */
  readonly demoBalance?: bigint;
  /** A decimal text by currency; 1 for any other (E21.2). */
  readonly multipliers?: Readonly<Record<string, string>>;
  /** Euro for one of a currency, a decimal text; 1 for EUR (E24.3). */
  readonly euroRates?: Readonly<Record<string, string>>;
  /** An id that a query was answered 15 for is spent; true (E14.1). */
  readonly spendQueriedIds?: boolean;
  /** Applies a discount of the operator to a debit that fulfils it; true (E17.3). */
  readonly applyDiscounts?: boolean;
  /** Leaves rngRequestId out; false (E22.1). */
  readonly omitRngRequestId?: boolean;
  /** Members that are sent although they mean nothing here, so that a client meets them; none (E14.5). */
  readonly optionalMembers?: readonly OptionalMember[];
  /** Seconds that an entry of player data lives at most in DEMO; 86,400 (E20.3). */
  readonly MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS?: number;
  readonly onFinding?: (finding: ServiceFinding) => void;
  readonly logger?: Logger;
}

/** The rules and limits among them. */
export type ServiceRules = Pick<
  RgsServiceOptions,
  | 'readings'
  | 'enforceStakes'
  | 'zeroCredits'
  | 'collectBeforeAddedBet'
  | 'batching'
  | 'replyWithinMs'
  | 'sessionTimes'
  | 'ages'
  | 'janitorEveryMs'
  | 'retentionMs'
  | 'demoBalance'
  | 'multipliers'
  | 'euroRates'
  | 'spendQueriedIds'
  | 'applyDiscounts'
  | 'omitRngRequestId'
  | 'optionalMembers'
  | 'MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS'
>;
