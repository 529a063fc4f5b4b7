// Removes the declarations that none of the package's subpaths reaches: no program can name what is in them.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import subpaths from './subpaths.json' with { type: 'json' };

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const reached = new Set();

function visit(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import\()['"](\.[^'"]*)['"]/g,
  )) {
    const target = join(dirname(file), path);
    const found = [`${target}.d.ts`, join(target, 'index.d.ts')].find((each) => existsSync(each));
    if (!found)
      throw new Error(`${relative(dist, file)} imports ${path}, which has no declaration`);
    visit(found);
  }
}

for (const source of Object.values(subpaths)) {
  visit(join(dist, source.replace(/^lib\//, '').replace(/\.ts$/, '.d.ts')));
}
for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
