import { createHash } from 'node:crypto';
import type { PostgresValue } from '../client/port';
import { quoteSchema } from './name';

/** A function of the schema; its migration describes its parameters and answer. */
export interface StoreFunction {
  readonly name: string;
  /** Their names, in the order in which values are sent. */
  readonly parameters: readonly string[];
  /** Number of texts in its longest line. */
  readonly width: number;
  /** Whether load_opened reads the round after a `stale` line, and where the money is; confirmed as below. */
  readonly opens?: { readonly isOwn: boolean };
  /** Whether its answer waits for the synchronous standbys also where it has written nothing: {@link barrier}. */
  readonly isConfirmed?: true;
}

/** A value for each parameter of a function. */
export type ValuesOf<F extends StoreFunction> = {
  readonly [name in F['parameters'][number]]: PostgresValue;
};

/** The parameters of a commit that load_opened takes too. */
const opened = ['of_operator', 'of_player', 'of_round', 'opening', 'record_hash'] as const;

/** The arguments of a function, in the order of its parameters. */
export function inOrder<F extends StoreFunction>(
  { parameters }: F,
  values: ValuesOf<F>,
): PostgresValue[] {
  const byName: Readonly<Record<string, PostgresValue>> = values;
  return parameters.map((name) => byName[name] as PostgresValue);
}

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
