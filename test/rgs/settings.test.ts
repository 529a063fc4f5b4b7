import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { EngineRefusedError } from '../../lib/protocol/engine-api/errors';
import type { GameSettings } from '../../lib/protocol/engine-api/replies';
import {
  createSettingsBook,
  offeredStakes,
  readLaunchOptions,
  settingForms,
} from '../../lib/rgs/settings';
import { textOf } from '../tidy/source';

const book = createSettingsBook(
  [
    {
      operatorId: 'casino',
      settings: { turboEnabled: false, homeURL: 'https://casino.example', minStake: 10 },
      profiles: { calm: { autoplayEnabled: false, minStake: 20, forceOrientation: 1 } },
    },
    { operatorId: 'other' },
  ],
  { SEK: '10', JPY: '1.5' },
);

function settingsOf(profile: string | null, options: GameSettings = {}, operatorId = 'casino') {
  return book.settingsFor({ operatorId, currencyMultiplier: '1', profile, options });
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('the schema of a settings file has the settings of game-engine-api 2.12, and no other', () => {
  const { definitions } = JSON.parse(textOf('schemas/options/sandbox-settings.json')) as {
    definitions: { gameSettings: { properties: object } };
  };
  const names = Object.keys(definitions.gameSettings.properties);
  expect(names.toSorted()).toEqual([...settingForms.keys()].toSorted());
});

describe('settings of a session (E21.1)', () => {
  test('by default every boolean of game-engine-api 2.12 is there, and nothing else', () => {
    const settings = settingsOf(null, {}, 'other');
    expect(Object.keys(settings)).toHaveLength(35);
    expect(Object.values(settings).every((value) => typeof value === 'boolean')).toBe(true);
    expect(settings).toMatchObject({ gambleEnabled: true, multipleInstancesAllowed: false });
  });

  test.each([
    ["the operator's own win over the defaults", null, {}, { turboEnabled: false, minStake: 10 }],
    ["the profile's win over the operator's", 'calm', {}, { autoplayEnabled: false, minStake: 20 }],
    ['launch options win over the profile', 'calm', { minStake: 30 }, { minStake: 30 }],
    ['what nobody names stays', 'calm', {}, { homeURL: 'https://casino.example' }],
    ['forceOrientation is a number', 'calm', {}, { forceOrientation: 1 }],
  ])('%s', (_, profile, options, expected) => {
    expect(settingsOf(profile, options)).toMatchObject(expected);
  });

  test('a profile is of one operator', () => {
    expect(book.hasProfile('casino', 'calm')).toBe(true);
    expect(book.hasProfile('other', 'calm')).toBe(false);
    expect(settingsOf('calm', {}, 'other')).toMatchObject({ autoplayEnabled: true });
  });

  test('minStake, maxStake, maxPackageStake and maxExposure are multiplied once, exactly', () => {
    const options = { minStake: 0.1, maxStake: 200, maxPackageStake: 7, maxExposure: 10_000_000 };
    const rest = { minSpinTime: 3, customStakes: [1, 2] };
    const choice = { operatorId: 'other', profile: null, options: { ...options, ...rest } };
    expect(book.settingsFor({ ...choice, currencyMultiplier: '3' })).toMatchObject({
      minStake: 0.3,
      maxStake: 600,
      maxPackageStake: 21,
      maxExposure: 30_000_000,
      ...rest,
    });
  });
});

describe('launch options (E21.1)', () => {
  test('null is absent, and a boolean may be a text (E4.3)', () => {
    const options = { turboEnabled: 'true', rcEnabled: false, homeURL: 'true', minStake: null };
    expect(readLaunchOptions(options)).toEqual({
      turboEnabled: true,
      rcEnabled: false,
      homeURL: 'true',
    });
  });

  test.each([
    ['a boolean that is a number', { turboEnabled: 1 }, 'options/turboEnabled must be a boolean'],
    ['a number that is a text', { rcInterval: '60' }, 'options/rcInterval must be a number'],
    ['a limit below 0', { minStake: -1 }, 'options/minStake must be a number from 0 to 2^53-1'],
    ['a text that is a number', { homeURL: 1 }, 'options/homeURL must be a text'],
    [
      'a list of other things',
      { customStakes: ['1'] },
      'options/customStakes must be a list of numbers',
    ],
    [
      'a list that is a text',
      { displayWinOdds: '1' },
      'options/displayWinOdds must be a list of texts',
    ],
    ['a misspelled name', { turboEnable: true }, 'did you mean turboEnabled?'],
  ])('%s is refused with 19, which says what is wrong', (_, options, detail) => {
    const error = thrownBy(() => readLaunchOptions(options));
    expect(error).toBeInstanceOf(EngineRefusedError);
    const { errorObject } = error as EngineRefusedError;
    expect(errorObject).toMatchObject({ id: 19, msg: expect.stringContaining(detail) });
  });

  test('an unknown name is not repeated', () => {
    const error = thrownBy(() => readLaunchOptions({ hunter2: true })) as EngineRefusedError;
    expect(error.errorObject.msg).not.toContain('hunter2');
  });
});

describe("a program's settings", () => {
  test.each([
    ['operators[0].settings.minStake must be', { settings: { minStake: '10' } }],
    ['operators[0].settings: settings are', { settings: { minStakes: 10 } }],
    ['operators[0].profiles.calm.rcEnabled must be', { profiles: { calm: { rcEnabled: 'true' } } }],
    ['operators[0].settings must be an object', { settings: [] }],
  ])('a TypeError says: %s', (message, over) => {
    const operators = [{ operatorId: 'casino', ...over }] as Parameters<
      typeof createSettingsBook
    >[0];
    expect(() => createSettingsBook(operators)).toThrow(TypeError);
    expect(() => createSettingsBook(operators)).toThrow(message);
  });

  test.each(['0', '-1', '1e3', 'six', '', '0.0'])(
    'a multiplier %j is a TypeError',
    (multiplier) => {
      expect(() => createSettingsBook([], { SEK: multiplier })).toThrow('multipliers.SEK');
    },
  );

  test('a currency without a multiplier has 1 (E21.2)', () => {
    expect(['SEK', 'JPY', 'EUR'].map((one) => book.multiplierOf(one))).toEqual(['10', '1.5', '1']);
  });
});

describe('the stakes that are offered (E7.3)', () => {
  test.each([
    ['whole limits', { minStake: 10, maxStake: 200 }, 10n, 200n],
    ['limits between two units', { minStake: 10.5, maxStake: 199.5 }, 11n, 199n],
    ['no limits', {}, null, null],
  ])('%s', (_, settings, min, max) => {
    expect(offeredStakes(settings, [10n])).toEqual({ ladder: [10n], min, max });
    expect(offeredStakes(settings, null).ladder).toBeNull();
  });

  test('limits are the base times the multiplier, for any decimals', () => {
    const hundredths = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(hundredths, fc.integer({ min: 1, max: 10_000 }), (base, factor) => {
        const settings = book.settingsFor({
          operatorId: 'other',
          currencyMultiplier: `${Math.trunc(factor / 100)}.${String(factor % 100).padStart(2, '0')}`,
          profile: null,
          options: { minStake: base / 100, maxStake: base / 100 },
        });
        const { min, max } = offeredStakes(settings, null);
        const exact = BigInt(base) * BigInt(factor);
        expect(max).toBe(exact / 10_000n);
        expect(min).toBe((exact + 9_999n) / 10_000n);
      }),
    );
  });
});
