import { listKnownNames } from '../platform/validation';
import { EngineRefusedError } from '../protocol/engine-api/errors';
import type { GameSettings } from '../protocol/engine-api/replies';
import {
  decimalOf,
  type ExactDecimal,
  formatAmount,
  shortestForm,
  timesDecimal,
  wholeOf,
} from '../protocol/money/amount';
import type { OfferedStakes } from './rounds/context';

/** The settings with their amounts in the player's currency: base units times the multiplier, once (E21.1). */
function multiplied(settings: GameSettings, multiplier: string): GameSettings {
  const factor = decimalOf(multiplier) ?? { digits: 1n, scale: 0 };
  const amounts = amountNames.flatMap((name): [string, number][] => {
    const amount = exactOf(settings[name]);
    if (amount === null) return [];
    const { digits, scale } = timesDecimal(amount, factor);
    return [[name, Number(formatAmount(digits, scale))]];
  });
  return { ...settings, ...Object.fromEntries(amounts) };
}

/**
 * The stakes that a debit may have (E7.3): the provider's ladder, null if it is unknown, and the limits of
 * the settings, which are multiplied already. A limit between two units allows the units within it.
 */
export function offeredStakes(
  settings: GameSettings,
  ladder: readonly bigint[] | null,
): OfferedStakes {
  const [min, max] = [exactOf(settings['minStake']), exactOf(settings['maxStake'])];
  return {
    ladder,
    min: min === null ? null : wholeOf(min, 'up'),
    max: max === null ? null : wholeOf(max, 'down'),
  };
}

/** The most that a round may owe, in whole units; null if the settings, multiplied already, have none (E21.1). */
export function maxExposureOf(settings: GameSettings): bigint | null {
  const most = exactOf(settings['maxExposure']);
  return most === null ? null : wholeOf(most, 'down');
}

/** The decimal that a number is written as; so 0.1 times 3 is 0.3. Null if it is no amount. */
function exactOf(value: unknown): ExactDecimal | null {
  return typeof value === 'number' ? decimalOf(shortestForm(String(value))) : null;
}

/** The form of a setting's value (game-engine-api 2.12). */
type SettingForm = 'flag' | 'number' | 'amount' | 'text' | 'numbers' | 'texts';

const flags = [
  'autoplayEnabled',
  'autoplayLossLimitRequired',
  'displayCoins',
  'displayJackpotOdds',
  'displayRTP',
  'displayXRTP',
  'gambleEnabled',
  'multipleInstancesAllowed',
  'rcDisplayWinLoss',
  'rcEnabled',
  'stopEnabled',
  'turboEnabled',
  'homeEnabled',
  'dynamicMinSpinTime',
  'packageBuyEnabled',
  'operatorHandlesErrors',
  'displayClock',
  'isSocial',
  'displayCurrency',
  'partialCollectEnabled',
  'hideCompanyLogo',
  'abbreviateAmounts',
  'showExactRTP',
  'forceDefaultStake',
  'disableFullScreenMobile',
  'displayPaytableOnEnterGame',
  'displayNetPosition',
  'hideDemoBalance',
  'preventRedirect',
  'refreshDisabled',
  'displaySessionTimer',
  'skipWinsEqualToOrLessThanStake',
  'reportAnimationEnd',
  'autoplayShowTotalStake',
  'translateErrors',
] as const;

/** Amounts in base units, which the currency's multiplier scales once (E21.1). */
const amountNames = ['minStake', 'maxStake', 'maxPackageStake', 'maxExposure'] as const;

const numbers = [
  'forceOrientation',
  'minLoadTime',
  'minSpinTime',
  'rcInterval',
  'defaultStakeIndex',
  'sessionTimeoutInSeconds',
];
const texts = [
  'historyURL',
  'homeURL',
  'loadMsg',
  'topupURL',
  'redirectTarget',
  'lossLimitURL',
  'jurisdiction',
  'launcherType',
  'currencyToDisplay',
];

/** Every setting by its name, in the order of game-engine-api 2.12. */
export const settingForms: ReadonlyMap<string, SettingForm> = new Map<string, SettingForm>([
  ...formed(flags, 'flag'),
  ...formed(amountNames, 'amount'),
  ...formed(numbers, 'number'),
  ...formed(texts, 'text'),
  ['customStakes', 'numbers'],
  ['doNotStoreSettings', 'texts'],
  ['displayWinOdds', 'texts'],
]);

/** What a game may do unless configured otherwise. */
const onByDefault: readonly (typeof flags)[number][] = [
  'autoplayEnabled',
  'displayCurrency',
  'displayRTP',
  'gambleEnabled',
  'homeEnabled',
  'partialCollectEnabled',
  'packageBuyEnabled',
  'stopEnabled',
  'turboEnabled',
];

/** Every boolean of GameSettings; the other settings are absent unless an operator sets them (E21.1). */
const defaultGameSettings: Readonly<Record<string, boolean>> = Object.freeze(
  Object.fromEntries(flags.map((name) => [name, onByDefault.includes(name)])),
);

function formed(names: readonly string[], form: SettingForm): [string, SettingForm][] {
  return names.map((name) => [name, form]);
}

/** What a value of each form must be, for errors. */
const musts: Readonly<Record<SettingForm, string>> = {
  flag: 'must be a boolean',
  number: 'must be a number',
  amount: 'must be a number from 0 to 2^53-1',
  text: 'must be a text',
  numbers: 'must be a list of numbers',
  texts: 'must be a list of texts',
};

/**
 * The launch options of getGameURL, read (E21.1): null is absent, booleans may be texts (E4.3).
 * @throws EngineRefusedError 19 that names a wrong option; of an unknown one it says what is known
 */
export function readLaunchOptions(options: Readonly<Record<string, unknown>>): GameSettings {
  const present = Object.entries(options).filter(([, value]) => value !== null);
  const settings = Object.fromEntries(present.map(([name, value]) => [name, flagOf(name, value)]));
  const fault = faultOf(settings);
  if (fault === null) return settings as GameSettings;
  const detail = fault.name === null ? fault.problem : `options/${fault.name} ${fault.problem}`;
  throw new EngineRefusedError('INVALIDPARAMETER', 'E21.1', undefined, detail);
}

/**
 * Settings that a program gives, as they are.
 * @param option Its name in the options, for the error.
 * @throws TypeError that names what is wrong
 */
function checkSettings(settings: unknown, option: string): GameSettings {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new TypeError(`${option} must be an object of settings`);
  }
  const fault = faultOf(settings);
  if (fault === null) return { ...settings };
  throw new TypeError(
    fault.name === null
      ? `${option}: ${fault.problem}`
      : `${option}.${fault.name} ${fault.problem}`,
  );
}

/** The first thing wrong; the name is null where it is not a known one, and so is not repeated. */
function faultOf(settings: object): { name: string | null; problem: string } | null {
  const names = Object.keys(settings);
  for (const [name, value] of Object.entries(settings)) {
    const form = settingForms.get(name);
    if (form === undefined) {
      return { name: null, problem: listKnownNames('settings', names, [...settingForms.keys()]) };
    }
    if (!isOfForm(value, form)) return { name, problem: musts[form] };
  }
  return null;
}

function isOfForm(value: unknown, form: SettingForm): boolean {
  if (form === 'numbers') return Array.isArray(value) && value.every(Number.isFinite);
  if (form === 'texts')
    return Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (form === 'flag') return typeof value === 'boolean';
  if (form === 'text') return typeof value === 'string';
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return form === 'number' || (value >= 0 && value <= Number.MAX_SAFE_INTEGER);
}

function flagOf(name: string, value: unknown): unknown {
  const isText = settingForms.get(name) === 'flag' && (value === 'true' || value === 'false');
  return isText ? value === 'true' : value;
}

/** What an operator sets about games (E21.1). */
export interface OperatorSettings {
  readonly operatorId: string;
  /** They win over the defaults; none unless given. */
  readonly settings?: GameSettings;
  /** They win over `settings`, if the launch names one. */
  readonly profiles?: Readonly<Record<string, GameSettings>>;
}

/** Which settings are wanted; a session's grant and its owner have all of it. */
interface SettingsChoice {
  readonly operatorId: string;
  readonly currencyMultiplier: string;
  /** Null if there is none. */
  readonly profile: string | null;
  /** Of the launch, read; none for getOperatorSettings. */
  readonly options: GameSettings;
}

/** The settings of every operator, and the multiplier of every currency (E21). It never changes. */
export interface SettingsBook {
  /** The decimal text of a currency's multiplier; `1` unless it is set (E21.2). */
  multiplierOf(currency: string): string;
  /** False for a profile that the operator does not have: the launch is refused with 19. */
  hasProfile(operatorId: string, profile: string): boolean;
  /** Defaults, then the operator's settings, its profile, the launch options; amounts multiplied (E21.1). */
  settingsFor(choice: SettingsChoice): GameSettings;
}

/**
 * Reads the settings of operators and the multipliers of currencies.
 * @throws TypeError that names a wrong option
 */
export function createSettingsBook(
  operators: readonly OperatorSettings[],
  multipliers: Readonly<Record<string, string>> = {},
): SettingsBook {
  const factors = new Map(Object.entries(multipliers));
  for (const [currency, factor] of factors) checkMultiplier(currency, factor);
  const own = new Map<string, GameSettings>();
  const profiles = new Map<string, GameSettings>();
  for (const [nth, { operatorId, settings = {}, profiles: named = {} }] of operators.entries()) {
    const option = `operators[${nth}]`;
    own.set(operatorId, checkSettings(settings, `${option}.settings`));
    for (const [name, one] of Object.entries(named)) {
      const checked = checkSettings(one, `${option}.profiles.${name}`);
      profiles.set(JSON.stringify([operatorId, name]), checked);
    }
  }
  const profileOf = (operatorId: string, profile: string | null): GameSettings | undefined =>
    profiles.get(JSON.stringify([operatorId, profile]));
  return {
    multiplierOf: (currency) => factors.get(currency) ?? '1',
    hasProfile: (operatorId, profile) => profileOf(operatorId, profile) !== undefined,
    settingsFor({ operatorId, currencyMultiplier, profile, options }) {
      const chosen = {
        ...defaultGameSettings,
        ...own.get(operatorId),
        ...profileOf(operatorId, profile),
        ...options,
      };
      return multiplied(chosen, currencyMultiplier);
    },
  };
}

function checkMultiplier(currency: string, multiplier: unknown): void {
  const factor = typeof multiplier === 'string' ? decimalOf(multiplier) : null;
  if (factor === null || factor.digits === 0n) {
    throw new TypeError(`multipliers.${currency} must be a decimal text above 0, such as '6'`);
  }
}
