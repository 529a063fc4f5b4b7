import { beforeAll, expect, test } from '@jest/globals';
import { migrationsWith } from '../../simulator/command/patches/list';
import { lockPatches } from '../../simulator/command/patches/locks';
import { migrations } from '../../../lib/operator/stores/postgres/schema/migrations';
import { startPostgres } from '../../servers/postgres/server';
import { variantOf, variants } from './variants';
import { walkPairs } from './walk';
import { serverOfFile } from '../../support/each-test';

const server = serverOfFile(() =>
  startPostgres({ settings: { deadlock_timeout: '10ms', fsync: 'off' } }),
);

beforeAll(async () => {
  // Nothing here is about the disk.
});

/** With STOPS=all every pair is stopped at every place. */
const stops = process.env['STOPS'] === 'all' ? 'all' : 'inTurn';

test.each(variants.map((variant) => [variant.name, variant] as const))(
  'over %s two operations at once come to what they come to one after the other',
  async (_, variant) => {
    const url = await server().createDatabase();
    const walked = await walkPairs(url, { variant, migrations, stops });
    const { pairs, waited, findings, deadlocks } = walked;
    process.stdout.write(`pairs, ${variant.name}: ${pairs} of statements, ${waited} waited\n`);
    expect(findings).toEqual([]);
    // In tables of its own the platform blocks all accounts of a player in any order, and repeats it.
    if (variant.place === 'accounts') expect(deadlocks).toBe(0);
    expect(waited).toBeGreaterThan(pairs / 10);
  },
);

test.each(lockPatches.map((patch) => [patch.name, patch] as const))(
  'a planted lock fault is found: %s',
  async (_, patch) => {
    const url = await server().createDatabase();
    const { findings, deadlocks, pairs } = await walkPairs(url, {
      variant: variantOf(patch.variant),
      migrations: migrationsWith(patch),
      isFirst: ({ name }) => name === patch.first,
      stops: 'all',
      untilFound: true,
    });
    const [{ way, first, second } = { way: 'deadlocks', first: `${deadlocks}`, second: '' }] =
      findings;
    process.stdout.write(`${patch.name}: after ${pairs}, ${way}: ${first}; ${second}\n`);
    expect(findings.length + deadlocks).toBeGreaterThan(0);
  },
);
