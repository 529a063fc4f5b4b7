/** The form of a setting's value (game-engine-api 2.12). */
export type SettingForm = 'flag' | 'number' | 'amount' | 'text' | 'numbers' | 'texts';

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
export const amountNames = ['minStake', 'maxStake', 'maxPackageStake', 'maxExposure'] as const;

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
export const defaultGameSettings: Readonly<Record<string, boolean>> = Object.freeze(
  Object.fromEntries(flags.map((name) => [name, onByDefault.includes(name)])),
);

function formed(names: readonly string[], form: SettingForm): [string, SettingForm][] {
  return names.map((name) => [name, form]);
}
