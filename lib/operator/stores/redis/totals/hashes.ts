import { scripts } from '../commands/scripts';
import type { Executor } from '../connection/executor';
import { piecesOf } from '../../../../platform/pieces';

/** Hashes that one script reads: Redis serves nobody else meanwhile. */
const hashesAtOnce = 96;

/** Hashes that have one hash tag, in the order of their keys. */
export async function readHashes(
  executor: Executor,
  targets: readonly string[],
): Promise<Map<string, string>[]> {
  const hashes: Map<string, string>[] = [];
  for (const some of piecesOf(targets, hashesAtOnce)) {
    const call = { targets: some };
    const replies = (await executor.run(scripts.readHashes, call)) as string[][];
    hashes.push(...replies.map((reply) => new Map(pairs(reply))));
  }
  return hashes;
}

/** A flat list of names and values. */
export function* pairs(reply: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < reply.length; at += 2) yield [reply[at] ?? '', reply[at + 1] ?? ''];
}
