import { describe, expect, test } from '@jest/globals';

import { Rig } from './rig';

describe('maxExposure (E21.1)', () => {
  const operators = [{ operatorId: 'casino', settings: { maxExposure: 50 } }];

  test('a round that comes to owe more than it is a finding, once, and is played on (E1.5)', async () => {
    const { rig, token } = await Rig.seated({ operators });
    await rig.run(rig.start(token, 'R', 100));
    await rig.run(rig.win(token, 'R', 50));
    expect(rig.findings.filter(({ code }) => code === 'maxExposure')).toEqual([]);
    expect(await rig.told(rig.wager(token, 'R', 50, 51, 'w1'))).toContain('open 51');
    await rig.run(rig.win(token, 'R', 10, true));
    expect(rig.findings).toContainEqual(
      expect.objectContaining({ code: 'maxExposure', rule: 'E21.1', call: 'wagerWin' }),
    );
    expect(rig.findings.filter(({ code }) => code === 'maxExposure')).toHaveLength(1);
  });

  test('a credit that comes with the start counts; the currency multiplier scales the bound', async () => {
    const { rig, token } = await Rig.seated({ operators, multipliers: { EUR: '2' } });
    await rig.run(rig.start(token, 'R', 100, { credit: 100, endGame: true }));
    expect(rig.findings.some(({ code }) => code === 'maxExposure')).toBe(false);
    await rig.run(rig.start(token, 'S', 100, { credit: 101, endGame: true }));
    expect(rig.findings).toContainEqual(
      expect.objectContaining({ code: 'maxExposure', call: 'startGameRound' }),
    );
  });
});
