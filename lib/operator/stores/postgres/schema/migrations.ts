import { createHash } from 'node:crypto';
import type { PackageFiles } from '../../../../platform/package/files';
import { packed } from './packed';

/** One step of the schema. */
export interface Migration {
  /** 1 for the first; they have no gaps. */
  readonly number: number;
  /** Such as `001-schema`: the name of its file without the ending, or of its folder. */
  readonly name: string;
  /** SQL, with `{schema}` for the name of the schema. */
  readonly source: string;
  /** Of the source: an applied migration never changes. */
  readonly checksum: string;
  /**
   * The oldest schema whose programs may still serve once this migration is applied, by a line of its source
   * (`-- Serves programs of schema 1 and later.`); without that line its own number: no older one may.
   */
  readonly servesFrom: number;
}

const servesLine = /^-- Serves programs of schema (\d+) and later\.$/m;

/**
 * The schema of this version, in order. Functions are migrations too, so the number says exactly what a
 * database has.
 */
export const migrations: readonly Migration[] = readMigrations(packed);

/** The number of the schema that this version works with. */
export const schemaVersion: number = migrations.length;

/**
 * Migrations, each a file, or a folder of files that belong together, in the order of their names.
 * @throws Error if the numbers have gaps, or a migration serves programs of a schema later than its own.
 */
export function readMigrations(files: PackageFiles): Migration[] {
  const texts = new Map<string, string[]>();
  for (const path of [...files.keys()].toSorted()) {
    const [entry = ''] = path.split('/', 1);
    texts.set(entry, [...(texts.get(entry) ?? []), files.get(path) ?? '']);
  }
  return [...texts].map(([entry, parts], index) => {
    const number = Number.parseInt(entry, 10);
    if (number !== index + 1) throw new Error(`${entry} is not migration ${index + 1}`);
    const source = parts.join('\n');
    const checksum = createHash('sha256').update(source).digest('hex');
    const servesFrom = Number(servesLine.exec(source)?.[1] ?? number);
    if (servesFrom < 1 || servesFrom > number)
      throw new Error(`${entry} serves from ${servesFrom}`);
    return { number, name: entry.replace(/\.sql$/, ''), source, checksum, servesFrom };
  });
}

/** Strings, quoted names, bodies between dollars and comments: a semicolon in one of them ends no statement. */
const enclosed = /'[^']*'|"[^"]*"|\$((?:[a-z_]\w*)?)\$[\s\S]*?\$\1\$|--.*|\/\*[\s\S]*?\*\//gi;

/** The statements of a source, each with the comments before it. Neither `E'...'` nor a comment in a comment is understood. */
export function statementsIn(source: string): string[] {
  const open = source.replace(enclosed, (text) => ' '.repeat(text.length));
  const ends = [...open.matchAll(/;|$/g)].map(({ index }) => index);
  return ends.flatMap((end, at) => {
    const start = at === 0 ? 0 : (ends[at - 1] ?? 0) + 1;
    return open.slice(start, end).trim() === '' ? [] : [source.slice(start, end).trim()];
  });
}

/** The column of a row of the table of migrations; null where the table lacks it, as one of before the first release does. */
export function servesFromOf(row: string): string {
  return `to_jsonb(${row}) ->> 'serves_from'`;
}

/**
 * Whether a program of this schema may serve beside a later migration.
 * @param servesFrom what the table of migrations says of it; null where it says nothing
 */
export function servesProgram(servesFrom: string | null | undefined, version: number): boolean {
  return typeof servesFrom === 'string' && Number(servesFrom) <= version;
}
