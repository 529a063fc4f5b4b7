import type { FreePlayEvent } from '../../free-plays';
import type { PlayerDataEvent } from '../../player-data';
import type { Round } from '../../rounds/round';
import type { RoundEvent } from '../../rounds/event';
import type { SessionEvent } from '../../session-tokens';
import type { StatisticsKept } from '../../statistics';

/** A change of a round. */
export interface RoundChanged {
  readonly type: 'round';
  readonly gameProviderId: string;
  readonly gameRound: string;
  readonly event: RoundEvent;
}

/** A whole round, as a snapshot of the journal has it. */
export interface RoundKept {
  readonly type: 'roundKept';
  readonly round: Round;
}

/** A round at rest that left by age. */
export interface RoundForgotten {
  readonly type: 'roundForgotten';
  readonly gameProviderId: string;
  readonly gameRound: string;
}

/** An id that a query was answered 15 for: no start of this player takes it any more (E14.1). */
export interface IdSpent {
  readonly type: 'idSpent';
  readonly gameProviderId: string;
  readonly operatorId: string;
  readonly playerId: string;
  readonly mode: string;
  readonly gameRound: string;
  readonly at: number;
}

/** A change of the sessions. */
export interface SessionChanged {
  readonly type: 'session';
  readonly event: SessionEvent;
}

/** A change of the free-play packages; what is played of them follows from the rounds. */
export interface FreePlaysChanged {
  readonly type: 'freePlays';
  readonly event: FreePlayEvent;
}

/** A change of player data. */
export interface PlayerDataChanged {
  readonly type: 'playerData';
  readonly event: PlayerDataEvent;
}

/** Statistics, as a snapshot of the journal has them; else they follow from the rounds. */
export interface StatisticsChanged {
  readonly type: 'statistics';
  readonly event: StatisticsKept;
}

/** What the rounds of a player of DEMO came to, as a snapshot of the journal has it (E19.1). */
export interface DemoPurseKept {
  readonly type: 'demoPurseKept';
  readonly operatorId: string;
  readonly playerId: string;
  readonly currency: string;
  /** Units above or below the balance at first. */
  readonly change: bigint;
  /** Milliseconds of the service's clock: the latest change. */
  readonly at: number;
}

/** What changes the state of the service; the journal keeps each (B4). */
export type ServiceEvent =
  | RoundChanged
  | RoundKept
  | RoundForgotten
  | IdSpent
  | SessionChanged
  | FreePlaysChanged
  | PlayerDataChanged
  | StatisticsChanged
  | DemoPurseKept;
