import type { Clock } from '../../../platform';
import type { Actor, PlayerKey } from '../../wallet';
import type { OperationsStore } from '../configuration';
import { queryStore } from './query-store';

/** A player was blocked, or it was lifted. */
export interface BlockRow {
  readonly blocked: boolean;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Null where a program did it. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** The latest of a player, the newest first; null if the store does not keep who blocked. @throws StoreUnavailableError */
export async function viewBlocks(
  { store, clock }: { readonly store: OperationsStore; readonly clock: Clock },
  player: PlayerKey,
): Promise<readonly BlockRow[] | null> {
  if (store.blocks === undefined) return null;
  const found = await queryStore(clock, store.blocks(player));
  if (found.kind === 'noPlayer') return [];
  return found.blocks.map(({ at, ...block }) => ({ ...block, at: new Date(at).toISOString() }));
}
