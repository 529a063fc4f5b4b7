import type { Clock, Logger, Random } from '../../../platform';
import { isTimeZone } from '../../../platform/time/zone-days';
import type { OptionNames } from '../../../platform/validation';
import { decimalOf } from '../../../protocol/money/amount';
import type { Journal } from '../../journal/port';
import type { Cause, ProviderLine, WalletLine } from '../../ports';
import { type Ages, type Batching, defaultAges } from '../../rounds/delivery';
import { defaultSettings, type Readings } from '../../rounds/context';
import { defaultSessionTimes, type SessionTimes } from '../../session-tokens';
import type { OperatorSettings } from '../../settings';
import { defaultCounting, type StatisticsCounting } from '../../statistics';

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
const optionalMembers = [
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
  /** How getStats counts; by start, in UTC, voids restated (E24.3). */
  readonly statistics?: Partial<StatisticsCounting>;
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
export type ServiceRules = Pick<RgsServiceOptions, keyof typeof serviceRuleNames>;

/** The names of {@link ServiceRules}. */
export const serviceRuleNames = {
  readings: true,
  enforceStakes: true,
  zeroCredits: true,
  collectBeforeAddedBet: true,
  batching: true,
  replyWithinMs: true,
  sessionTimes: true,
  ages: true,
  janitorEveryMs: true,
  retentionMs: true,
  demoBalance: true,
  multipliers: true,
  euroRates: true,
  statistics: true,
  spendQueriedIds: true,
  applyDiscounts: true,
  omitRngRequestId: true,
  optionalMembers: true,
  MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: true,
} as const satisfies Partial<OptionNames<RgsServiceOptions>>;

const readings: { readonly [Name in keyof Readings]: readonly Readings[Name][] } = {
  partialWager: ['replace', 'keepRest'],
  startWin: ['record', 'open'],
  openRounds: ['perPlayer', 'perGame'],
};

const flags = [
  'enforceStakes',
  'zeroCredits',
  'collectBeforeAddedBet',
  'spendQueriedIds',
  'applyDiscounts',
  'omitRngRequestId',
] as const;
const times = ['replyWithinMs', 'janitorEveryMs', 'retentionMs'] as const;

/**
 * Checks the rules; the multipliers are checked where they are read.
 * @throws TypeError that names the option of the sandbox; no value is repeated
 */
export function checkRules(options: ServiceRules): void {
  for (const name of flags) {
    must(name, 'be a boolean', ['boolean', 'undefined'].includes(typeof options[name]));
  }
  for (const name of times) checkTime(name, options[name]);
  const { MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: seconds = 1 } = options;
  const isSeconds = Number.isSafeInteger(seconds) && seconds >= 1;
  must(
    'MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS',
    'be a whole number of seconds, 1 or more',
    isSeconds,
  );
  const { optionalMembers: sent = [] } = options;
  const isKnown = Array.isArray(sent) && sent.every((name) => optionalMembers.includes(name));
  must('optionalMembers', `be a list of ${optionalMembers.join(', ')}`, isKnown);
  checkTimes('sessionTimes', options.sessionTimes, defaultSessionTimes);
  checkTimes('ages', options.ages, defaultAges);
  checkChoices(options);
  checkCounting(options.statistics ?? {});
  for (const [currency, rate] of Object.entries(options.euroRates ?? {})) {
    const isRate = typeof rate === 'string' && decimalOf(rate) !== null;
    must(`euroRates.${currency}`, 'be a decimal text', isRate);
  }
  const { demoBalance } = options;
  const isBalance =
    demoBalance === undefined || (typeof demoBalance === 'bigint' && demoBalance >= 0n);
  must('demoBalance', 'be a bigint of 0 or more', isBalance);
}

function checkChoices({ batching, readings: chosen = {} }: ServiceRules): void {
  const ways = ['combined', 'separate', 'mixed', undefined];
  must('batching', 'be combined, separate or mixed', ways.includes(batching));
  for (const [name, value] of Object.entries(chosen)) {
    const allowed: readonly string[] = Object.hasOwn(readings, name)
      ? readings[name as keyof Readings]
      : [];
    must(`readings.${name}`, `be ${allowed.join(' or ') || 'left out'}`, allowed.includes(value));
  }
}

function checkCounting(counting: Partial<StatisticsCounting>): void {
  for (const name of Object.keys(counting)) {
    must(`statistics.${name}`, 'be left out', Object.hasOwn(defaultCounting, name));
  }
  const { by, zone, voids } = { ...defaultCounting, ...counting };
  must('statistics.by', 'be start or end', by === 'start' || by === 'end');
  must('statistics.zone', 'be a time zone such as Europe/Malta', isTimeZone(zone));
  must('statistics.voids', 'be restated or dated', voids === 'restated' || voids === 'dated');
}

function checkTimes(
  option: string,
  given: Partial<SessionTimes> | Partial<Ages> | undefined,
  known: object,
): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    must(`${option}.${name}`, 'be left out', Object.hasOwn(known, name));
    checkTime(`${option}.${name}`, value);
  }
}

function checkTime(option: string, value: unknown): void {
  const isTime = Number.isSafeInteger(value) && Number(value) >= 1;
  must(option, 'be a whole number of milliseconds, 1 or more', value === undefined || isTime);
}

function must(option: string, what: string, isRight: boolean): void {
  if (!isRight) throw new TypeError(`createSandbox: service.${option} must ${what}`);
}

/** The settings of rounds, complete (E1.6). */
export function roundSettingsOf(options: RgsServiceOptions): typeof defaultSettings {
  const { enforceStakes, zeroCredits, collectBeforeAddedBet } = options;
  return {
    readings: { ...defaultSettings.readings, ...options.readings },
    enforceStakes: enforceStakes ?? defaultSettings.enforceStakes,
    zeroCredits: zeroCredits ?? defaultSettings.zeroCredits,
    collectBeforeAddedBet: collectBeforeAddedBet ?? defaultSettings.collectBeforeAddedBet,
  };
}
