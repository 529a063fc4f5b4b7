import { describe, expect, test } from '@jest/globals';

import { startCarelessWallet } from './careless-wallet';
import { OPERATOR_ID, runCli, SECRET, startService, temporaryFile } from './cli';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
const env = { OPERATOR_ID, OPERATOR_SECRET: SECRET };
const players = ['ann', 'bob'].map((playerId) => ({
  playerId,
  currency: 'EUR',
  balances: { real: '100000' },
}));

/** The lines of all scenarios at a wallet, with ann and bob in turn. */
async function playAll(wallet: string): Promise<{ code: number | null; stdout: string }> {
  const flags = ['--port', '0', '--exit', '--seed', '7', '--wallet', wallet];
  return runCli(['sandbox', ...flags], { env });
}

describe('rgs-wallet sandbox --exit --wallet', () => {
  test('a wallet that is right is proved by all scenarios, with ann and bob alone (B3)', async () => {
    const file = await temporaryFile('players.json', players);
    const service = await startService(['--players', file]);
    cleanup.after(service);
    const { code, stdout } = await playAll(service.url);
    expect(stdout).toContain('\n17 of 17 scenarios proved their point.\n');
    expect(stdout).toContain('\nThe books agree, except for what a scenario did on purpose.\n');
    expect(stdout).toContain('  1000 of 1000 rounds\n');
    expect(stdout.split('\n').length).toBeLessThan(1000);
    expect(code).toBe(0);
  });

  test('one mistake fails what it touches, and the last lines say what failed first (D3.1)', async () => {
    const wallet = await startCarelessWallet({ forgetsHashes: true });
    cleanup.after(wallet);
    const { code, stdout } = await playAll(wallet.url);
    expect(stdout).toContain('\n15 of 17 scenarios proved their point.\n');
    expect(stdout).toContain('\nFailed: lost-win, storm (lost-win failed first)\n');
    expect(stdout).toContain('\nThe books do NOT agree.\n');
    expect(code).toBe(1);
  });
});
