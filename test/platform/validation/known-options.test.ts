import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { createRgsClient } from '../../../lib/operator/client';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createServer } from '../../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../../lib/operator/express/router';
import { createLedgerStore, startSweeper } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore, migratePostgres } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { createMemoryLedger } from '../../../lib/proof';

type Make = (options: unknown) => unknown;

/** Options that would make it, so that the unknown one alone is wrong; each name that it knows. */
interface Maker {
  readonly make: Make;
  readonly good: object;
  readonly known: readonly string[];
}

const operators = [{ operatorId: 'casino', secrets: ['s'.repeat(16)] }];
const shared = ['decimals', 'retentionMs', 'clock'];
const makers: Readonly<Record<string, Maker>> = {
  createMemoryStore: { make: createMemoryStore as Make, good: {}, known: shared },
  createRedisStore: {
    make: createRedisStore as Make,
    good: { url: 'redis://127.0.0.1:1' },
    known: ['url', 'client', 'waitReplicas', 'acceptLoss', 'namespace', ...shared],
  },
  createPostgresStore: {
    make: createPostgresStore as Make,
    good: { url: 'postgres://127.0.0.1:1/none' },
    known: ['url', 'pool', 'schema', 'migrate', 'lockTimeoutMs', ...shared],
  },
  migratePostgres: {
    make: migratePostgres as Make,
    good: { url: 'postgres://127.0.0.1:1/none' },
    known: ['url', 'pool', 'schema', 'logger'],
  },
  createLedgerStore: {
    make: createLedgerStore as Make,
    good: { ledger: createMemoryLedger(), journal: createMemoryStore() },
    known: ['ledger', 'journal', 'breakAfter', 'deadlineMs'],
  },
  startSweeper: {
    make: startSweeper as Make,
    good: {
      store: createLedgerStore({ ledger: createMemoryLedger(), journal: createMemoryStore() }),
      operatorIds: ['casino'],
    },
    known: ['store', 'operatorIds', 'graceMs', 'giveUpAfterMs'],
  },
  createOperatorRouter: {
    make: createOperatorRouter as Make,
    good: { store: createMemoryStore(), operators },
    known: ['store', 'operators', 'maxBodyBytes', 'logger', 'clock', 'onOutcome', 'discountCheck'],
  },
  createRgsClient: {
    make: createRgsClient as Make,
    good: { baseUrl: 'https://rgs.example', operatorId: 'casino', secret: 's'.repeat(16) },
    known: ['baseUrl', 'operatorId', 'secret', 'maxReplyBytes', 'onAttempt', 'fetch'],
  },
  createServer: {
    make: (options) => createServer(express(), options as object),
    good: {},
    known: ['tls', 'keepAliveTimeout', 'maxHeaderSize', 'noDelay'],
  },
};

/** What making it throws, or rejects with; null where it does neither. */
async function errorOf(make: () => unknown): Promise<unknown> {
  try {
    await make();
  } catch (error) {
    return error;
  }
  return null;
}

describe.each(Object.entries(makers))('%s', (name, { make, good, known }) => {
  // A secret that stands where a name should, as a slip in a config file makes it.
  test.each([['waitReplica'], ['hush-hush-4711'], ['constructor'], ['toString']])(
    'refuses the unknown option %s, names those it knows, and does not repeat it',
    async (unknown) => {
      const error = await errorOf(() => make({ ...good, [unknown]: 1 }));
      expect(error).toBeInstanceOf(TypeError);
      const { message } = error as Error;
      expect(message).toMatch(new RegExp(`^${name}: unknown option; the options are `));
      for (const option of known) expect(message.split(/[ ,;]+/)).toContain(option);
      expect(message.split(/[ ,;]+/)).not.toContain(unknown);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('4711');
    },
  );

  test('refuses options that are a text or a list', async () => {
    for (const wrong of ['redis://127.0.0.1', ['url']]) {
      expect(await errorOf(() => make(wrong))).toBeInstanceOf(TypeError);
    }
  });
});

test.each<[string, Make, string]>([
  ['waitReplica', createRedisStore as Make, 'waitReplicas'],
  ['waitreplicas', createRedisStore as Make, 'waitReplicas'],
  ['clockTolerance', createOperatorRouter as Make, 'clockToleranceMs'],
  ['maxTransaction', createOperatorRouter as Make, 'maxTransactions'],
  ['timeoutMS', createRgsClient as Make, 'timeoutMs'],
])('%s is answered with the name that it is close to', async (misspelt, make, meant) => {
  const error = await errorOf(() => make({ [misspelt]: 1 }));
  expect((error as Error).message).toMatch(new RegExp(`; did you mean ${meant}\\?$`));
});

test.each([['hush-hush-4711'], ['x'], ['clock'.repeat(100_000)], ['']])(
  'what is close to no name is answered with no guess: %#',
  async (unknown) => {
    const error = await errorOf(() => createOperatorRouter({ [unknown]: 1 } as never));
    expect((error as Error).message).not.toContain('did you mean');
  },
);

test.each<[string, object, RegExp]>([
  [
    'an operator',
    { operators: [{ ...operators[0], hush4711: 1 }] },
    /operators\/0 holds an unknown name; the names are operatorId, secrets$/,
  ],
  [
    'an operator whose secrets are misspelt',
    { operators: [{ operatorId: 'casino', secret: 'hush4711' }] },
    /operators\/0\/secrets is missing; a name like it is there: did you mean secrets\?$/,
  ],
  ['the errors', { errors: { hush4711: { id: 1 } } }, /errors has an unknown code$/],
  [
    'an error',
    { errors: { BALANCETOOLOW: { hush4711: 1 } } },
    /errors\/BALANCETOOLOW holds an unknown name; the names are id, msg, clientmsg$/,
  ],
])('an unknown name in %s is not repeated either', async (_, change, message) => {
  const options = { ...makers['createOperatorRouter']?.good, ...change };
  const error = await errorOf(() => createOperatorRouter(options as never));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(message);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('4711');
});

test('createMemoryLedger has no options, and says so', async () => {
  const error = await errorOf(() => createMemoryLedger({ hush4711: 1 } as never));
  expect(error).toEqual(new TypeError('createMemoryLedger: unknown option; it takes none'));
  expect(() => createMemoryLedger()).not.toThrow();
});

test.each<[string, Make, string]>([
  ['createOperatorRouter', createOperatorRouter as Make, 'createOperatorRouter'],
  ['createOperatorHandler', createOperatorHandler as Make, 'createOperatorRouter'],
  ['createRgsClient', createRgsClient as Make, 'createRgsClient'],
  ['createRedisStore', createRedisStore as Make, 'createRedisStore'],
  ['createPostgresStore', createPostgresStore as Make, 'createPostgresStore'],
  ['migratePostgres', migratePostgres as Make, 'migratePostgres'],
  ['createLedgerStore', createLedgerStore as Make, 'createLedgerStore'],
  ['startSweeper', startSweeper as Make, 'startSweeper'],
])('%s without options is a TypeError that says so', async (_, make, named) => {
  for (const missing of [undefined, null]) {
    const error = await errorOf(() => make(missing));
    expect(error).toEqual(new TypeError(`${named}: the options are missing`));
  }
});

test('createServer takes what the http.createServer of this Node takes', () => {
  const options = { keepAliveTimeout: 1, highWaterMark: 1024, allowHalfOpen: true, noDelay: false };
  expect(createServer(express(), options).keepAliveTimeout).toBe(1);
});
