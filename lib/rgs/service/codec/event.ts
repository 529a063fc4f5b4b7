import type { JournalEvent } from '../../journal';
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
} from '../events';
import { freePlayEvent, playerDataEvent, statisticsEvent } from './registries';
import { wholeRound } from './round';
import { roundEvent } from './round-event';
import { sessionEvent } from './session';
import { exactly, object, type Shape, text, union, units, whole } from './shape';

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
