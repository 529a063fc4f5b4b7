import type { EventEmitter } from 'node:events';

/** An argument of a store function; lists become arrays. */
export type PostgresValue =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean | null)[];

/** A statement in pg's form. */
export interface PostgresQuery {
  readonly text: string;
  /** Prepared once in each session under this name; unnamed where absent. */
  readonly name?: string;
  readonly values?: unknown[];
  readonly rowMode: 'array';
  /** How values are parsed; the store reads all of them as the server writes them. */
  readonly types: { getTypeParser(): (value: string) => unknown };
}

/** The part of a connection that the store needs; `PoolClient` of pg 8 has it. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[][] }>;
  release(destroy?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * The part of a pool that the store needs; `Pool` of pg 8 has it. Structural, so that the user's own
 * version of pg fits.
 */
export interface PostgresPool extends Pick<EventEmitter, 'on' | 'off'> {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** Answers arrive as text, whatever parsers pg is configured with: an amount must never be a float. */
const types = { getTypeParser: () => (value: string) => value };

/**
 * Sends one statement and resolves to its rows, each a list of texts. With values it is a prepared
 * statement; without a name, a pooler may send it to any session. Without values, it may hold several
 * statements.
 */
export async function query(
  client: PostgresClient,
  text: string,
  values: readonly PostgresValue[] = [],
  name?: string,
): Promise<(string | null)[][]> {
  const statement: PostgresQuery = { text, values: [...values], rowMode: 'array', types };
  const { rows } = await client.query(name === undefined ? statement : { ...statement, name });
  return rows as (string | null)[][];
}

/**
 * Whether an error means that a statement did not happen: the server reports severity ERROR and has undone
 * it. What ends the session (FATAL, PANIC) may come after a commit, and so may whatever breaks the
 * connection.
 */
export function wasNotExecuted(error: unknown): boolean {
  const code = codeOf(error);
  if (!/^[0-9A-Z]{5}$/.test(code) || lostSession.test(code)) return false;
  return fieldOf(error, 'severity') === 'ERROR' || alwaysUndone.test(code);
}

/**
 * Codes for a lost session. A pooler or a distributed coordinator reports it as an ERROR, because it keeps the
 * client's session, and does not know whether the lost one had committed.
 */
const lostSession = /^(08\w{3}|40003|57P\w{2}|58\w{3}|XX\w{3})$/;

/** Codes that only come before a commit; a server may report the severity in another language (lc_messages). */
const alwaysUndone = /^(22\w{3}|23\w{3}|26000|42\w{3}|40001|40P01|55P03|57014|25006|RW00[123])$/;

/**
 * Temporary errors: a serialization failure or deadlock, a lock or statement time-out, a server that has
 * become a standby, or is out of connections, memory or disk.
 */
const passing = /^(40001|40P01|55P03|57014|25006|53\w{3})$/;

/** Whether a retry of the same statement may succeed soon. */
export function mayPass(error: unknown): boolean {
  return passing.test(codeOf(error));
}

/**
 * Whether the session is not the one in which the statement was prepared, or another client prepared it
 * there: a pooler shares sessions and does not support prepared statements.
 */
export function isLentSession(error: unknown): boolean {
  return /^(26000|42P05)$/.test(codeOf(error));
}

/** Whether the store's functions or tables do not exist. */
export function isMissing(error: unknown): boolean {
  return /^(42P01|42883|3F000)$/.test(codeOf(error));
}

/** The SQLSTATE of a server error; empty for all other errors. */
export function codeOf(error: unknown): string {
  return fieldOf(error, 'code');
}

/** The message of an error; of an aggregate, as for a host with several addresses, the first one's. */
export function reasonOf(error: unknown): string {
  const message = fieldOf(error, 'message');
  if (message !== '') return message;
  const { errors } = Object(error) as { errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return codeOf(error) || 'an unknown error';
}

function fieldOf(error: unknown, name: string): string {
  const value = (Object(error) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
