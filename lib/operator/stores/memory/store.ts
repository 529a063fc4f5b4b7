import { netOf } from '../../gameround';
import type { AttentionEntry, FullStore, JournalLists } from '../../wallet';
import { type Clock, systemClock } from '../../../platform';
import { checkIdentifiers } from '../check-input';
import { oneByOne } from '../lists/one-by-one';
import { checkOptionNames } from '../../../platform/validation/known-names';
import {
  checkJournal,
  checkStoreOptions,
  checkStoreParts,
  storeOptionNames,
  type StoreOptions,
} from '../store-options';
import { Accounts } from './accounts';
import { Acts } from './acts';
import { EventLog } from './event-log';
import { History } from './history';
import { createMinutes } from './minutes';
import { MemoryPlayers } from './players';
import { createReconciliations } from './reconciliations';
import { Repairs } from './repairs';
import { MemoryRounds } from './rounds';
import { entryOf, type StoredRound, StoredRounds } from './stored-rounds';
import { KeptTotals, totalsOf } from './totals';

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions extends StoreOptions {
  /** The clock; the machine's own unless set. */
  readonly clock?: Clock;
}

const optionNames = { ...storeOptionNames, clock: true } as const;

/**
 * A store in this process's memory: everything is lost when the process ends. For development, tests and
 * the sandbox, not for money.
 * @throws TypeError for wrong options.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): FullStore {
  checkOptionNames<MemoryStoreOptions>('createMemoryStore', options, optionNames);
  checkStoreParts(options);
  const { clock = systemClock, ...rest } = options;
  const { decimals, unit, retentionMs, events, ...more } = checkStoreOptions(rest);
  const { history: keepsBalances, limitsFromHistory } = more;
  const accounts = new Accounts();
  const stored = new StoredRounds(retentionMs, ({ key, head }) => {
    if (head.currency !== null) accounts.carry(key, head.currency, netOf(head));
  });
  const kept = new KeptTotals();
  const log = new EventLog(events, clock, kept);
  const history = new History(stored, clock, decimals);
  const acts = new Acts(history.store);
  const parts = { stored, accounts, log, acts, clock, decimals, keepsBalances };
  const ofPlayers = { ...parts, limitsFromHistory };
  return {
    decimals,
    unit,
    rounds: new MemoryRounds(parts),
    players: new MemoryPlayers(ofPlayers),
    events: log,
    totals: totalsOf(kept, log),
    reconciliations: createReconciliations(),
    minutes: createMinutes(clock),
    history,
    repairs: new Repairs(stored, history.store),
    acts,
    lists: listsOf(stored),
    retentionMs: () => retentionMs,
    ready: async () => accounts.checkPlace(),
    keepForLedger: () => {
      checkJournal(limitsFromHistory);
      accounts.leaveToLedger();
    },
    close: async () => {},
  };
}

function listsOf(stored: StoredRounds): JournalLists {
  return {
    attention: (operatorId) =>
      oneByOne(entriesOf(operatorId, () => stored.needingAttention(operatorId))),
    openRounds: (operatorId, before) =>
      oneByOne(entriesOf(operatorId, () => stored.open(operatorId, before))),
    async *unfinished(operatorId) {
      for (const { key } of stored.unfinished(operatorId)) yield { ...key };
    },
  };
}

/** All as one page. */
async function* entriesOf(
  operatorId: string,
  list: () => Iterable<StoredRound>,
): AsyncGenerator<readonly AttentionEntry[]> {
  checkIdentifiers({ operatorId });
  yield Array.from(list(), entryOf);
}
