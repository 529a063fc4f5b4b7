import { EngineRefusedError, type GameSettings } from '../../protocol/engine-api';
import { listKnownNames } from '../../platform/validation';
import { type SettingForm, settingForms } from './names';

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
export function checkSettings(settings: unknown, option: string): GameSettings {
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
