import { describe, expect, test } from '@jest/globals';

import { scenarios } from '../../lib/proof/demo/scenarios';
import { OPERATOR_ID, runCli, SECRET, startService, temporaryFile } from './cli';
import { startSandbox } from './sandbox-rig';

/** The storm is played by sandbox-storm.slow.test.ts. */
const short = scenarios.map(({ name }) => name).filter((name) => name !== 'storm');
const players = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100000' } }];

/** Where the books have more to say than that they agree. */
const verdicts: Readonly<Record<string, string>> = {
  signature: 'Nothing was played: the books are empty.',
  'blind-retry': 'The books agree, except for what a scenario did on purpose.',
};

describe('rgs-wallet sandbox play', () => {
  test('there are seventeen scenarios, each by a name of its own', () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(17);
  });

  test.each(short)('%s proves its point, prints the books and ends with 0', async (name) => {
    const { code, stdout, stderr } = await runCli(['sandbox', 'play', name, '--seed', '7']);
    expect(stdout).toContain(`${name}: proved.`);
    expect(stdout).toContain('The books');
    expect(stdout).toContain(`Again: rgs-wallet sandbox play ${name} --seed 7`);
    expect(stdout).toContain(verdicts[name] ?? '\nThe books agree.\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('--list prints each with what it shows', async () => {
    const { code, stdout } = await runCli(['sandbox', 'play', '--list']);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(17);
  });

  test.each([[[]], [['nonsense']]])(
    '%j is refused in one line that names them all',
    async (names) => {
      const { code, stderr } = await runCli(['sandbox', 'play', ...names]);
      expect(code).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('choose one of launch, spin,');
    },
  );
});

describe('rgs-wallet sandbox play with another party', () => {
  const env = { OPERATOR_ID, OPERATOR_SECRET: SECRET };

  test.each(['lost-win', 'poor', 'declined-double'])(
    '%s is proved by the wallet that serve runs',
    async (name) => {
      const file = await temporaryFile('players.json', players);
      const service = await startService(['--players', file]);
      const flags = ['--wallet', service.url, '--players', file];
      const { code, stdout } = await runCli(['sandbox', 'play', name, ...flags], { env });
      expect(stdout).toContain(`${name}: proved.`);
      expect(stdout + service.output()).not.toContain(SECRET);
      expect(code).toBe(0);
      await service.stop();
    },
  );

  test('another provider answers for the game; the rounds are played and booked here', async () => {
    const shared = { PROVIDER_SECRET: 'hush-hush-hush-hush-2' };
    const other = await startSandbox([], shared);
    const provider = /http:\S+\/rgs/.exec(other.output())?.[0] ?? '';
    const flags = ['--provider', provider, '--seed', '7'];
    const { code, stdout } = await runCli(['sandbox', 'play', 'blind-retry', ...flags], {
      env: shared,
    });
    expect(stdout).toContain('blind-retry: proved.');
    expect(stdout).toContain(`play blind-retry --seed 7 --provider ${provider}`);
    expect(code).toBe(0);
    await other.end();
  });

  test('a scenario that is not proved ends with 1 and says which claim failed', async () => {
    const file = await temporaryFile('players.json', players);
    const service = await startService(['--players', file]);
    const flags = ['--wallet', service.url, '--players', file];
    const wrong = { OPERATOR_ID, OPERATOR_SECRET: 'another-secret-of-24-char' };
    const { code, stdout } = await runCli(['sandbox', 'play', 'spin', ...flags], { env: wrong });
    expect(stdout).toMatch(/spin: FAILED\. connect was refused: 400/);
    expect(code).toBe(1);
    await service.stop();
  });
});
