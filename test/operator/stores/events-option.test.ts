import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';

type Events = readonly string[];
const stores: readonly (readonly [string, (events: Events) => unknown])[] = [
  ['memory', (events) => createMemoryStore({ events })],
  ['Redis', (events) => createRedisStore({ url: 'redis://127.0.0.1:1', events })],
  ['PostgreSQL', (events) => createPostgresStore({ pool: new Pool(), events })],
];

test.each(stores)('wrong consumers are a TypeError that names the option: %s', (_, create) => {
  for (const wrong of [null, 'a', ['a', 'a'], ['a', 'b', 'a'], ['a b'], [''], [1], {}]) {
    expect(() => create(wrong as Events)).toThrow(/^events/);
    expect(() => create(wrong as Events)).toThrow(TypeError);
  }
});
