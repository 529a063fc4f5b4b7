import type { GameSettings } from '../../../protocol/engine-api/replies';
import type { FreePlayEvent } from '../../free-plays';
import type { JournalEvent } from '../../journal/port';
import type { PlayerDataEvent } from '../../player-data';
import type { Grant } from '../../grants';
import type { SessionEvent } from '../../session-tokens';
import type { StatisticsCounting, StatisticsKept } from '../../statistics';
import { owner, roundEvent, wholeRound } from './round-shape';
import {
  byType,
  exactly,
  nullable,
  object,
  oneOf,
  settings,
  type Shape,
  text,
  union,
  units,
  whole,
} from './shape';

type Assigned = Extract<FreePlayEvent, { readonly type: 'freePlaysAssigned' }>['assigned'];

/** Every event of the free plays (E18). */
const freePlayEvent: Shape<FreePlayEvent> = byType<FreePlayEvent>({
  freePlaysAssigned: {
    assigned: object<Assigned>({
      operatorId: text,
      playerId: text,
      gameCode: text,
      serial: text,
      internalid: text,
      currency: text,
      stake: units,
      count: whole,
      expires: nullable(whole),
    }),
  },
  freePlaysCounted: { operatorId: text, serial: text, used: whole, won: units },
});

/** The event of player data (E20). */
const playerDataEvent: Shape<PlayerDataEvent> = object<PlayerDataEvent>({
  type: exactly('playerDataSet'),
  operatorId: text,
  playerId: text,
  gameCode: text,
  mode: oneOf('REAL', 'DEMO'),
  currency: text,
  stake: units,
  data: text,
  updated: whole,
  expires: nullable(whole),
});

/** The event of the statistics (E24.3). */
const statisticsEvent: Shape<StatisticsKept> = object<StatisticsKept>({
  type: exactly('statisticsKept'),
  cell: object<StatisticsKept['cell']>({
    operatorId: text,
    day: text,
    currency: text,
    gameCode: text,
    playerId: text,
    bet: units,
    win: units,
    games: whole,
  }),
  counting: object<StatisticsCounting>({
    by: oneOf('start', 'end'),
    zone: text,
    voids: oneOf('restated', 'dated'),
  }),
});

const grant = object<Grant>({
  owner,
  kind: oneOf('player', 'janitor', 'history'),
  language: text,
  device: text,
  externalSessionId: nullable(text),
  profile: nullable(text),
  options: settings as Shape<GameSettings>,
});

/** Every event of the sessions (E5). */
const sessionEvent: Shape<SessionEvent> = byType<SessionEvent>({
  launchIssued: { hash: text, lastFour: text, at: whole, grant },
  launchBurned: { hash: text },
  sessionOpened: { hash: text, lastFour: text, at: whole, grant },
  sessionUsed: { hash: text, at: whole },
  sessionRevoked: { hash: text },
});

const serviceEvents = {
  /** A change of a round. */
  round: object({
    type: exactly('round'),
    gameProviderId: text,
    gameRound: text,
    event: roundEvent,
  }),
  /** A whole round, as a snapshot has it. */
  roundKept: object({ type: exactly('roundKept'), round: wholeRound }),
  /** A round at rest that left by age. */
  roundForgotten: object({
    type: exactly('roundForgotten'),
    gameProviderId: text,
    gameRound: text,
  }),
  /** An id that a query was answered 15 for: no start of this player takes it any more (E14.1). */
  idSpent: object({
    type: exactly('idSpent'),
    gameProviderId: text,
    operatorId: text,
    playerId: text,
    mode: text,
    gameRound: text,
    at: whole,
  }),
  /**
   * What the rounds of a player of DEMO came to, as a snapshot has it (E19.1): units above or below the balance at
   * first, and the time of the latest change on the service's clock.
   */
  demoPurseKept: object({
    type: exactly('demoPurseKept'),
    operatorId: text,
    playerId: text,
    currency: text,
    change: units,
    at: whole,
  }),
  /** A change of the free-play packages; what is played of them follows from the rounds. */
  freePlays: object({ type: exactly('freePlays'), event: freePlayEvent }),
  playerData: object({ type: exactly('playerData'), event: playerDataEvent }),
  /** Statistics, as a snapshot has them; else they follow from the rounds. */
  statistics: object({ type: exactly('statistics'), event: statisticsEvent }),
  session: object({ type: exactly('session'), event: sessionEvent }),
};

/** What changes the state of the service; the journal keeps each (B4). */
export type ServiceEvent = ReturnType<(typeof serviceEvents)[keyof typeof serviceEvents]['read']>;

const serviceEvent = union<ServiceEvent, 'type'>('type', serviceEvents);

/** The event as the journal keeps it: JSON, amounts as texts. */
export function encode(event: ServiceEvent): JournalEvent {
  return serviceEvent.write(event) as JournalEvent;
}

/**
 * The event that the journal kept.
 * @throws UnreadableEventError
 */
export function decode(kept: JournalEvent): ServiceEvent {
  return serviceEvent.read(kept, 'event');
}
