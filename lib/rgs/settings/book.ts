import type { GameSettings } from '../../protocol/engine-api';
import { decimalOf } from '../../protocol/money';
import { multiplied } from './amounts';
import { defaultGameSettings } from './names';
import { checkSettings } from './read';

/** What an operator sets about games (E21.1). */
export interface OperatorSettings {
  readonly operatorId: string;
  /** They win over the defaults; none unless given. */
  readonly settings?: GameSettings;
  /** They win over `settings`, if the launch names one. */
  readonly profiles?: Readonly<Record<string, GameSettings>>;
}

/** Which settings are wanted; a session's grant and its owner have all of it. */
export interface SettingsChoice {
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
