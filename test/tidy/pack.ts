import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { built } from '../support/built';
import { ROOT } from './source';

/** The package as it is published. */
export interface Packed {
  /** The path of its file. */
  readonly tarball: string;
  /** The paths of what it carries. */
  readonly files: readonly string[];
}

/** Packs what was built into a folder. */
export async function packInto(folder: string): Promise<Packed> {
  built();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT });
  const [pack] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (!pack) throw new Error('npm pack made nothing');
  return { tarball: join(folder, pack.filename), files: pack.files.map(({ path }) => path) };
}
