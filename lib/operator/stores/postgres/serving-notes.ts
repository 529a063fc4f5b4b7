import { noteKeptMs, type ServingNotes } from '../companions';
import { query } from './client/port';
import type { Connections } from './connections/pool';
import { quoteSchema } from './schema/name';

/**
 * The notes, beside the settings of the data: `serving` and a token, with the retention and the time; `retained` and a
 * retention, with the time at which a process last kept rounds so long. Of two processes
 * that start in the same moment neither may see the other; the next renewal reports it.
 */
export function servingNotes(
  connections: Connections,
  { schema, commandTimeoutMs }: { readonly schema: string; readonly commandTimeoutMs: number },
): ServingNotes {
  const settings = `${quoteSchema(schema)}.settings`;
  const note = `WITH noted AS (
      SELECT s.name, split_part(s.value, ' ', 1) AS retention, split_part(s.value, ' ', 2)::bigint AS at
      FROM ${settings} s WHERE s.name LIKE 'serving %' AND s.name <> $1
    ), clock AS (SELECT trunc(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now),
    others AS (
      SELECT DISTINCT n.retention FROM noted n, clock c WHERE n.at > c.now - $3::bigint AND n.retention <> $2
    ), old AS (
      DELETE FROM ${settings} s USING noted n, clock c WHERE s.name = n.name AND n.at <= c.now - $3::bigint
    ), own AS (
      INSERT INTO ${settings} AS s (name, value)
      SELECT o.name, o.value FROM clock c, LATERAL (
        VALUES ($1, $2 || ' ' || c.now), ('retained ' || $2, c.now::text)
      ) AS o (name, value) WHERE $4 = 'true' OR NOT EXISTS (SELECT FROM others)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
    ), retained AS (
      SELECT split_part(s.name, ' ', 2)::bigint AS ms FROM ${settings} s, clock c
      WHERE s.name LIKE 'retained %' AND s.value::bigint >= c.now - $2::bigint
    )
    SELECT (SELECT least($2::bigint, min(r.ms)) FROM retained r)::text, o.retention
    FROM (VALUES (1)) AS one (row) LEFT JOIN others o ON true`;
  const forget = `DELETE FROM ${settings} WHERE name = $1`;
  const run = (text: string, values: readonly string[]) =>
    connections.use(commandTimeoutMs, (client) => query(client, text, values));
  return {
    note: async ({ token, retentionMs, isForced }) => {
      const values = [`serving ${token}`, retentionMs, noteKeptMs, isForced].map(String);
      const lines = await run(note, values);
      const others = lines.flatMap(([, retention]) =>
        retention === null ? [] : Number(retention),
      );
      return { shortestMs: Number(lines[0]?.[0]), others };
    },
    forget: async (token) => void (await run(forget, [`serving ${token}`])),
  };
}
