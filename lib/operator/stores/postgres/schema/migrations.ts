import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One step of the schema. */
export interface Migration {
  /** 1 for the first; they have no gaps. */
  readonly number: number;
  /** The file's name without its ending, such as `001-tables`. */
  readonly name: string;
  /** SQL, with `{schema}` for the name of the schema. */
  readonly source: string;
  /** Of the source: an applied migration never changes. */
  readonly checksum: string;
  /**
   * The oldest schema whose programs may still serve once this migration is applied, by a line of its source
   * (`-- Serves programs of schema 24 and later.`); without that line its own number: no older one may.
   */
  readonly servesFrom: number;
}

const servesLine = /^-- Serves programs of schema (\d+) and later\.$/m;

/**
 * The schema of this version, in order. Functions are migrations too, so the number says exactly what a
 * database has.
 */
export const migrations: readonly Migration[] = readMigrations(join(__dirname, 'migrations'));

/** The number of the schema that this version works with. */
export const schemaVersion: number = migrations.length;

/**
 * The migrations of a folder.
 * @throws Error if the numbers have gaps, or a migration serves programs of a schema later than its own.
 */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file, index) => {
    const number = Number.parseInt(file, 10);
    if (number !== index + 1) throw new Error(`${file} is not migration ${index + 1}`);
    const source = readFileSync(join(folder, file), 'utf8');
    const checksum = createHash('sha256').update(source).digest('hex');
    const servesFrom = Number(servesLine.exec(source)?.[1] ?? number);
    if (servesFrom < 1 || servesFrom > number) throw new Error(`${file} serves from ${servesFrom}`);
    return { number, name: file.replace(/\.sql$/, ''), source, checksum, servesFrom };
  });
}

/**
 * Whether a program of this schema may serve beside a later migration.
 * @param servesFrom what the table of migrations says of it; null where an earlier version applied it
 */
export function servesProgram(servesFrom: string | null | undefined, version: number): boolean {
  return typeof servesFrom === 'string' && Number(servesFrom) <= version;
}
