import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { systemClock } from '../../../lib/platform';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { clientOf, RedisModel } from '../../servers/in-process/redis';
import { openDatabase, poolOf } from '../../servers/in-process/postgres/pool';
import { patience } from '../../support/patience';
import { createAccountsLedger } from './accounts-ledger';
import type { Subject } from './play';

const startedAt = Date.UTC(2026, 0, 1);
/** All that a store may keep is compared. */
const history = true;

/** A clock whose wall stands still between actions, with the timers of the machine. */
function slowClock(): VirtualClock {
  return Object.assign(new VirtualClock(startedAt), {
    after: (ms: number, work: () => void) => systemClock.after(ms, work),
    pause: (ms: number, signal?: AbortSignal) => systemClock.pause(ms, signal),
    monotonicMs: () => systemClock.monotonicMs(),
  });
}

/** The memory store, against which all others are held. */
export function inMemory(): Subject {
  const clock = slowClock();
  return { name: 'memory', clock, store: createMemoryStore({ clock, history }) };
}

/** The ledger store, over a ledger whose accounts are those of the memory store. */
export function overLedger(): Subject {
  const clock = slowClock();
  const journal = createMemoryStore({ clock, history });
  const { ledger, players } = createAccountsLedger(clock, journal.decimals);
  const store = createLedgerStore({ ledger, journal, clock });
  return { name: 'a ledger', clock, store: { ...store, players }, leavesFallen: true };
}

/** The store's scripts in this process. */
export async function inModel(): Promise<Subject> {
  const clock = slowClock();
  const client = clientOf(await RedisModel.create(() => clock.now()));
  const store = createRedisStore({ init: true, client, clock, history, ...patience });
  return { name: 'Lua in process', clock, store };
}

/** A Redis server. */
export function inRedis(url: string): Subject {
  const clock = slowClock();
  return {
    name: 'Redis',
    clock,
    store: createRedisStore({ init: true, url, clock, history, ...patience }),
  };
}

/** A PostgreSQL server. */
export function inPostgres(url: string): Subject {
  const clock = slowClock();
  const store = createPostgresStore({ init: true, url, clock, history, ...patience });
  return { name: 'PostgreSQL', clock, store };
}

/** The store's SQL in this process; close the database behind the store. */
export async function inSql() {
  const clock = slowClock();
  const database = await openDatabase();
  // It keeps nothing on a disk.
  const options = {
    init: true,
    acceptLoss: true,
    pool: poolOf(database),
    clock,
    history,
    ...patience,
  };
  return { name: 'SQL in process', clock, store: createPostgresStore(options), database };
}
