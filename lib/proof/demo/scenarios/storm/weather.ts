import { faultKinds, lineNames } from '../../../../rgs/sandbox/lines/faults';
import type { SandboxApi } from '../context';

/** How often a call has each of the faults. */
export const probability = 0.008;
/** How long a late reply is held back, in milliseconds. */
const delayMs = 60;

/** Sets every fault on every line. */
export async function startFaults(api: SandboxApi): Promise<void> {
  for (const line of lineNames) {
    for (const kind of faultKinds) await api.fault({ line, kind, probability, delayMs });
  }
}
