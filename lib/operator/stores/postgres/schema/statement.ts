import { createHash } from 'node:crypto';
import { opened, type StoreFunction } from './functions';
import { quoteSchema } from './name';

/** A statement, and the name to prepare it under. */
export interface Statement {
  readonly text: string;
  readonly name: string;
}

/**
 * Added to lines that report no commit. A transaction that has written nothing waits for no standby, and a
 * primary that has restarted shows commits that its standbys do not have: a failover would lose what was answered. The
 * message goes to the server's log (WAL) alone; with it, this transaction waits as a commit does.
 */
const barrier =
  "CASE WHEN line[1] <> 'committed' AND current_setting('synchronous_standby_names') <> '' " +
  "THEN pg_logical_emit_message(true, 'rgs_wallet', '') END";

/**
 * The statement that calls a function: its lines, each text in its own column. The name is derived from
 * the text: in sessions shared with other schemas or versions it cannot mean another statement.
 */
export function statementOf(called: StoreFunction, schema: string): Statement {
  const { name, parameters, width, opens, isConfirmed: confirmed = opens !== undefined } = called;
  const columns = Array.from({ length: width }, (_, at) => `line[${at + 1}]`);
  if (opens !== undefined) {
    const given = opened.map(
      (parameter) => `${parameter} => $${parameters.indexOf(parameter) + 1}`,
    );
    const answer = `${quoteSchema(schema)}.load_opened(${given.join(', ')}, is_own => ${opens.isOwn})`;
    columns.push(`CASE WHEN line[1] = 'stale' THEN ${answer} END`);
  }
  if (confirmed) columns.push(barrier);
  const values = parameters.map((parameter, at) => `${parameter} => $${at + 1}`);
  const text = `SELECT ${columns.join(', ')} FROM ${quoteSchema(schema)}.${name}(${values.join(', ')}) AS line`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { text, name: `rgs_${name}_${digest}` };
}
