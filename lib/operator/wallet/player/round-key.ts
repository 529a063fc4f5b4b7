/** A player of an operator. */
export interface PlayerKey {
  readonly operatorId: string;
  readonly playerId: string;
}

/** A gameround of a player. */
export interface RoundKey extends PlayerKey {
  readonly gameRound: string;
}
