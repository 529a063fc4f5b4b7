import type { FreePlayEvent } from '../../free-plays';
import type { PlayerDataEvent } from '../../player-data';
import type { StatisticsKept } from '../../statistics';
import { exactly, nullable, object, oneOf, type Shape, text, union, units, whole } from './shape';

type Of<Type extends FreePlayEvent['type']> = Extract<FreePlayEvent, { readonly type: Type }>;

/** Every event of the free plays (E18). */
export const freePlayEvent: Shape<FreePlayEvent> = union<FreePlayEvent, 'type'>('type', {
  freePlaysAssigned: object<Of<'freePlaysAssigned'>>({
    type: exactly('freePlaysAssigned'),
    assigned: object<Of<'freePlaysAssigned'>['assigned']>({
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
  freePlaysCounted: object<Of<'freePlaysCounted'>>({
    type: exactly('freePlaysCounted'),
    operatorId: text,
    serial: text,
    used: whole,
    won: units,
  }),
});

/** The event of player data (E20). */
export const playerDataEvent: Shape<PlayerDataEvent> = object<PlayerDataEvent>({
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
export const statisticsEvent: Shape<StatisticsKept> = object<StatisticsKept>({
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
