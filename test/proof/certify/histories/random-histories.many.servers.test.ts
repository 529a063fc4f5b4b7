import { describe, expect, test } from '@jest/globals';

import type { CaseResult } from '../../../../lib/proof/certify';
import { firstOf } from '../../../support/runs';
import { certifyPlanted } from '../planted';

const limitMs = 1_200_000;

async function historiesOn(plants: readonly string[], histories: number): Promise<CaseResult> {
  const long = { seed: 1, histories, kills: 0, load: null };
  const { cases } = await certifyPlanted(plants, { only: ['histories'], long });
  return cases.find(({ id }) => id === 'random-histories') as CaseResult;
}

describe('random histories against a wallet that shares no code with the library', () => {
  const legal = ['right', 'own-error-ids', 'declines-402', 'declined-debit-500'];
  test.each(firstOf(legal, 1))(
    'a wallet that is right passes, also where it differs in what is free: %s',
    async (name) => {
      const result = await historiesOn(name === 'right' ? [] : [name], 60);
      expect(result).toMatchObject({ verdict: 'passed', message: expect.stringMatching(/seed 1/) });
    },
    limitMs,
  );

  const mistakes = [
    'credits-paid-again',
    'void-keeps-credits',
    'void-keeps-follow-ups',
    'void-of-unknown-forgotten',
    'credit-after-end-accepted',
    'overdraft',
  ];
  test.each(firstOf(mistakes, 2))(
    'a mistake is found and shortened to at most six steps, with the seed to see it again: %s',
    async (plant) => {
      const { verdict, message, details, exchange } = await historiesOn([plant], 200);
      expect(verdict).toBe('failed');
      expect(message).toMatch(/\(seed 1, history \d+, call \d+\)$/);
      expect(details[0]).toMatch(/^seed 1, history \d+: \d+ steps, shortened to [1-6] in/);
      const calls = details.filter((line) =>
        /^\d+\. round [AB]: .* -> must be .* -> got /.test(line),
      );
      expect(calls.length).toBeGreaterThan(0);
      expect(calls.length).toBeLessThanOrEqual(6);
      expect(exchange).not.toBeNull();
    },
    limitMs,
  );
});
