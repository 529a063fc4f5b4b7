import type { Owner } from '../../rounds';

/** Whose lane a call takes: a player of an operator, in one mode (E15.3). */
export interface PlayerName {
  readonly operatorId: string;
  readonly playerId: string;
  readonly mode: string;
}

/** The key of a player; no id holds a control character. */
export function playerKey({ operatorId, playerId, mode }: PlayerName): string {
  return `${operatorId}\n${playerId}\n${mode}`;
}

/** The key of a round: its id is of its provider (E15.1). */
export function roundKey(gameProviderId: string, gameRound: string): string {
  return `${gameProviderId}\n${gameRound}`;
}

/** The key of an owner, for whom one object is enough. */
export function ownerKey(owner: Owner): string {
  const { gameProviderId, gameCode, currency, currencyMultiplier } = owner;
  return [playerKey(owner), gameProviderId, gameCode, currency, currencyMultiplier].join('\n');
}
