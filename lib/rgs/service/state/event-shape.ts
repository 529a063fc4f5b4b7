import type { GameSettings } from '../../../protocol/engine-api';
import type { FreePlayEvent } from '../../free-plays';
import type { JournalEvent } from '../../journal/port';
import type { PlayerDataEvent } from '../../player-data';
import type { Grant } from '../../grants';
import type { SessionEvent } from '../../session-tokens';
import type { StatisticsKept } from '../../statistics';
import type {
  DemoPurseKept,
  FreePlaysChanged,
  IdSpent,
  PlayerDataChanged,
  RoundChanged,
  RoundForgotten,
  RoundKept,
  ServiceEvent,
  SessionChanged,
  StatisticsChanged,
} from './event';
import { owner, roundEvent, wholeRound } from './round-shape';
import {
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

type FreePlayOf<Type extends FreePlayEvent['type']> = Extract<
  FreePlayEvent,
  { readonly type: Type }
>;

/** Every event of the free plays (E18). */
const freePlayEvent: Shape<FreePlayEvent> = union<FreePlayEvent, 'type'>('type', {
  freePlaysAssigned: object<FreePlayOf<'freePlaysAssigned'>>({
    type: exactly('freePlaysAssigned'),
    assigned: object<FreePlayOf<'freePlaysAssigned'>['assigned']>({
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
  }),
  freePlaysCounted: object<FreePlayOf<'freePlaysCounted'>>({
    type: exactly('freePlaysCounted'),
    operatorId: text,
    serial: text,
    used: whole,
    won: units,
  }),
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
});

type SessionOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

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
const sessionEvent: Shape<SessionEvent> = union<SessionEvent, 'type'>('type', {
  launchIssued: object<SessionOf<'launchIssued'>>({
    type: exactly('launchIssued'),
    hash: text,
    lastFour: text,
    at: whole,
    grant,
  }),
  launchBurned: object<SessionOf<'launchBurned'>>({ type: exactly('launchBurned'), hash: text }),
  sessionOpened: object<SessionOf<'sessionOpened'>>({
    type: exactly('sessionOpened'),
    hash: text,
    lastFour: text,
    at: whole,
    grant,
  }),
  sessionUsed: object<SessionOf<'sessionUsed'>>({
    type: exactly('sessionUsed'),
    hash: text,
    at: whole,
  }),
  sessionRevoked: object<SessionOf<'sessionRevoked'>>({
    type: exactly('sessionRevoked'),
    hash: text,
  }),
});

const serviceEvent: Shape<ServiceEvent> = union<ServiceEvent, 'type'>('type', {
  round: object<RoundChanged>({
    type: exactly('round'),
    gameProviderId: text,
    gameRound: text,
    event: roundEvent,
  }),
  roundKept: object<RoundKept>({ type: exactly('roundKept'), round: wholeRound }),
  roundForgotten: object<RoundForgotten>({
    type: exactly('roundForgotten'),
    gameProviderId: text,
    gameRound: text,
  }),
  idSpent: object<IdSpent>({
    type: exactly('idSpent'),
    gameProviderId: text,
    operatorId: text,
    playerId: text,
    mode: text,
    gameRound: text,
    at: whole,
  }),
  demoPurseKept: object<DemoPurseKept>({
    type: exactly('demoPurseKept'),
    operatorId: text,
    playerId: text,
    currency: text,
    change: units,
    at: whole,
  }),
  freePlays: object<FreePlaysChanged>({ type: exactly('freePlays'), event: freePlayEvent }),
  playerData: object<PlayerDataChanged>({ type: exactly('playerData'), event: playerDataEvent }),
  statistics: object<StatisticsChanged>({ type: exactly('statistics'), event: statisticsEvent }),
  session: object<SessionChanged>({ type: exactly('session'), event: sessionEvent }),
});

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
