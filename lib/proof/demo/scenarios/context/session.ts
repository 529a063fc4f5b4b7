/** A player at the operator's wallet. */
export interface Player {
  readonly playerId: string;
  readonly currency: string;
}

/** A player's session of a game. */
export interface Session extends Player {
  /** The long token. */
  readonly token: string;
  /** By the reply to connect, in minor units; null if it had none. */
  readonly balance: bigint | null;
}
