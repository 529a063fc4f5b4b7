/** Reserved words of PostgreSQL: names only in quotes. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp
  current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having
  ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not
  notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar
  some symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where
  window with`.split(/\s+/),
);

/** A name as SQL has it, quoted only where it must be. @throws RangeError for an invalid name. */
export function nameOf(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(text)) throw new RangeError(text);
  return /^[a-z_][a-z0-9_]*$/.test(text) && !reserved.has(text) ? text : `"${text}"`;
}

/** The name of a table with its schema. @throws RangeError for an invalid one. */
export function tableOf(text: string): string {
  const parts = text.split('.');
  if (parts.length !== 2) throw new RangeError(text);
  return parts.map(nameOf).join('.');
}
