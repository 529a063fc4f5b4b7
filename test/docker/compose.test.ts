import { Command } from 'commander';
import { describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';

import { addServe } from '../../lib/cli/serve/command';
import type { PostgresClient } from '../../lib/operator/stores/postgres/client/port';
import { dangersOf, readSettings } from '../../lib/operator/stores/postgres/schema/safety-check';
import type { RedisClient } from '../../lib/operator/stores/redis/client/port';
import { inspectServer } from '../../lib/operator/stores/redis/connection/safety-check';
import { textOf } from '../tidy/source';
import { stagesOf, valuesOf } from './dockerfile';

interface Service {
  readonly image: string;
  readonly profiles: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const document = parseDocument(textOf('docker/compose.yaml'), { merge: true, strict: true });
const compose = document.toJS() as Compose;
const services = Object.entries(compose.services);
const wallets = services.filter(([, { build }]) => build !== undefined);
const servers = services.filter(([, { build }]) => build === undefined);

function commandOf(name: string): readonly string[] {
  return compose.services[name]?.command ?? [];
}

/** The major version of a server's image. */
function majorOf(name: string): number {
  return Number(/:(\d+)/.exec(compose.services[name]?.image ?? '')?.[1]);
}

test('the file is YAML without faults, with a wallet and a server for each kind of store', () => {
  expect([document.errors, document.warnings]).toEqual([[], []]);
  expect(wallets.map(([name]) => name)).toEqual(['wallet-on-redis', 'wallet-on-postgres']);
  expect(servers.map(([name]) => name)).toEqual(['redis', 'postgres']);
});

test('docs/operations/service.md names profiles, services and commands that are there', () => {
  const lines = textOf('docs/operations/service.md').match(/^docker compose .*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const [, profile = '', verb, name, command] =
      /--profile (\w+) (run|up)(?: --rm --build (\S+) (\w+) --store)?/.exec(line) ?? [];
    expect(line).toContain('-f docker/compose.yaml');
    expect(services.some(([, { profiles }]) => profiles.includes(profile))).toBe(true);
    if (verb !== 'run') continue;
    expect(compose.services[name ?? '']?.profiles).toEqual([profile]);
    expect(command).toBe(profile === 'redis' ? 'init' : 'migrate');
  }
});

describe('the settings of the servers', () => {
  test('are those that the Redis store demands, each of them given', async () => {
    const [program, ...flags] = commandOf('redis');
    expect(program).toBe('redis-server');
    const given = new Map<string, string>();
    for (let at = 0; at < flags.length; at += 2) {
      given.set((flags[at] ?? '').replace(/^--/, ''), flags[at + 1] ?? '');
    }
    const asked: string[] = [];
    const call = async (command: string, _: string, name = '') => {
      if (command === 'info') return 'redis_version:7.4.0\r\nrole:master\r\nconnected_slaves:0';
      asked.push(name);
      return [name, given.get(name) ?? ''];
    };
    const server = { call } as unknown as RedisClient;
    const safe = { dangers: [], passwords: [], replicas: 0, assumed: null };
    expect(await inspectServer(server, { assumeDurable: false, rights: null })).toMatchObject(safe);
    expect(asked.toSorted()).toEqual([...given.keys()].toSorted());
  });

  test('are those that the PostgreSQL store demands, each of them given', async () => {
    const [program, ...flags] = commandOf('postgres');
    expect(program).toBe('postgres');
    const given = new Map(
      flags.filter((flag) => flag !== '-c').map((flag) => flag.split('=') as [string, string]),
    );
    const columns = ['fsync', 'full_page_writes', 'synchronous_commit'];
    const settings = columns.map((name) => given.get(name) ?? 'off');
    const row = ['170000', '17.0', 'f', 'UTF8', ...settings, 'on', 'read committed'];
    const client = { query: async () => ({ rows: [row] }) } as unknown as PostgresClient;
    expect(dangersOf(await readSettings(client))).toEqual([]);
    expect([...given.keys()]).toEqual(columns);
  });

  test('are of a release that the stores take', () => {
    expect(majorOf('redis')).toBeGreaterThanOrEqual(7);
    expect(majorOf('postgres')).toBeGreaterThanOrEqual(14);
  });
});

describe.each(servers)('%s', (_, { volumes = [], healthcheck, ports }) => {
  test('keeps its data on a volume that is declared, tells when it is ready, and is not reached from outside', () => {
    const [name = '', folder] = volumes[0]?.split(':') ?? [];
    expect(Object.keys(compose.volumes)).toContain(name);
    expect(['/data', '/var/lib/postgresql/data']).toContain(folder);
    expect(healthcheck?.test[0]).toBe('CMD');
    expect(ports).toBeUndefined();
  });
});

describe.each(wallets)('%s', (_, wallet) => {
  const { environment = {}, depends_on: needs = {}, profiles } = wallet;

  test('is built from the Dockerfile that is there', () => {
    expect(wallet.build).toEqual({ context: '..', dockerfile: 'docker/Dockerfile' });
    expect(stagesOf()).toHaveLength(2);
  });

  test('sets only variables that serve knows, and no secret that is written down', () => {
    const program = new Command();
    addServe(program);
    const serve = program.commands[0];
    const known = new Set([
      ...(serve?.options.map(({ envVar }) => envVar) ?? []),
      'OPERATOR_ID',
      'OPERATOR_SECRET',
    ]);
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(environment).toMatchObject({
      OPERATOR_ID: '${OPERATOR_ID:?}',
      OPERATOR_SECRET: '${OPERATOR_SECRET:?}',
    });
  });

  test('waits for the server of its store, which is of the same profile', () => {
    const store = new URL((environment['WALLET_STORE'] ?? '').replace(/\$\{[^}]*\}/, 'password'));
    expect(needs).toEqual({ [store.hostname]: { condition: 'service_healthy' } });
    expect(compose.services[store.hostname]?.profiles).toEqual(profiles);
  });

  test('does not make a store at each start, which would hide that one was lost', () => {
    expect(Object.keys(environment)).not.toContain('WALLET_INIT');
    expect(wallet.command).toBeUndefined();
  });

  test('listens on this machine alone, on the port of the image', () => {
    const [exposed] = valuesOf(stagesOf().at(-1) ?? [], 'EXPOSE');
    expect(wallet.ports).toEqual([`127.0.0.1:8080:${exposed}`]);
  });

  test('is given longer to stop than the calls in flight', () => {
    const program = new Command();
    addServe(program);
    const grace = program.commands[0]?.options.find(({ long }) => long === '--grace-ms');
    const seconds = Number(/^(\d+)s$/.exec(wallet.stop_grace_period ?? '')?.[1]);
    expect(seconds * 1000).toBeGreaterThan(Number(grace?.defaultValue));
  });
});
