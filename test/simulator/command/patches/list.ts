import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Migration,
  migrations,
} from '../../../../lib/operator/stores/postgres/schema/migrations';
import { type Find, hunt, type OpenHost, type Plant } from '../..';
import { modelOf } from '../../../servers/in-process/postgres/host';
import type { Patch } from './patch';
import { partyPatches } from './parties';
import { portPatches } from './ports';
import { httpPatches } from './http';
import { accountPatches } from './accounts';
import { eventPatches } from './events';
import { limitPatches } from './limits';
import { limitProgramPatches } from './limits-in-programs';
import { repairPatches } from './repairs';
import { retentionPatches } from './retention';
import { rulePatches } from './rules';
import { sqlPatches } from './sql';

const { loadPatched, patchedText } = require('../load-patched.cjs') as {
  loadPatched: (patch: Patch) => {
    readonly simulator: typeof import('../..');
    /** The host of a store with scripts. */
    readonly openHost: OpenHost;
  };
  patchedText: (patch: Patch) => string;
};

const lib = join(__dirname, '../../../../lib');

/** The file with the bug in it. @throws Error if what it replaces is not there exactly once. */
export { patchedText };

/** All bugs of the code itself. */
export const patches: readonly Patch[] = [
  ...rulePatches,
  ...repairPatches,
  ...accountPatches,
  ...eventPatches,
  ...retentionPatches,
  ...limitPatches,
  ...limitProgramPatches,
  ...portPatches,
  ...partyPatches,
  ...httpPatches,
  ...sqlPatches,
];

/** Which worlds are played. */
interface Where {
  readonly seeds: readonly number[];
  readonly calls: number;
}

/** Plays worlds of patched code until one shows the bug; null if none of these seeds does. */
export async function huntPatched(patch: Patch, where: Where): Promise<Find | null> {
  if (patch.file.endsWith('.sql')) return huntInSql(patch, where);
  const { simulator, openHost } = loadPatched(patch);
  if (patch.history !== undefined) {
    const file = join(__dirname, '../../../regressions', `${patch.history}.json`);
    const { plan, faults } = simulator.readSeedFile(readFileSync(file, 'utf8'));
    const { violation } = await simulator.playPlan(plan, { faults });
    return violation && { seed: plan.seed, calls: violation.calls, rule: violation.rule };
  }
  return simulator.hunt(plain(patch), where, openHost);
}

/** The migrations with the bug in the one that its file is a part of. */
export function migrationsWith(patch: Patch): Migration[] {
  const text = readFileSync(join(lib, patch.file), 'utf8');
  const patched = patchedText(patch);
  return migrations.map((one) => ({ ...one, source: one.source.replace(text, () => patched) }));
}

/** The same with a migration that has the bug: the code is as it is. */
async function huntInSql(patch: Patch, where: Where): Promise<Find | null> {
  const { open, close } = modelOf(migrationsWith(patch));
  try {
    return await hunt(plain(patch), where, open);
  } finally {
    await close();
  }
}

function plain({ name, breaks, store = 'memory', wire = 'message', ...rest }: Patch): Plant {
  return { name, breaks, store, wire, isObservable: rest.isObservable ?? true, plant: () => ({}) };
}
