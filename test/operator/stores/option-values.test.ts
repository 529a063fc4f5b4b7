import { expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { Client, Pool } from 'pg';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createOwnTablesStore, createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';

type Wrong = Readonly<Record<string, unknown>>;
const redis = (wrong: Wrong) => createRedisStore({ url: 'redis://127.0.0.1:1', ...wrong });
const postgres = (wrong: Wrong) => createPostgresStore({ pool: new Pool(), ...wrong });
const ownTables = (wrong: Wrong) => createOwnTablesStore({ pool: new Pool(), ...wrong });
const postgresSwitches = ['migrate', 'sessionTimeouts', 'preparedStatements', 'acceptLoss'];

// What comes from the environment is a text: 'false' must not silently mean what is set by default.
test.each([
  ['Redis', redis, ['init', 'acceptLoss', 'assumeDurable', 'serves', 'acceptOlderData']],
  ['PostgreSQL', postgres, postgresSwitches],
  ['your own tables', ownTables, postgresSwitches],
] as const)('a switch that is no boolean is a TypeError that names it: %s', (_, create, names) => {
  for (const name of names) {
    for (const wrong of ['true', 'false', 1, 0, null, {}]) {
      expect(() => create({ [name]: wrong })).toThrow(TypeError);
      expect(() => create({ [name]: wrong })).toThrow(`${name} must be true or false`);
    }
  }
});

// It would be missed when the connection is in trouble, inside a listener.
test.each([
  ['Redis', redis],
  ['PostgreSQL', postgres],
  ['your own tables', ownTables],
])('a logger without a method is a TypeError that names it: %s', (_, create) => {
  for (const wrong of [null, {}, 'info', { info: () => {}, error: () => {} }]) {
    expect(() => create({ logger: wrong })).toThrow(TypeError);
    expect(() => create({ logger: wrong })).toThrow(/^logger must have a function/);
  }
});

test.each([
  ['memory', (wrong: Wrong) => createMemoryStore(wrong)],
  ['Redis', redis],
  ['PostgreSQL', postgres],
])('a clock without a function is a TypeError that names it: %s', (_, create) => {
  for (const wrong of [null, {}, 5, { now: () => 0 }]) {
    expect(() => create({ clock: wrong })).toThrow(TypeError);
    expect(() => create({ clock: wrong })).toThrow(/^clock must have a function/);
  }
});

test('a name that is no text is a TypeError that names it', () => {
  for (const wrong of [null, 5, true, Symbol('rgs'), Object.create(null)]) {
    expect(() => redis({ namespace: wrong })).toThrow(/^namespace must be/);
    expect(() => postgres({ schema: wrong })).toThrow(/^schema must be/);
  }
});

test.each(['keyPrefix', 'stringNumbers'])(
  'a Redis client with %s, under which the store would be wrong, is a TypeError that names it',
  (name) => {
    const unfit = { lazyConnect: true, [name]: name === 'keyPrefix' ? 'shop:' : true };
    const nodes = [{ host: '127.0.0.1', port: 1 }];
    for (const client of [
      new Redis(unfit),
      new Cluster(nodes, unfit),
      new Cluster(nodes, { lazyConnect: true, redisOptions: unfit }),
    ]) {
      expect(() => createRedisStore({ client })).toThrow(TypeError);
      expect(() => createRedisStore({ client })).toThrow(`client must not have ${name}:`);
    }
  },
);

test('a client of pg in place of a pool is a TypeError', () => {
  const pool = new Client() as unknown as Pool;
  for (const create of [createPostgresStore, createOwnTablesStore]) {
    expect(() => create({ pool })).toThrow(TypeError);
    expect(() => create({ pool })).toThrow('pool must be a pg Pool');
  }
});
