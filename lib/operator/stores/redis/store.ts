import { LimitedPlayers } from '../../wallet/limits/limited-players';
import type { FullStore, PlayerKey, Totals } from '../../wallet';
import type { AmountUnit } from '../../../protocol/money/amount';
import type { Companions } from '../companions';
import { cashPage, type PastReader } from '../lists/past-money';
import { printAs } from '../printed-as';
import { checkJournal } from '../store-options';
import { scripts } from './commands/scripts';
import type { DataSettings } from './connection/data-settings';
import { Acts } from './acts';
import { minutesOf, reconciliationsOf } from './day-figures';
import { RedisEvents, type RedisEventsParts } from './events';
import { History } from './history';
import { RedisLimits } from './limits';
import { Listings } from './listings';
import { RedisPlayers } from './players';
import { Repairs } from './repairs';
import { RedisRounds, type RedisRoundsParts } from './rounds';
import { RedisTotals } from './totals/store';

/** The parts of a Redis store. */
export interface RedisStoreParts extends RedisEventsParts, RedisRoundsParts {
  /** What 1 is in an amount of a call (D2.5). */
  readonly unit: AmountUnit;
  readonly dataSettings: DataSettings;
  /** The other processes over the store; null if this one does not serve. */
  readonly companions: Companions | null;
  /** Whether its commits keep the history of their players. */
  readonly keepsHistory: boolean;
  /** Whether a limit counts what moved in its window before it was set. */
  readonly limitsFromHistory: boolean;
  /** Releases the client, if the store owns it. */
  readonly release: () => Promise<void>;
}

/** A store of these parts. */
export function storeOf(parts: RedisStoreParts): FullStore {
  const { gate, executor, keys, decimals, unit, companions, acknowledged, dataSettings } = parts;
  const totals = new RedisTotals(parts);
  const events = new RedisEvents(parts, (round) => rounds.readRound(round), totals);
  const history = new History(parts);
  const limited = new LimitedPlayers();
  const rounds = new RedisRounds(parts, events, history, limited);
  const retentionMs = (): number => companions?.shortestMs ?? parts.retentionMs;
  const pastOf = (player: PlayerKey): PastReader => ({
    rounds: history.readerOf(player),
    readRound: (gameRound) => rounds.readWhole({ ...player, gameRound }),
    readCash: (cursor) => players.cash(player, cashPage(cursor)),
    completeFrom: async () =>
      Math.max(await history.completeFrom(), parts.clock.now() - retentionMs()),
  });
  const limits = new RedisLimits(parts, events, parts.limitsFromHistory ? pastOf : null);
  const players = new RedisPlayers(parts, events, limited, limits);
  const ready = async (): Promise<void> => {
    await gate.verify();
    const probe = { operatorId: 'probe', playerId: 'probe' };
    await executor.run(scripts.readAccounts, { account: keys.account(probe) });
    await companions?.join();
    await events.ready();
    await history.note().catch(() => {}); // the first commit repeats it
  };
  const close = async (): Promise<void> => {
    await companions?.leave(gate.isOpen);
    gate.close();
    await parts.release();
  };
  const server = {
    time: () => executor.time(),
    get settings() {
      return gate.settings;
    },
    get lostCommits() {
      return acknowledged?.lost ?? 0;
    },
  };
  const store = {
    decimals,
    unit,
    rounds,
    players,
    events,
    totals: {
      batches: (request: Parameters<Totals['batches']>[0]) => events.uncounted(request),
      rounds: totals.rounds.bind(totals),
      read: totals.read.bind(totals),
      sum: totals.sum.bind(totals),
      notable: totals.notable.bind(totals),
      players: totals.players.bind(totals),
    },
    reconciliations: reconciliationsOf(executor, keys),
    minutes: minutesOf(executor, keys),
    history,
    repairs: new Repairs(parts),
    acts: new Acts(parts),
    lists: new Listings(parts),
    server,
    ready,
    retentionMs,
    keepForLedger: () => {
      checkJournal(parts.limitsFromHistory);
      dataSettings.keepForLedger();
    },
    close,
  };
  return printAs(store, '[Redis store]');
}
