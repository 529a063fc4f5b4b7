import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { findPostgres, postgresVersion } from '../test/servers/postgres/binary';
import { findRedisServer, redisVersion } from '../test/servers/redis/binary';

/** Where the figures were seen. */
export type Machine = Readonly<Record<string, string | undefined>>;

/** Names the machine and the versions that matter; of the servers, those that are used. */
export async function describeMachine(servers: ReadonlySet<string>): Promise<Machine> {
  const [cpu] = cpus();
  const gibibytes = (totalmem() / 2 ** 30).toFixed(1);
  return {
    cpu: `${cpus().length} x ${cpu?.model ?? 'unknown'}`,
    memory: `${gibibytes} GiB`,
    system: `${platform()} ${release()}`,
    'load before': loadavg()[0]?.toFixed(1), // what else ran: figures of a busy machine mean little
    node: process.version,
    ...(servers.has('redis') ? { redis: await redisVersion(await findRedisServer()) } : {}),
    ...(servers.has('postgres') ? { postgres: await postgresVersion(await findPostgres()) } : {}),
    ...Object.fromEntries(['express', 'ioredis', 'pg'].map((name) => [name, packageVersion(name)])),
  };
}

function packageVersion(name: string): string {
  return (require(`${name}/package.json`) as { version: string }).version;
}
