import { FreePlayRegistry } from '../../free-plays';
import { PlayerData, type PlayerDataLimits } from '../../player-data';
import { apply } from '../../rounds/apply';
import type { Round } from '../../rounds/round';
import { Sessions } from '../../sessions';
import type { SessionTimes } from '../../session-tokens';
import { Statistics, type StatisticsCounting } from '../../statistics';
import { DemoPurses } from './demo-purses';
import type { ServiceEvent } from './event-shape';
import { playerKey, type PlayerName, roundKey } from './keys';
import { KeptRounds } from './rounds-kept';

/** Everything that the service keeps: what its events make of it, and nothing else (B4). */
export class State {
  readonly rounds = new KeptRounds();
  readonly sessions: Sessions;
  readonly freePlays = new FreePlayRegistry();
  readonly playerData: PlayerData;
  readonly statistics: Statistics;
  readonly demoPurses = new DemoPurses();
  readonly #spent = new Map<string, Extract<ServiceEvent, { readonly type: 'idSpent' }>>();

  constructor(
    times: SessionTimes,
    dataLimits: Partial<PlayerDataLimits>,
    counting: Partial<StatisticsCounting> = {},
  ) {
    this.statistics = new Statistics(counting);
    this.sessions = new Sessions(times);
    this.playerData = new PlayerData(dataLimits);
  }

  /** Whether a query of this player was answered 15 for the id (E14.1). */
  isSpent(player: PlayerName, gameProviderId: string, gameRound: string): boolean {
    return this.#spent.has(spentKey(player, gameProviderId, gameRound));
  }

  /** Forgets the ids that were spent before (E14.1). */
  forgetSpent(before: number): void {
    for (const [key, { at }] of this.#spent) if (at < before) this.#spent.delete(key);
  }

  /** Applies an event that is durable. */
  apply(event: ServiceEvent): void {
    switch (event.type) {
      case 'round': {
        const before = this.rounds.find(event.gameProviderId, event.gameRound);
        return this.#changeRound(before, apply(before, event.event));
      }
      case 'roundKept':
        return this.rounds.put(event.round);
      case 'roundForgotten':
        return this.rounds.forget(event.gameProviderId, event.gameRound);
      case 'idSpent':
        this.#spent.set(spentKey(event, event.gameProviderId, event.gameRound), event);
        return;
      case 'demoPurseKept':
        return this.demoPurses.keep(event);
      case 'freePlays':
        return this.freePlays.apply(event.event);
      case 'playerData':
        return this.playerData.apply(event.event);
      case 'statistics':
        return this.statistics.apply(event.event);
      case 'session':
        return this.sessions.apply(event.event);
    }
  }

  /** The events that make this state of an empty one, for a snapshot of the journal. */
  *snapshot(): IterableIterator<ServiceEvent> {
    for (const round of this.rounds.all()) yield { type: 'roundKept', round };
    yield* this.#spent.values();
    yield* this.demoPurses.snapshot();
    for (const event of this.freePlays.snapshot()) yield { type: 'freePlays', event };
    for (const event of this.playerData.snapshot()) yield { type: 'playerData', event };
    for (const event of this.statistics.snapshot()) yield { type: 'statistics', event };
    for (const event of this.sessions.snapshot()) yield { type: 'session', event };
  }

  #changeRound(before: Round | null, after: Round): void {
    this.rounds.put(after);
    if (after.owner.mode === 'DEMO') return this.demoPurses.move(before, after);
    this.freePlays.follow(before, after);
    this.statistics.follow(before, after);
  }
}

function spentKey(player: PlayerName, gameProviderId: string, gameRound: string): string {
  return `${playerKey(player)}\n${roundKey(gameProviderId, gameRound)}`;
}
