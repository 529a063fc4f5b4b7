// Writes the documents of the package: openapi/NAME.json.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDocuments } from './documents';

/** Writes each in one piece: a test may be reading it. */
export function writeDocuments(): void {
  const folder = join(__dirname, '../../openapi');
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of Object.entries(createDocuments())) {
    const file = join(folder, `${name}.json`);
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, `${JSON.stringify(document, null, 2)}\n`);
    renameSync(unfinished, file);
  }
}

if (require.main === module) writeDocuments();
