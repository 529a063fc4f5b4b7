import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of the package that its programs need: the text by the path, with `/`, in the order of the paths. */
export type PackageFiles = ReadonlyMap<string, string>;

/**
 * The files below a folder whose names end so. For modules named `packed` alone: the build loads each of them once, and
 * writes what it exports in its place, so that a bundle carries the texts and reads no file.
 */
export function readPackageFiles(folder: string, ending: string): PackageFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const paths = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
