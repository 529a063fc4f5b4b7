import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { Ledger, Rounds } from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import { createAccountsLedger } from './accounts-ledger';
import type { Subject } from './play';
import { inMemory } from './subjects';

/** Why a call ends without an outcome: its process is gone. */
export class DiedError extends Error {
  override readonly name = 'DiedError';
}

/** The store over a ledger, whose process dies before or after so many of a hundred postings and commits. */
export function mortalLedger(seed: number, percent: number): Subject {
  const { clock } = inMemory();
  const random = createSeededRandom(seed);
  const dies = (): boolean => random.next() * 100 < percent;
  const journal = createMemoryStore({ clock, history: true });
  const { ledger, players } = createAccountsLedger(clock, journal.decimals);

  const orDie = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dies()) throw new DiedError('It died before.');
    const result = await work();
    if (dies()) throw new DiedError('It died after.');
    return result;
  };
  const mortal: Ledger = {
    debit: (posting, signal) => orDie(() => ledger.debit(posting, signal)),
    credit: (posting, signal) => orDie(() => ledger.credit(posting, signal)),
    reverse: (posting, signal) => orDie(() => ledger.reverse(posting, signal)),
    balances: (player, signal) => ledger.balances(player, signal),
  };
  const commit: Rounds['commit'] = (round, change) =>
    orDie(() => journal.rounds.commit(round, change)).catch(died);
  const mortalRounds = Object.assign(Object.create(journal.rounds) as Rounds, { commit });
  const mortalJournal = { ...journal, rounds: mortalRounds };
  const options = { attempts: 1, breakAfter: 1_000_000, logger: silent, clock };
  const store = createLedgerStore({ ledger: mortal, journal: mortalJournal, ...options });
  const rounds = Object.assign(Object.create(store.rounds) as Rounds, {
    load: async (round, hashes) => ending(await store.rounds.load(round, hashes)),
    commit: async (round, change) => ending(await store.rounds.commit(round, change)),
  } satisfies Partial<Rounds>);
  return { name: 'a ledger of mortals', clock, store: { ...store, rounds, players } };
}

function died(cause: Error): { kind: 'unknown'; cause: Error } {
  return { kind: 'unknown', cause };
}

/** A process that is dead does not try again. */
function ending<T extends { readonly kind: string }>(result: T): T {
  if (result.kind !== 'unknown') return result;
  return { ...result, cause: new DiedError('It is dead.'), giveUp: true };
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };
