import { describe, expect, test } from '@jest/globals';

import { runs } from '../../support/runs';
import { seeds } from '../../support/seed';
import { certifyPlanted } from './planted';
import { printRun } from './run-line';

/** Wallets that read the specification in another way than this library, where both ways are right: by plants. */
const readings: Readonly<Record<string, readonly string[]>> = {
  'by the letter, in whole numbers': [
    // An initial debit that comes again is a second one (4.1, rule 3).
    'initial-repeat-is-12',
    // A failed debit leaves what came before it, declines every later credit, and may be decided anew.
    'decline-never-cleared',
    'refusals-forgotten',
    'end-after-failed-debit-accepted',
    'follow-up-void-keeps-credits',
    'connections-closed',
    'decimals-refused',
    'zero-credit-refused',
    'boolean-texts-refused',
    'types-in-small-letters',
    'void-amount-demanded',
    'first-flag-demanded',
    'unknown-fields-refused',
    'discount-ignored',
    'declines-402',
  ],
  'a call as one, known by hashes of all rounds': [
    'debits-fall-together',
    'one-lock',
    'late-debit-answered-200',
    'hash-known-of-other-rounds',
    'hash-by-type',
    'hash-case-folded',
    'processed-out-of-order',
    'balances-missing-on-refusal',
    'top-error-code-missing',
    'repeat-shows-old-balances',
    'amounts-with-zeros',
    'bonus-listed-first',
    'further-reply-fields',
    'own-error-ids',
  ],
};

const wallets = Object.entries({ 'as this library does': [], ...readings });

describe.each(wallets)('a wallet that reads the specification %s', (name, plants) => {
  test.each(seeds(runs(20, 1)))('fails no required case, by seed %d', async (seed) => {
    const result = await certifyPlanted(plants, {
      long: { seed, histories: runs(200, 40) },
    });
    printRun(`a wallet ${name}`, seed, result);
    const { outcome, cases, money } = result;
    const required = cases.filter((one) => one.level === 'required' && one.verdict !== 'passed');
    const told = required.filter(({ needs }) => needs === null);
    expect(told.map(({ id, verdict, message }) => `${id} ${verdict}: ${message}`)).toEqual([]);
    expect(outcome).toBe('passed');
    expect(money.map(({ start, end }) => end === start)).toEqual([true, true]);
  });
});
