import { describe, expect, test } from '@jest/globals';

import { allCases, type CertificationOptions } from '../../../lib/proof/certify';
import { caughtBy } from './caught-by';
import { certifyPlanted, certifyPlantedProcess } from './planted';
import { PLANTS } from './wallets/plants.cjs';

const only: Partial<CertificationOptions> = { only: ['blocks'] };
const ids = allCases.filter(({ group }) => group === 'blocks').map(({ id }) => id);
/** The mistakes that a case of this group catches. */
const plants = Object.keys(caughtBy).filter((name) => ids.includes(caughtBy[name] ?? ''));

describe('a wallet that offers a block', () => {
  test('and keeps it passes each case of it, over a restart too', async () => {
    const { cases, outcome, money } = await certifyPlantedProcess([], only);
    const others = cases.filter(({ verdict }) => verdict !== 'passed');
    expect(others.map(({ id, message }) => ({ id, message }))).toEqual([]);
    expect(outcome).toBe('passed');
    expect(money.map(({ start, end }) => end === start)).toEqual([true, true]);
  });

  test.each(plants)('%s is found, which fails no run', async (plant) => {
    const play = PLANTS[plant]?.durable === true ? certifyPlantedProcess : certifyPlanted;
    const { cases, outcome } = await play([plant], only);
    const failed = cases.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    expect(failed).toContain(caughtBy[plant]);
    expect(outcome).toBe('passed');
  });

  test('may decide anew on what it refused, which differs in that case alone', async () => {
    const { cases } = await certifyPlanted(['refusals-of-block-forgotten'], only);
    const failed = cases.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    expect(failed).toEqual(['debit-refused-by-a-block-again']);
  });
});

describe('the block of a run', () => {
  test('is lifted after a case that failed, and after a run that was stopped', async () => {
    const stop = new AbortController();
    const acts: string[] = [];
    const { cases } = await certifyPlanted(['block-without-effect'], {
      ...only,
      signal: stop.signal,
      async block() {
        acts.push('block');
        stop.abort();
      },
      async unblock() {
        acts.push('unblock');
      },
    });
    expect(acts).toEqual(['block', 'unblock']);
    const [first, second] = cases.filter(({ group }) => group === 'blocks');
    expect(first).toMatchObject({ verdict: 'inconclusive' });
    expect(second?.message).toBe('not played: the run was stopped');
  });

  test('that cannot be lifted passes no case, and the report says so', async () => {
    const { cases } = await certifyPlanted([], {
      ...only,
      unblock: () => Promise.reject(new Error('the door is shut')),
    });
    const [first] = cases.filter(({ group }) => group === 'blocks');
    expect(first).toMatchObject({
      verdict: 'inconclusive',
      message: 'the door is shut',
      details: ['the player may still be blocked: the door is shut'],
    });
  });

  test('that is not lifted after a case leaves that case undecided', async () => {
    let lifted = 0;
    const { cases } = await certifyPlanted([], ({ unblock }) => ({
      ...only,
      // The first two cases lift it themselves.
      async unblock() {
        lifted += 1;
        if (lifted > 2) throw new Error('the door is shut');
        await unblock?.();
      },
    }));
    const [, , third] = cases.filter(({ group }) => group === 'blocks');
    expect(third).toMatchObject({
      id: 'blocked-follow-up-is-refused',
      verdict: 'inconclusive',
      message: 'the player may still be blocked: the door is shut',
    });
  });
});
