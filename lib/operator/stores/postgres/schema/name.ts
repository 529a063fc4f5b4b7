/** The schema of a store that is not told another. */
export const defaultSchema = 'rgs_wallet';

/**
 * A schema's name stands in statements, so it must be a plain one.
 * @throws TypeError for any other.
 */
export function checkSchemaName(schema: string): void {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_')) {
    throw new TypeError(
      'schema must be lower-case letters, digits and _, begin with no digit, and not with pg_',
    );
  }
}

/** The name as it stands in a statement; quoted, for it may be a word of SQL. */
export function quoteSchema(schema: string): string {
  return `"${schema}"`;
}
