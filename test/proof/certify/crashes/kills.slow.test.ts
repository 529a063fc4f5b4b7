import { describe, expect, test } from '@jest/globals';

import type { CertificationResult } from '../../../../lib/proof/certify';
import { certifyPlanted, certifyPlantedProcess } from '../planted';

const limitMs = 1_200_000;
const run = { only: ['crashes'], long: { seed: 1, histories: 0, kills: 8, load: null } };

function verdictsOf({ cases }: CertificationResult): Record<string, string> {
  const crashes = cases.filter(({ group }) => group === 'crashes');
  return Object.fromEntries(crashes.map(({ id, verdict }) => [id, verdict]));
}

describe('a wallet that is killed', () => {
  test(
    'one that keeps each call before it answers passes, whatever was in flight',
    async () => {
      const result = await certifyPlantedProcess([], run);
      expect(verdictsOf(result)).toEqual({
        'killed-between-calls': 'passed',
        'killed-during-calls': 'passed',
      });
      const during = result.cases.find(({ id }) => id === 'killed-during-calls');
      expect(during?.message).toMatch(/^6 kills with [1-9]\d* calls in doubt, [1-9]\d* calls sent/);
      expect(result.money.every(({ start, end }) => start === end)).toBe(true);
    },
    limitMs,
  );

  test.each([
    ['calls-not-kept', /after the kill, but it is/],
    ['rounds-forgotten-at-restart', /after each call came again, but it is/],
  ])(
    'one that forgets what it acknowledged fails: %s',
    async (plant, message) => {
      const result = await certifyPlantedProcess([plant], run);
      const between = result.cases.find(({ id }) => id === 'killed-between-calls');
      expect(between?.verdict).toBe('failed');
      expect(between?.message).toMatch(message);
    },
    limitMs,
  );

  test(
    'without the commands to kill and start it, the cases are not tried',
    async () => {
      expect(verdictsOf(await certifyPlanted([], run))).toEqual({
        'killed-between-calls': 'inconclusive',
        'killed-during-calls': 'inconclusive',
      });
    },
    limitMs,
  );
});
