import { apply, type Round } from '../../rounds';
import { createFreePlays, type FreePlayRegistry } from '../../free-plays';
import { createPlayerData, type PlayerData, type PlayerDataLimits } from '../../player-data';
import { createSessions, type Sessions, type SessionTimes } from '../../sessions';
import { createStatistics, type Statistics } from '../../statistics';
import type { ServiceEvent } from './event';
import { playerKey, type PlayerName, roundKey } from './keys';
import { createDemoPurses, type DemoPurses } from './demo-purses';
import { createKeptRounds, type KeptRounds } from './rounds-kept';

/** Everything that the service keeps: what its events make of it, and nothing else (B4). */
export interface State {
  readonly rounds: KeptRounds;
  readonly sessions: Sessions;
  readonly freePlays: FreePlayRegistry;
  readonly playerData: PlayerData;
  readonly statistics: Statistics;
  readonly demoPurses: DemoPurses;
  /** Whether a query of this player was answered 15 for the id (E14.1). */
  isSpent(player: PlayerName, gameProviderId: string, gameRound: string): boolean;
  /** Forgets the ids that were spent before (E14.1). */
  forgetSpent(before: number): void;
  /** Applies an event that is durable. */
  apply(event: ServiceEvent): void;
  /** The events that make this state of an empty one, for a snapshot of the journal. */
  snapshot(): IterableIterator<ServiceEvent>;
}

/** An empty state. */
export function createState(times: SessionTimes, dataLimits: Partial<PlayerDataLimits>): State {
  const rounds = createKeptRounds();
  const sessions = createSessions(times);
  const freePlays = createFreePlays();
  const playerData = createPlayerData(dataLimits);
  const statistics = createStatistics();
  const demoPurses = createDemoPurses();
  const spent = new Map<string, Extract<ServiceEvent, { type: 'idSpent' }>>();

  const changeRound = (before: Round | null, after: Round): void => {
    rounds.put(after);
    if (after.owner.mode === 'DEMO') return demoPurses.move(before, after);
    freePlays.follow(before, after);
    statistics.follow(before, after);
  };
  return {
    rounds,
    sessions,
    freePlays,
    playerData,
    statistics,
    demoPurses,
    isSpent: (player, gameProviderId, gameRound) =>
      spent.has(spentKey(player, gameProviderId, gameRound)),
    forgetSpent(before) {
      for (const [key, { at }] of spent) if (at < before) spent.delete(key);
    },
    apply(event) {
      switch (event.type) {
        case 'round': {
          const before = rounds.find(event.gameProviderId, event.gameRound);
          return changeRound(before, apply(before, event.event));
        }
        case 'roundKept':
          return rounds.put(event.round);
        case 'roundForgotten':
          return rounds.forget(event.gameProviderId, event.gameRound);
        case 'idSpent':
          spent.set(spentKey(event, event.gameProviderId, event.gameRound), event);
          return;
        case 'demoPurseKept':
          return demoPurses.keep(event);
        case 'freePlays':
          return freePlays.apply(event.event);
        case 'playerData':
          return playerData.apply(event.event);
        case 'statistics':
          return statistics.apply(event.event);
        case 'session':
          return sessions.apply(event.event);
      }
    },
    *snapshot() {
      for (const round of rounds.all()) yield { type: 'roundKept', round };
      yield* spent.values();
      yield* demoPurses.snapshot();
      for (const event of freePlays.snapshot()) yield { type: 'freePlays', event };
      for (const event of playerData.snapshot()) yield { type: 'playerData', event };
      for (const event of statistics.snapshot()) yield { type: 'statistics', event };
      for (const event of sessions.snapshot()) yield { type: 'session', event };
    },
  };
}

function spentKey(player: PlayerName, gameProviderId: string, gameRound: string): string {
  return `${playerKey(player)}\n${roundKey(gameProviderId, gameRound)}`;
}
