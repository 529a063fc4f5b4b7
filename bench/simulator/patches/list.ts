import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Find, Plant } from '../../../lib/proof/simulator';
import type { Patch } from './patch';
import { partyPatches } from './parties';
import { portPatches } from './ports';
import { httpPatches } from './http';
import { accountPatches } from './accounts';
import { repairPatches } from './repairs';
import { retentionPatches } from './retention';
import { rulePatches } from './rules';

const { loadPatched, patchedText } = require('../load-patched.cjs') as {
  loadPatched: (entry: string, patch: Patch) => typeof import('../../../lib/proof/simulator');
  patchedText: (patch: Patch) => string;
};

/** The file with the bug in it. @throws Error if what it replaces is not there exactly once. */
export { patchedText };

/** All bugs of the code itself. */
export const patches: readonly Patch[] = [
  ...rulePatches,
  ...repairPatches,
  ...accountPatches,
  ...retentionPatches,
  ...portPatches,
  ...partyPatches,
  ...httpPatches,
];

/** Plays worlds of patched code until one shows the bug; null if none of these seeds does. */
export async function huntPatched(
  patch: Patch,
  where: { readonly seeds: readonly number[]; readonly calls: number },
): Promise<Find | null> {
  const { hunt, playPlan, readSeedFile } = loadPatched('proof/simulator/index.ts', patch);
  if (patch.history !== undefined) {
    const file = join(__dirname, '../../../test/regressions', `${patch.history}.json`);
    const { plan, faults } = readSeedFile(readFileSync(file, 'utf8'));
    const { violation } = await playPlan(plan, { faults });
    return violation && { seed: plan.seed, calls: violation.calls, rule: violation.rule };
  }
  const { name, breaks, store = 'memory', wire = 'message', isObservable = true } = patch;
  const plain: Plant = { name, breaks, store, wire, isObservable, plant: () => ({}) };
  return hunt(plain, where);
}
