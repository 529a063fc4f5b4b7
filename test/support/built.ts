import { existsSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(__dirname, '../../dist');

/**
 * The path of a file of the built package, by its path in dist; its entry unless given.
 * @throws Error if it is missing: what runs it would wait for a process that has ended.
 */
export function built(path = 'index.js'): string {
  const file = join(dist, path);
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first`);
  return file;
}
