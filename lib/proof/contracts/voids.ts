import assert from 'node:assert/strict';
import {
  callStart,
  decideStep,
  hashesNeeded,
  type RoundChange,
  unsignedDelivery,
} from '../../operator/gameround';
import type { RoundKey, WalletStore } from '../../operator/wallet';
import { assertCommitted, snapshotOf } from './case';

/** The change of a call that voids these hashes, as the use case decides it. */
export async function changeOfVoids(
  store: WalletStore,
  round: RoundKey,
  hashes: readonly string[],
): Promise<RoundChange> {
  const voids = hashes.map(
    (hash) => ({ type: 'void', hash, amount: null, currency: null }) as const,
  );
  const known = await snapshotOf(store, round, hashes);
  const needed = [...hashes, ...hashesNeeded(voids, known)];
  const { change } = decideStep(voids, callStart, await snapshotOf(store, round, needed), {
    gameRound: round.gameRound,
    gameCode: 'game',
    now: 1_700_000_000_000,
    delivery: unsignedDelivery('void'),
    refusals: new Map(),
    eligibleDiscounts: new Set(),
    policy: { useBonusFirst: false, creditTo: 'real' },
  });
  assert.ok(change !== null, 'a void that is new must be written');
  return change;
}

/** Voids these hashes; resolves to the change that was written. */
export async function commitVoids(
  store: WalletStore,
  round: RoundKey,
  ...hashes: readonly string[]
): Promise<RoundChange> {
  const change = await changeOfVoids(store, round, hashes);
  assertCommitted(await store.commit(round, change));
  return change;
}
