import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../servers/reaper';
import { ROOT } from '../tidy/source';

/** The languages of examples/signing, and the commands that each needs. */
export const toolchains = {
  python: ['python3'],
  go: ['go'],
  java: ['javac', 'java'],
  php: ['php'],
  csharp: ['mcs', 'mono'],
} as const;

/** A language of the examples. */
export type Language = keyof typeof toolchains;

/** Whether this machine can run the language; says by name what is missing. */
export function canRun(language: Language): boolean {
  const missing = toolchains[language].filter(
    (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0,
  );
  if (missing.length === 0) return true;
  process.stderr.write(
    `${missing.join(' and ')} not on this machine: the ${language} example was not run\n`,
  );
  return false;
}

/** A folder as docs/languages.md has it: the examples in other languages, and the vectors. */
export async function languagesFolder(): Promise<string> {
  const folder = await temporaryFolder('languages');
  for (const part of ['examples/signing', 'examples/wallet', 'vectors']) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  }
  return folder;
}
