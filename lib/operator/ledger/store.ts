import { setMaxListeners } from 'node:events';
import type { JournalLists, RoundJournal, RoundKey, WalletStore } from '../wallet';
import { LedgerCaller } from './caller';
import { checkLedgerOptions, type LedgerStoreOptions } from './options';
import { createRoundBooksReader, type RoundBooks, type RoundBooksQuery } from './round-books';
import { LedgerRounds, type SettleOptions, type Settlement } from './rounds';

/** A store whose money is in the platform's own ledger. All parts but its rounds are those of its journal. */
export interface LedgerStore<J extends RoundJournal = RoundJournal> extends WalletStore {
  readonly players?: undefined;
  readonly lists: JournalLists;
  readonly events: J['events'];
  readonly totals: J['totals'];
  readonly reconciliations: J['reconciliations'];
  readonly minutes: J['minutes'];
  readonly history: J['history'];
  readonly repairs: J['repairs'];
  readonly acts: J['acts'];

  /**
   * The books of each round: what the ledger posted for it, and what the journal says of it. For a check
   * by a person or at night. Absent if the ledger has no `postedRounds`.
   * @throws LedgerAnswerError for an answer that cannot be read, StoreUnavailableError; what the ledger throws.
   */
  readonly roundBooks?: ((query?: RoundBooksQuery) => AsyncIterable<RoundBooks>) | undefined;

  /**
   * Finishes the pending work of a round. Reversals and credits are driven until they are definite. Debits
   * never are: old ones are marked as unanswered, and the round waits for its void as `cancelled` (D7).
   */
  settle(round: RoundKey, options: SettleOptions): Promise<Settlement>;
}

/**
 * A store that leaves the players' money where it is: it keeps rounds and intents in `journal`, and moves
 * money through `ledger`. Run a sweeper as well ({@link startSweeper}) to finish what a crash or a silent
 * ledger left pending.
 * @throws TypeError for wrong options.
 */
export function createLedgerStore<J extends RoundJournal>(
  options: LedgerStoreOptions & { readonly journal: J },
): LedgerStore<J> {
  const settings = checkLedgerOptions(options);
  const { journal } = options;
  const { decimals, unit, events, totals, reconciliations, minutes, history, repairs, acts } =
    journal;
  const { lists, server } = journal;
  journal.keepForLedger?.();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every commit in flight listens to it
  const caller = new LedgerCaller(settings);
  const rounds = new LedgerRounds(settings, caller, closing.signal);
  const unwatch = settings.recorder?.watchBreaker(() => caller.breakerState);
  return {
    decimals,
    unit,
    rounds,
    events,
    totals,
    reconciliations,
    minutes,
    history,
    repairs,
    acts,
    lists,
    server,
    retentionMs: journal.retentionMs?.bind(journal),
    ready: () => journal.ready(),
    settle: (round, ages) => rounds.settle(round, ages),
    roundBooks: createRoundBooksReader(settings, closing.signal),
    close: async () => {
      closing.abort();
      unwatch?.();
      await journal.close();
    },
  };
}
