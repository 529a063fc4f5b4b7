import type { PGlite } from '@electric-sql/pglite';
import { eventsTo } from '../../../../lib/operator/events';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { PostgresQuery } from '../../../../lib/operator/stores/postgres/client/port';
import { migrateSchema } from '../../../../lib/operator/stores/postgres/schema/migrate';
import {
  type Migration,
  migrations,
} from '../../../../lib/operator/stores/postgres/schema/migrations';
import type { PlayerKey, RoundKey } from '../../../../lib/operator/wallet';
import type { Clock } from '../../../../lib/platform';
import type { HostCommand, OpenHost } from '../../../simulator';
import { openDatabase, poolOf } from './pool';
import { replaceClock, tellingTime } from './virtual-time';

const schema = 'rgs_wallet';

/** The PostgreSQL store with its unchanged SQL, over PostgreSQL in this process. */
export const openPostgresModel: OpenHost = (clock) => model.open(clock);

/** The same with other texts of the migrations. Its database is made once, and emptied for each world. */
export function modelOf(own: readonly Migration[]) {
  let opening: Promise<Model> | null = null;
  const open: OpenHost = async (clock) => {
    opening ??= migrated(own);
    const { database, empty } = await opening;
    await empty();
    const tellTime = tellingTime(database, clock);
    return {
      listsRounds: true,
      connect({ carry, clock: ofProcess, ...ports }) {
        const pool = poolOf(database, (sent, work) => {
          return carry(readCommand(sent), async () => {
            await tellTime();
            return work();
          });
        });
        // It keeps nothing on a disk.
        return createPostgresStore({
          ...ports,
          clock: wholeClock(ofProcess),
          pool,
          schema,
          acceptLoss: true,
        });
      },
      close: async () => {},
    };
  };
  const close = async (): Promise<void> => {
    await (await opening)?.database.close();
  };
  return { open, close };
}

const model = modelOf(migrations);

/**
 * A clock of whole milliseconds, as the machine's is, whatever pause is asked for. Rounds are deleted each half hour
 * instead of each minute: nothing depends on it, and a world lasts for days.
 */
function wholeClock(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    pause: (ms, signal) => clock.pause(Math.ceil(ms), signal),
    after: (ms, work, kind) => {
      return clock.after(Math.ceil(kind === 'background' ? 30 * ms : ms), work, kind);
    },
  };
}

/** A database with the schema, and what empties it for the next world. */
interface Model {
  readonly database: PGlite;
  readonly empty: () => Promise<void>;
}

async function migrated(own: readonly Migration[]): Promise<Model> {
  const database = await openDatabase();
  await replaceClock(database);
  await migrateSchema(poolOf(database), schema, eventsTo(), own);
  return { database, empty: await emptying(database) };
}

/** Rows that are deleted one by one before the tables are made anew. */
const maxDeadRows = 2000;

/**
 * Empties it of all rows: each world begins alike. TRUNCATE costs as much as a fifth of a short
 * world, and the database then plans every statement again; so it comes only where deleted rows have added up.
 */
async function emptying(database: PGlite): Promise<() => Promise<void>> {
  const { rows } = await database.query<{ readonly name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> 'migrations' ORDER BY 1`,
    [schema],
  );
  const tables = rows.map(({ name }) => `${schema}.${name}`);
  const deleteAll = tables.map((table) => `DELETE FROM ${table}`).join(';');
  let dead = 0;
  return async () => {
    const results = await database.exec(deleteAll);
    dead += results.reduce((all, { affectedRows = 0 }) => all + affectedRows, 0);
    if (dead <= maxDeadRows) return;
    await database.exec(`TRUNCATE ${tables.join(', ')}`);
    dead = 0;
  };
}

const moving: ReadonlySet<string> = new Set([
  'commit_round',
  'follow_round',
  'record_cash',
  'open_account',
]);

/** By the function that a statement calls, and its arguments by their names. */
function readCommand({ text, values = [] }: PostgresQuery): HostCommand {
  const [, name, list] = / FROM \S+\.(\w+)\((.*)\) AS line$/.exec(text) ?? [];
  if (name === undefined || list === undefined) {
    return { what: 'check', key: null, moves: false, takes: false };
  }
  const parameters = list.split(', ').map((one) => one.replace(/ =>.*$/, ''));
  const value = (parameter: string): unknown => values[parameters.indexOf(parameter)];
  const movements = value('movements');
  return {
    what: name,
    key: keyOf(value),
    moves: moving.has(name),
    takes: typeof movements === 'string' && takesStakes(movements),
  };
}

function keyOf(value: (parameter: string) => unknown): RoundKey | PlayerKey | null {
  const [operatorId, playerId] = [value('of_operator'), value('of_player')];
  if (typeof operatorId !== 'string' || typeof playerId !== 'string') return null;
  const gameRound = value('of_round');
  if (typeof gameRound !== 'string') return { operatorId, playerId };
  return { operatorId, playerId, gameRound };
}

/** A take of something, and no reversal. */
function takesStakes(text: string): boolean {
  const movements = JSON.parse(text) as readonly (readonly [kind: string, ...unknown[]])[];
  const isTaken = movements.some(([kind, , units]) => kind === 'take' && units !== '0');
  return isTaken && movements.every(([kind]) => kind !== 'reverse');
}
