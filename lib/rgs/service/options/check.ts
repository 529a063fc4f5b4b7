import { checkOptionNames, type OptionNames } from '../../../platform/validation';
import { decimalOf } from '../../../protocol/money';
import { type Ages, defaultAges, defaultSettings, type Readings } from '../../rounds';
import { defaultSessionTimes, type SessionTimes } from '../../sessions';
import { type Game, optionalMembers, type RgsServiceOptions, type ServiceRules } from './types';

const maker = 'createRgsService';

/** The names of {@link ServiceRules}. */
export const serviceRuleNames: OptionNames<ServiceRules> = {
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
  spendQueriedIds: true,
  applyDiscounts: true,
  omitRngRequestId: true,
  optionalMembers: true,
  MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: true,
};

const names: OptionNames<RgsServiceOptions> = {
  journal: true,
  wallet: true,
  provider: true,
  games: true,
  operators: true,
  engineUrl: true,
  clock: true,
  realClock: true,
  random: true,
  draws: true,
  chance: true,
  ...serviceRuleNames,
  onFinding: true,
  logger: true,
};

const readings: { readonly [Name in keyof Readings]: readonly Readings[Name][] } = {
  partialWager: ['replace', 'keepRest'],
  startWin: ['record', 'open'],
  openRounds: ['perPlayer', 'perGame'],
};

const objects = ['journal', 'wallet', 'provider'] as const;
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
 * Checks the options; the settings of operators and the multipliers are checked where they are read.
 * @throws TypeError naming the option that is wrong; no value is repeated
 */
export function checkOptions(options: RgsServiceOptions): void {
  checkOptionNames(maker, options, names);
  for (const name of objects) {
    must(name, 'be an object', typeof options[name] === 'object' && options[name] !== null);
  }
  for (const name of ['engineUrl', 'onFinding'] as const) {
    const isGiven = name === 'engineUrl' || options[name] !== undefined;
    must(name, 'be a function', !isGiven || typeof options[name] === 'function');
  }
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
  checkGames(options.games);
  checkOperators(options.operators);
  for (const [currency, rate] of Object.entries(options.euroRates ?? {})) {
    const isRate = typeof rate === 'string' && decimalOf(rate) !== null;
    must(`euroRates.${currency}`, 'be a decimal text', isRate);
  }
  const { demoBalance } = options;
  const isBalance =
    demoBalance === undefined || (typeof demoBalance === 'bigint' && demoBalance >= 0n);
  must('demoBalance', 'be a bigint of 0 or more', isBalance);
}

function checkChoices({ batching, readings: chosen = {} }: RgsServiceOptions): void {
  const ways = ['combined', 'separate', 'mixed', undefined];
  must('batching', 'be combined, separate or mixed', ways.includes(batching));
  for (const [name, value] of Object.entries(chosen)) {
    const allowed: readonly string[] = Object.hasOwn(readings, name)
      ? readings[name as keyof Readings]
      : [];
    must(`readings.${name}`, `be ${allowed.join(' or ') || 'left out'}`, allowed.includes(value));
  }
}

function checkGames(games: readonly Game[]): void {
  must('games', 'be a list with a game', Array.isArray(games) && games.length > 0);
  const codes = new Set<string>();
  for (const [at, { gameCode, gameProviderId, name, launchUrl }] of games.entries()) {
    for (const [member, value] of Object.entries({ gameCode, gameProviderId, name })) {
      must(`games[${at}].${member}`, 'be a text', typeof value === 'string' && value !== '');
    }
    must(`games[${at}].launchUrl`, 'be a URL', URL.canParse(launchUrl));
    must(`games[${at}].gameCode`, 'be given once', !codes.has(gameCode));
    codes.add(gameCode);
  }
}

function checkOperators(operators: RgsServiceOptions['operators']): void {
  must('operators', 'be a list', Array.isArray(operators));
  const ids = new Set<string>();
  for (const [at, { operatorId }] of operators.entries()) {
    const isText = typeof operatorId === 'string' && operatorId !== '';
    must(`operators[${at}].operatorId`, 'be a text', isText);
    must(`operators[${at}].operatorId`, 'be given once', !ids.has(operatorId));
    ids.add(operatorId);
  }
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
  if (!isRight) throw new TypeError(`${maker}: ${option} must ${what}`);
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
