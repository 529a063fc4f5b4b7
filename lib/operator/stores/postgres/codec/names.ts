import type { PlayerKey, RoundKey } from '../../../wallet';

/** The parameters that name a player. */
export function ofPlayer({ operatorId, playerId }: PlayerKey) {
  return { of_operator: operatorId, of_player: playerId } as const;
}

/** The parameters that name a round. */
export function ofRound({ operatorId, playerId, gameRound }: RoundKey) {
  return { of_operator: operatorId, of_player: playerId, of_round: gameRound } as const;
}

/** One text for a player, for maps. */
export function nameOf({ operatorId, playerId }: PlayerKey): string {
  return `${operatorId}#${playerId}`; // no identifier has a #
}
