// Writes the texts that a module named `packed` reads (Lua, SQL, schemas) into its place in dist/, so that the package
// reads no files and a bundle of it is whole.
import { chmodSync, cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ASSETS = new Set(['.lua', '.sql', '.py']);
const lib = fileURLToPath(new URL('../lib', import.meta.url));
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const require = createRequire(import.meta.url);

const isAsset = (path) => ASSETS.has(extname(path));
cpSync(lib, dist, {
  recursive: true,
  filter: (source) => statSync(source).isDirectory() || isAsset(source),
});

const files = readdirSync(dist, { recursive: true }).map((name) => join(dist, name));
for (const file of files.filter((path) => basename(path) === 'packed.js')) {
  const { packed } = require(file);
  if (!(packed instanceof Map) || packed.size === 0) throw new Error(`${file} packs nothing`);
  writeFileSync(file, moduleOf(packed));
}
for (const file of files.filter(isAsset)) rmSync(file);

chmodSync(join(dist, 'cli/main.js'), 0o755);

/** Texts stay as they can be read, line by line. */
function moduleOf(packed) {
  const lines = [...packed].map(([name, text]) => `  [${JSON.stringify(name)}, ${literal(text)}],`);
  const entries = lines.join('\n');
  return `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.packed = void 0;
exports.packed = new Map([
${entries}
]);
`;
}

function literal(text) {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`).replaceAll('\r', String.raw`\r`)}\``;
}
