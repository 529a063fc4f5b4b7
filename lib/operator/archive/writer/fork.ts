import { Frontier } from '../tlog';
import type { CheckpointFile } from './checkpoints';
import type { GrowingLog } from './growing-log';
import { damaged, type Sealed } from './sealed';

/** The log must continue what was signed: a checkpoint of another log would contradict what is anchored. */
export function refuseFork(
  { latest }: CheckpointFile,
  log: GrowingLog,
  { records, log: sealed }: Sealed,
  roots: ReadonlyMap<number, Buffer>,
): void {
  if (latest === null) return;
  const { size, root } = latest;
  if (size > log.size) {
    throw damaged('The folder', `it was signed at ${size} events, and has ${log.size}`);
  }
  const before = new Frontier();
  for (const { range } of size <= sealed.size ? records : []) {
    if (before.size < size) for (const subtree of range) before.add(subtree);
  }
  const known = before.size === size ? before.root() : roots.get(size);
  if (known !== undefined && !known.equals(root)) {
    throw damaged('The folder', `its first ${size} events are other than those that were signed`);
  }
}
