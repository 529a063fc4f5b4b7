import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../../dist');
const times = 15;

/** Milliseconds of processor that a new process of Node takes: by itself, and with the root of the built package. */
export function loadCost(): { readonly bare: number; readonly root: number } {
  const bare: number[] = [];
  const loaded: number[] = [];
  for (let time = 0; time < times; time += 1) {
    bare.push(cost(''));
    loaded.push(cost(`require(${JSON.stringify(root)});`));
  }
  return { bare: median(bare), root: median(loaded) };
}

function cost(code: string): number {
  const tell = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);';
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', code + tell], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the package cannot be loaded: ${stderr}`);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
