import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = readFileSync(join(__dirname, '../../../package.json'), 'utf8');

/** What programs say of the package, by the names of package.json. */
export const packed: ReadonlyMap<string, string> = new Map([
  ['version', (JSON.parse(text) as { version: string }).version],
]);
