/** The default schema. */
export const defaultSchema = 'rgs_wallet';

/**
 * A schema's name becomes part of statements, so it must be a plain one.
 * @throws TypeError for any other.
 */
export function checkSchemaName(schema: unknown): asserts schema is string {
  const isName = typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema);
  if (!isName || schema.startsWith('pg_')) {
    throw new TypeError(
      'schema must be lower-case letters, digits and _, begin with no digit, and not with pg_',
    );
  }
}

/** The name as written in a statement; quoted, because it may be an SQL keyword. */
export function quoteSchema(schema: string): string {
  return `"${schema}"`;
}
