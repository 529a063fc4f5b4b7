import { describe, expect, test } from '@jest/globals';

import type { CaseResult } from '../../../../lib/proof/certify';
import { certifyPlanted } from '../planted';

async function loadOn(plants: readonly string[], rate = 40): Promise<CaseResult | undefined> {
  const long = { seed: 1, histories: 0, kills: 0, load: { rate, seconds: 1 } };
  const { cases } = await certifyPlanted(plants, { only: ['load'], long });
  return cases.find(({ id }) => id === 'fixed-rate');
}

describe('rounds at a fixed rate', () => {
  test('the remark has the latencies from when a round was due, and says that it is no benchmark', async () => {
    const result = await loadOn([]);
    expect(result?.verdict).toBe('passed');
    expect(result?.message).toMatch(
      /^40 rounds at 40 a second for 1 s; debits from when they were due: p50 \d+ ms, p90 \d+ ms, p99 \d+ ms, max \d+ ms; whole rounds: .*; no errors; this is no benchmark/,
    );
  });

  test('a wallet whose credits are answered 5xx under load fails (operator-api 4.1, rule 6)', async () => {
    let result: CaseResult | undefined;
    // Whether a credit meets another call is up to the machine: most runs have one.
    for (let run = 0; run < 20 && result?.verdict !== 'failed'; run++) {
      result = await loadOn(['concurrent-call-500'], 250);
    }
    expect(result).toMatchObject({ verdict: 'failed' });
  });
});
