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
}

/**
 * The schema of this version, in order. Functions are migrations too, so the number says exactly what a
 * database has.
 */
export const migrations: readonly Migration[] = readMigrations(join(__dirname, 'migrations'));

/** The number of the schema that this version works with. */
export const schemaVersion: number = migrations.length;

/**
 * The migrations of a folder.
 * @throws Error if the numbers have gaps.
 */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file, index) => {
    const number = Number.parseInt(file, 10);
    if (number !== index + 1) throw new Error(`${file} is not migration ${index + 1}`);
    const source = readFileSync(join(folder, file), 'utf8');
    const checksum = createHash('sha256').update(source).digest('hex');
    return { number, name: file.replace(/\.sql$/, ''), source, checksum };
  });
}
