import type { Owner, Round } from '../../rounds/round';

/** The player of a lane: of one operator, in one mode (E15.3). */
export interface PlayerName {
  readonly operatorId: string;
  readonly playerId: string;
  readonly mode: string;
}

/** Names a round: its id is of its provider (E15.1). */
export interface RoundName {
  readonly gameProviderId: string;
  readonly gameRound: string;
}

/** The name of a round. */
export function nameOf({ owner, gameRound }: Round): RoundName {
  return { gameProviderId: owner.gameProviderId, gameRound };
}

/** The key of a player; no id holds a control character. */
export function playerKey({ operatorId, playerId, mode }: PlayerName): string {
  return `${operatorId}\n${playerId}\n${mode}`;
}

/** The key of a round. */
export function roundKey(gameProviderId: string, gameRound: string): string {
  return `${gameProviderId}\n${gameRound}`;
}

/** The key of an owner, for whom one object is enough. */
export function ownerKey(owner: Owner): string {
  const { gameProviderId, gameCode, currency, currencyMultiplier } = owner;
  return [playerKey(owner), gameProviderId, gameCode, currency, currencyMultiplier].join('\n');
}
