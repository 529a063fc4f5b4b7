import { beforeAll, expect, test } from '@jest/globals';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import {
  commandsOfScripts,
  sentOutside,
} from '../../../../lib/operator/stores/redis/commands/rights';
import { type AccountStore, StoreUnsafeError } from '../../../../lib/operator/wallet';
import { withRedis } from '../../../servers/redis/client';
import { startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const cleanup = cleanupAfterEach();
const every = { events: ['bridge'], history: true } as const;
const redis = serverOfFile(startRedis);

beforeAll(async () => {
  await open({ ...every, url: redis().url, init: true }).ready();
});

function open(options: RedisStoreOptions): AccountStore {
  const made = createRedisStore({ ...patience, ...options });
  return cleanup.after(made);
}

/** The address for a user who has these rights on the keys of the namespace. */
async function addressFor(rights: readonly string[]): Promise<string> {
  const user = ['wallet', 'reset', 'on', '>s3cret', '~rgs:*', '~plain:*', ...rights];
  await withRedis(redis(), (admin) => admin.call('ACL', 'SETUSER', ...user));
  return `redis://wallet:s3cret@127.0.0.1:${redis().port}`;
}

function everyKey(): Promise<unknown> {
  return withRedis(redis(), async (admin) => {
    const keys = (await admin.keys('*')).toSorted();
    return Promise.all(keys.map(async (key) => [key, await admin.dump(key)]));
  });
}

const commands = commandsOfScripts({ events: true, history: true });

test.each(commands)(
  'a user who may not run %s is refused, since a commit could be made in part',
  async (lacking) => {
    const all = [...sentOutside, ...commands].filter((name) => name !== lacking);
    const url = await addressFor(all.map((name) => `+${name}`));
    const error = await open({ ...every, url })
      .ready()
      .catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(StoreUnsafeError);
    expect(error).toMatchObject({ message: expect.stringMatching(`Allow \\+${lacking}\\.$`) });
  },
);

test('all that is missing is named at once, also what waiting for replicas needs, and the try leaves nothing', async () => {
  const before = await everyKey();
  const url = await addressFor(['+@all', '-xadd', '-pexpire', '-wait', '-evalsha']);
  await expect(open({ ...every, waitReplicas: 1, url }).ready()).rejects.toThrow(
    'The Redis user may not run all that the store needs on the keys of rgs:settings: a commit would be made in part. Allow +pexpire +xadd +evalsha +wait.',
  );
  expect(await everyKey()).toEqual(before);
});

test('a store without events and history does not need their commands, and one that does not serve needs no writes', async () => {
  const base = [...sentOutside, ...commandsOfScripts({ events: false, history: false })];
  const url = await addressFor(base.map((name) => `+${name}`));
  await open({ url, init: true, namespace: 'plain' }).ready();
  const reading = ['+@all', '-@write'];
  await open({ url: await addressFor(reading), serves: false }).ready();
});

test('a store without the option needs the commands of a history where another process keeps one', async () => {
  const base = [...sentOutside, ...commandsOfScripts({ events: false, history: false })];
  const url = await addressFor(base.map((name) => `+${name}`));
  await expect(open({ url }).ready()).rejects.toThrow(/Allow \+hlen \+hsetnx .*\.$/);
});
