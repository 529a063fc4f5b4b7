import { EventEmitter } from 'node:events';
import type { PGlite } from '@electric-sql/pglite';
import type {
  PostgresClient,
  PostgresPool,
  PostgresQuery,
} from '../../../../lib/operator/stores/postgres/client/port';
import { loadByNode } from '../load-by-node';

/** Types of the columns that the store reads, by their numbers: their texts stay as the server writes them. */
const columnTypes = [16, 20, 21, 23, 25, 26, 114, 1007, 1009, 1016, 1043, 1114, 1184, 2206, 4089];
const asText = Object.fromEntries(columnTypes.map((type) => [type, (text: string) => text]));

/** PostgreSQL in WebAssembly, in this process. It has one session, and keeps its data in memory. */
export async function openDatabase(): Promise<PGlite> {
  const { PGlite: Database } = loadByNode(
    '@electric-sql/pglite',
  ) as typeof import('@electric-sql/pglite');
  return Database.create({ dataDir: 'memory://' });
}

type Answer = { readonly rows: unknown[][] };

/** Carries a statement to the database, where `work` runs it, and its answer back. */
export type CarryStatement = (query: PostgresQuery, work: () => Promise<Answer>) => Promise<Answer>;

/** Nothing goes wrong on the way. */
const atOnce: CarryStatement = (_, work) => work();

/** A pool over it, as the store takes one of pg. Every connection is the one session; one that is given up is not used again. */
export function poolOf(database: PGlite, carry: CarryStatement = atOnce): PostgresPool {
  const idle: PostgresClient[] = [];
  const open = (): PostgresClient => {
    const client: PostgresClient = {
      query: (query) => carry(query, () => run(database, query)),
      release: (destroy) => void (destroy || idle.push(client)),
      on: () => client,
      off: () => client,
    };
    return client;
  };
  return Object.assign(new EventEmitter(), {
    connect: async () => idle.pop() ?? open(),
    end: async () => {},
  });
}

async function run(database: PGlite, { text, values = [] }: PostgresQuery): Promise<Answer> {
  // Without values it may hold several statements.
  if (values.length === 0) {
    const results = await database.exec(text, { rowMode: 'array', parsers: asText });
    return { rows: (results.at(-1)?.rows ?? []) as unknown[][] };
  }
  const { rows } = await database.query(text, values, { rowMode: 'array', parsers: asText });
  return { rows: rows as unknown[][] };
}
