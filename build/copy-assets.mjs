// Copies what tsc leaves behind (Lua, SQL and Python files) from lib/ to the same place under dist/.
import { chmodSync, cpSync, existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const ASSETS = new Set(['.lua', '.sql', '.py']);
const lib = fileURLToPath(new URL('../lib', import.meta.url));
const dist = fileURLToPath(new URL('../dist', import.meta.url));

cpSync(lib, dist, {
  recursive: true,
  filter: (source) => statSync(source).isDirectory() || ASSETS.has(extname(source)),
});

const cli = `${dist}/cli/main.js`;
if (existsSync(cli)) chmodSync(cli, 0o755);
