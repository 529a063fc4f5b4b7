import type { Discount, Owner, Round } from './round';

/** Choices where the specification is open; the first of each is the literal one (E1.6). */
export interface Readings {
  readonly partialWager: 'replace' | 'keepRest';
  readonly startWin: 'record' | 'open';
  readonly openRounds: 'perPlayer' | 'perGame';
}

/** What can be set about rounds. */
export interface RoundSettings {
  readonly readings: Readings;
  /** Refuses a stake that is not offered; otherwise it is a finding (E7.3). */
  readonly enforceStakes: boolean;
  /** Sends a credit of 0 if nothing was won (E12.3). */
  readonly zeroCredits: boolean;
  /** Credits the open amount before an added debit is sent (W12). */
  readonly collectBeforeAddedBet: boolean;
}

/** The literal readings, and every option off. */
export const defaultSettings: RoundSettings = Object.freeze<RoundSettings>({
  readings: { partialWager: 'replace', startWin: 'record', openRounds: 'perPlayer' },
  enforceStakes: false,
  zeroCredits: false,
  collectBeforeAddedBet: false,
});

/** Who calls, as the token says. A janitor's token starts no round, a history token only asks. */
export interface Session {
  readonly owner: Owner;
  readonly kind: 'player' | 'janitor' | 'history';
}

/** The facts that a decision may use, passed in as data. */
export interface Context {
  readonly session: Session;
  /** Milliseconds of the service's clock. */
  readonly at: number;
  readonly settings: RoundSettings;
  /** The hash of a name: the same name always has the same hash (E15.4: a UUID v5). */
  readonly hashOf: (name: string) => string;
  /** False if the operator's settings forbid gambles (E10.4). */
  readonly isGambleEnabled: boolean;
  /** The most that a round may owe by the operator's settings, in units; null if they set none (E21.1). */
  readonly maxExposure: bigint | null;
}

/** The stakes that a game offers, in units of the player's currency (E7.3). */
export interface OfferedStakes {
  /** Null if the provider's configuration is unknown. */
  readonly ladder: readonly bigint[] | null;
  readonly min: bigint | null;
  readonly max: bigint | null;
}

/** What a debit may be paid with, as the service found it for this stake. */
export interface Offer {
  readonly stakes: OfferedStakes;
  /** The package or ticket with this stake (E17.4); null if there is none. */
  readonly freePlaySerial: string | null;
  /** The discount for this stake (E17.3). */
  readonly discount: Discount | null;
}

/** What a start has to know besides its own fields. */
export interface Lookup {
  /** The provider's round with the id of the call, of any player; null if there is none. */
  readonly known: Round | null;
  /** Whether the player has a round with the id of the call at another provider (E15.1). */
  readonly isElsewhere: boolean;
  /** The open rounds of the player in this mode, of every game. */
  readonly openRounds: readonly Round[];
  /** Whether a query of this player was answered 15 for the id (E14.1). */
  readonly isSpent: boolean;
  /** A fresh id of ours, for a start without one (E7.1). */
  readonly newRoundId: string;
  /** Whether the due part of the round was retried for this call (E8.4). */
  readonly hasTried: boolean;
  readonly offer: Offer;
}

/** The round, if it belongs to the token's player and game; null hides that it exists (E5.8). */
export function ownRound(round: Round | null, session: Session): Round | null {
  if (round === null || !isSamePlayer(round.owner, session.owner)) return null;
  return round.owner.gameCode === session.owner.gameCode ? round : null;
}

/** The same player of the same operator at the same provider, in the same mode. */
export function isSamePlayer(one: Owner, other: Owner): boolean {
  return (
    one.gameProviderId === other.gameProviderId &&
    one.operatorId === other.operatorId &&
    one.playerId === other.playerId &&
    one.mode === other.mode
  );
}

/** Whether the game sees nothing of a round: its first debit was never taken (E14.1). */
export function isNeverTaken({ state }: Round): boolean {
  return state === 'declined' || state === 'cancelled' || state === 'starting';
}
