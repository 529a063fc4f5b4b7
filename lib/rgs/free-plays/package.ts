/** A package of free plays as assigned (operator-api 4.3). It never changes (E18.1). */
export interface AssignedPackage {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameCode: string;
  /** The operator's; with its id the key (E18.1). */
  readonly serial: string;
  /** Ours. */
  readonly internalid: string;
  readonly currency: string;
  /** Units. */
  readonly stake: bigint;
  /** Plays granted: 1 to 10,000. */
  readonly count: number;
  /** Milliseconds of the service's clock; null for one that never expires. */
  readonly expires: number | null;
}

/** A package, and what its plays came to. */
export interface FreePlayPackage extends AssignedPackage {
  readonly used: number;
  /** Units that its rounds collected (E18.3). */
  readonly won: bigint;
}

/** A package was assigned. */
export interface FreePlaysAssigned {
  readonly type: 'freePlaysAssigned';
  readonly assigned: AssignedPackage;
}

/** What the plays of a package came to so far; in a snapshot alone. */
export interface FreePlaysCounted {
  readonly type: 'freePlaysCounted';
  readonly operatorId: string;
  readonly serial: string;
  readonly used: number;
  readonly won: bigint;
}

/** What changes the packages besides the rounds that play them; a journal keeps these (B4). */
export type FreePlayEvent = FreePlaysAssigned | FreePlaysCounted;
