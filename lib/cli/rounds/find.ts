import type { PlayerKey, RoundKey, WalletStore } from '../../operator/wallet';
import { CommandFailure, messageOf } from '../terminal/failure';

/** What is said where a store has no list of a player's rounds. */
export const noHistory =
  "The store keeps no list of a player's rounds. In Redis, start every process of the wallet with --history (option history: true): rounds from then on are listed. Until then name the round: rgs-wallet rounds show --player ... --round ...";

/**
 * The newest round of the player with this hash.
 * @throws Error if no round has it, or the store did not answer.
 */
export async function findByHash(
  store: WalletStore,
  { operatorId, playerId }: PlayerKey,
  hash: string,
): Promise<RoundKey> {
  let cursor: string | undefined;
  let searched = 0;
  for (;;) {
    const query = { operatorId, playerId, hash, ...(cursor === undefined ? {} : { cursor }) };
    const result = (await store.findRound?.(query)) ?? { kind: 'off' };
    if (result.kind === 'found') return result.round;
    if (result.kind === 'off') throw new Error(noHistory);
    if (result.kind === 'unknown') {
      throw new Error(`The store did not answer: ${messageOf(result.cause)}`);
    }
    searched += result.searched;
    if (result.next === null) {
      throw new Error(
        `No round of player ${playerId} of operator ${operatorId} has the hash: searched ${searched}.`,
      );
    }
    cursor = result.next;
  }
}

/** @throws CommandFailure unless one of both is given. */
export function checkChoice(round: string | undefined, hash: string | undefined): void {
  if ((round === undefined) === (hash === undefined)) {
    throw new CommandFailure('Name the round with --round, or one of its hashes with --hash.');
  }
}
