import type {
  StatisticsQuery,
  StatisticsRow,
} from '../../../protocol/operator-api/served-messages';
import type { FreePlayPackage } from '../../free-plays';
import type { Round } from '../../rounds/round';
import type { ListedSession } from '../../sessions';
import { type KeptNotice, type RealityCheck, realityCheckOf } from '../core/notices';
import type { Wired } from '../core/wiring';
import type { KnownBalance } from '../core/balances';

/** What the service is like now, for its page and its books. Reading it changes nothing. */
export interface ServiceView {
  /** Milliseconds of the service's clock. */
  readonly now: number;
  /** Whether the journal failed: money calls are refused until restart (B4). */
  readonly isReadOnly: boolean;
  /** Live sessions, and those that still serve their open round; without their tokens. */
  readonly sessions: readonly WatchedSession[];
  /** The latest of each player (E24.4). */
  readonly registered: readonly KeptNotice[];
  readonly realityCheckResponses: readonly KeptNotice[];
  /** Every round, in the order of the starts; read once. */
  readonly rounds: IterableIterator<Round>;
  readonly roundCount: number;
  /** So many rounds, the latest start first: less work than to read all of them. */
  readonly latest: (count: number) => readonly Round[];
  /** Rounds that are open, or have something due, or need a person. */
  readonly atWork: readonly Round[];
  /** Rounds that are left to a person (E16.2). */
  readonly attention: readonly Round[];
  /** Every free-play package, in the order of assignment (E18). */
  readonly freePlays: readonly FreePlayPackage[];
  /** What the operators reported, by player and currency (E17.1). */
  readonly balances: readonly KnownBalance[];
  /** What getStats says of an operator by game and currency, without a finding (E24.3). */
  statistics(operatorId: string): readonly StatisticsRow[];
}

/** A session, and its reality check; null if its settings have none (E24.4). */
export interface WatchedSession extends ListedSession {
  readonly realityCheck: RealityCheck | null;
}

const byGameAndCurrency: StatisticsQuery = {
  groupBy: ['game', 'currency'],
  dateFrom: null,
  dateToIncluding: null,
  currency: null,
  gameCode: null,
  playerId: null,
  showTotals: false,
};

/** The view of a service that is put together. */
export function viewOf({ core, janitor, balances }: Wired): ServiceView {
  const { state, committer, clock, surroundings, registered, realityChecks } = core;
  const now = clock.now();
  return {
    now,
    isReadOnly: committer.isReadOnly,
    sessions: state.sessions.list(now).map((session) => {
      const { owner } = session.grant;
      const response = realityChecks.of(owner.operatorId, owner.playerId);
      const settings = surroundings.settingsOf(session.grant);
      return { ...session, realityCheck: realityCheckOf(session, settings, response, now) };
    }),
    registered: registered.list(),
    realityCheckResponses: realityChecks.list(),
    rounds: state.rounds.all(),
    roundCount: state.rounds.size,
    latest: (count) => state.rounds.latest(count),
    atWork: state.rounds.atWork(),
    attention: janitor.work().attention,
    freePlays: state.freePlays.list(),
    balances: balances.all(),
    statistics: (operatorId) =>
      state.statistics.answer(operatorId, byGameAndCurrency, core.euroRates).rows,
  };
}
