import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryFolder } from '../servers/reaper';
import { packInto } from '../tidy/pack';
import { ROOT, textOf } from '../tidy/source';

const run = promisify(execFile);

/** How a program is run: the command, and what comes before the path of the program. */
export interface Runtime {
  readonly command: string;
  readonly flags: readonly string[];
}

/** The runtime of this process. */
export const ownNode: Runtime = { command: process.execPath, flags: [] };

/** Where the package is installed as a user would, and run. */
export class Place {
  readonly #projects = new Map<string, Promise<string>>();

  private constructor(
    private readonly folder: string,
    private readonly tarball: string,
  ) {}

  /** Packs what was built. */
  static async make(): Promise<Place> {
    const folder = await temporaryFolder('platforms');
    const { tarball } = await packInto(folder);
    return new Place(folder, tarball);
  }

  /** A folder of its own below this one. */
  async folderFor(name: string): Promise<string> {
    const folder = join(this.folder, name.replaceAll(/[^\w.-]+/g, '-'));
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** A user's folder with the package, and these packages beside it; ioredis, pg and Express as in the tests of the package unless named. */
  project(packages: readonly string[] = []): Promise<string> {
    const name = ['user', ...packages].join('-');
    const project = this.#projects.get(name) ?? this.makeProject(name, packages);
    this.#projects.set(name, project);
    return project;
  }

  private async makeProject(name: string, packages: readonly string[]): Promise<string> {
    const folder = await this.folderFor(name);
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const named = new Set(packages.map(nameOf));
    const rest = ownPackages.filter((one) => !named.has(nameOf(one)));
    await npmInstall(folder, [this.tarball, ...packages, ...rest]);
    for (const file of ['wallet.mjs', 'on-http.mjs', 'on-express.mjs']) {
      await copyFile(join(__dirname, file), join(folder, file));
    }
    return folder;
  }

  /** Installs a package alone, and resolves to the path of a file of it. */
  async fileOf(wanted: string, path: string): Promise<string> {
    const folder = await this.folderFor(wanted);
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await npmInstall(folder, [wanted]);
    return join(folder, 'node_modules', nameOf(wanted), path);
  }
}

/** Peers and types, by the versions that the package's own tests have. */
const ownPackages = ownVersions([
  'ioredis',
  'pg',
  'express',
  '@types/node',
  '@types/express',
  '@types/pg',
]);

function ownVersions(names: readonly string[]): string[] {
  const manifest = JSON.parse(textOf('package.json')) as {
    devDependencies: Record<string, string>;
  };
  return names.map((name) => `${name}@${manifest.devDependencies[name] ?? ''}`);
}

/** The name of a package that may bear a version. */
function nameOf(wanted: string): string {
  return wanted.replace(/(?<=.)@[^/]*$/, '');
}

async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, ...packages], { cwd: folder });
}

/** The version of a package in a project. */
export function installedVersion(project: string, name: string): string {
  const file = require(join(project, 'node_modules', name, 'package.json')) as { version: string };
  return file.version;
}

/**
 * Plays the wallet on a store, in a project.
 * @throws Error with what the program printed, if it did not end as it must.
 */
export async function play(
  project: string,
  store: string,
  { command, flags }: Runtime = ownNode,
  program = 'on-http.mjs',
): Promise<void> {
  const { HOME = '/', PATH = '' } = process.env;
  const env = { HOME, PATH, STORE: store, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await run(command, [...flags, program], { cwd: project, env });
  // ioredis 5.4.0 prints other lines before it.
  if (!/(?:^|\n)the wallet holds 115\.5\n$/.test(stdout)) throw new Error(`it printed ${stdout}`);
}

/** The first version number that a program prints of itself. */
export async function versionOf(command: string, ...flags: string[]): Promise<string> {
  const { stdout } = await run(command, flags, { cwd: ROOT });
  const version = /\d+\.\d+(?:\.\d+)?/.exec(stdout)?.[0];
  if (version === undefined) throw new Error(`${command} does not say its version`);
  return version;
}
