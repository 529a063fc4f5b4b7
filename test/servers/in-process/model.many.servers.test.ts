import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { systemClock } from '../../../lib/platform';
import { scripts } from '../../../lib/operator/stores/redis/commands/scripts';
import { runs } from '../../support/runs';
import { closeClient } from '../redis/client';
import { type RedisServer, startRedis } from '../redis/server';
import { clientOf, RedisModel } from './redis';
import { commands } from './redis/commands';

let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis({ config: { appendonly: 'no' } });
  redis = new Redis(server.clientOptions);
});

afterAll(async () => {
  closeClient(redis);
  await server.stop();
});

const key = fc.constantFrom('{t}a', '{t}b', '{t}c');
const text = fc.constantFrom(
  '',
  '0',
  '7',
  '-3',
  '9007199254740991',
  '1 2',
  'h',
  'é',
  'x y',
  '\u0000',
);
const place = fc.constantFrom('0', '1', '2', '-1', '-2', '5');
const ms = fc.constantFrom('3600000', '7200000');
/** Only its members have scores of their own: a range by names is one of members with the same score. */
const scored = fc.constant('{t}s');
const score = fc.constantFrom('0', '7', '1700000000000', '1700000000001', '9007199254740991');
const namesInRange = fc.tuple(
  key,
  fc.oneof(
    fc.constant('-'),
    text.map((one) => `[${one}`),
    text.map((one) => `(${one}`),
  ),
  fc.constant('+'),
  fc.constant('BYLEX'),
  fc.constant('LIMIT'),
  fc.constant('0'),
  fc.constantFrom('1', '10'),
);

/** Arguments of each command, mostly such as it takes; times to live are too long to run out. */
const argumentsOf: Readonly<Record<string, fc.Arbitrary<readonly string[]>>> = {
  hget: fc.tuple(key, text),
  hmget: fc.tuple(key, text, text),
  hgetall: fc.tuple(key),
  hkeys: fc.tuple(key),
  hvals: fc.tuple(key),
  hlen: fc.tuple(key),
  hset: fc.oneof(
    fc.tuple(key, text, text),
    fc.tuple(key, text, text, text, text),
    fc.tuple(key, text),
  ),
  hsetnx: fc.tuple(key, text, text),
  hdel: fc.tuple(key, text, text),
  hincrby: fc.tuple(key, text, fc.constantFrom('1', '-5', '0')),
  rpush: fc.tuple(key, text, text),
  llen: fc.tuple(key),
  lindex: fc.tuple(key, place),
  lrange: fc.tuple(key, place, place),
  lrem: fc.tuple(key, fc.constant('1'), text),
  sadd: fc.tuple(key, text, text),
  srem: fc.tuple(key, text),
  smembers: fc.tuple(key),
  zadd: fc.oneof(fc.tuple(key, fc.constant('0'), text), fc.tuple(scored, score, text)),
  zrem: fc.tuple(fc.oneof(key, scored), text),
  zrange: fc.oneof(
    fc.tuple(
      fc.oneof(key, scored),
      fc.oneof(
        fc.constant('-inf'),
        score,
        score.map((one) => `(${one}`),
      ),
      score,
      fc.constant('BYSCORE'),
    ),
    fc.tuple(
      scored,
      fc.constant('-inf'),
      score,
      fc.constantFrom('BYSCORE'),
      fc.constant('LIMIT'),
      fc.constantFrom('0', '1'),
      fc.constantFrom('1', '10'),
      fc.constant('WITHSCORES'),
    ),
    namesInRange,
  ),
  exists: fc.tuple(key),
  persist: fc.tuple(key),
  pexpire: fc.tuple(key, ms),
  pexpireat: fc.tuple(key, fc.constantFrom('4102444800000', '4102444800001')),
  pttl: fc.tuple(key),
  pexpiretime: fc.tuple(key),
  set: fc.oneof(fc.tuple(key, text), fc.tuple(key, text, fc.constant('PX'), ms)),
  xadd: fc.tuple(key, fc.constant('*'), fc.constant('e'), text),
  xlen: fc.tuple(key),
  xrange: fc.tuple(
    key,
    fc.constantFrom('-', '0', '(0-1'),
    fc.constant('+'),
    fc.constant('COUNT'),
    fc.constantFrom('1', '9'),
  ),
  xrevrange: fc.tuple(
    key,
    fc.constant('+'),
    fc.constant('-'),
    fc.constant('COUNT'),
    fc.constantFrom('1', '9'),
  ),
  xtrim: fc.tuple(key, fc.constant('MINID'), fc.constantFrom('0-1', '99999999999999-0')),
};

const command = fc.constantFrom(...Object.keys(argumentsOf)).chain((name) => {
  return (argumentsOf[name] as fc.Arbitrary<readonly string[]>).map((args) => [name, ...args]);
});

/** Ids of a stream hold the time, and a time to live has run for some milliseconds: both differ by the moment. */
function steady(reply: unknown, name: string): unknown {
  if (/^p(?:ttl|expiretime)$/.test(name) && Number(reply) > 0)
    return Math.round(Number(reply) / 60_000);
  if (Array.isArray(reply)) {
    const list = reply.map((one) => steady(one, name));
    return name === 'smembers' ? list.map(String).toSorted() : list;
  }
  return typeof reply === 'string' && /^\d{13}-\d+$/.test(reply) ? 'an id' : reply;
}

async function replyOf(asked: Promise<unknown>, name: string): Promise<unknown> {
  try {
    return steady(await asked, name);
  } catch (error) {
    // What follows names the script, and the place in it.
    return `error ${(error as Error).message.replace(/ script: .*$/, '').replace(/\.$/, '')}`;
  }
}

/** By a script, for ioredis makes an object of some replies by their commands. */
function realReply(name: string, args: readonly string[]): Promise<unknown> {
  if (name === 'eval') return redis.call(name, ...args);
  return redis.call('eval', 'return redis.call(unpack(ARGV))', 0, name, ...args);
}

async function bothReplies(
  model: ReturnType<typeof clientOf>,
  [name = '', ...args]: readonly string[],
) {
  const [real, modelled] = await Promise.all([
    replyOf(realReply(name, args), name),
    replyOf(model.call(name, ...args), name),
  ]);
  return { real, modelled };
}

test('every command of the model is compared, but for the time', () => {
  const { time, ...compared } = commands;
  expect(time).toBeDefined();
  expect(Object.keys(argumentsOf).toSorted()).toEqual(Object.keys(compared).toSorted());
});

test('the model answers each command as Redis does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (list) => {
      await redis.flushall();
      const model = clientOf(await RedisModel.create(() => systemClock.now()));
      for (const sent of list) {
        const { real, modelled } = await bothReplies(model, sent);
        expect({ sent, reply: modelled }).toEqual({ sent, reply: real });
      }
    }),
    { numRuns: runs(300) },
  );
});

/** What a script may do with numbers, texts and replies: the places where Lua 5.4 differs from 5.1. */
const bodies = [
  "return 1 .. '|' .. 2 .. '|' .. #ARGV",
  "return tonumber(ARGV[1]) and string.format('%.0f', tonumber(ARGV[1])) or 'none'",
  'return { #ARGV[1], #ARGV[2], tonumber(#ARGV[1]) }',
  "return string.format('%.0f', (tonumber(ARGV[1]) or 0) + (tonumber(ARGV[2]) or 0))",
  "return (tonumber(ARGV[1]) or 0) + (tonumber(ARGV[2]) or 0) > 9007199254740991 and 'out' or 'in'",
  'return { 1, 2, nil, 4 }',
  'return { 1.9, false, true, {} }',
  "return { 'a', { 'b', { 'c' } } }",
  "return string.match(ARGV[1], '^(%S+) (%S+)$')",
  "return redis.call('HGET', KEYS[1], 'missing') == false and 'false' or 'other'",
  "return redis.call('HMGET', KEYS[1], 'a', 'b')",
  "redis.call('HSET', KEYS[1], 'a', 3 / 2, 'b', 4 / 2, 'c', 9007199254740991) return redis.call('HGETALL', KEYS[1])",
  "redis.call('RPUSH', KEYS[2], unpack(ARGV)) return redis.call('LRANGE', KEYS[2], 0, -1)",
  "return redis.call('HGET', KEYS[1])",
  "return redis.call('LLEN', KEYS[1])",
  "redis.call('HSET', KEYS[1], 'a', '1') return redis.call('RPUSH', KEYS[1], 'x')",
  'return nil',
  'return math.floor(7 * ARGV[1] / 1000)',
  'return string.byte(ARGV[1]) or -1',
  'table.sort(ARGV) return ARGV',
  "return redis.call('XADD', KEYS[3], '*', 'e', ARGV[1])",
  "error('broken')",
];

test('the model runs scripts as Redis does', async () => {
  const body = fc.constantFrom(...bodies);
  const first = fc.constantFrom('#!lua', '#!lua flags=no-writes');
  const argument = fc.oneof(text, fc.maxSafeInteger().map(String));
  await fc.assert(
    fc.asyncProperty(first, body, argument, argument, async (line, source, one, other) => {
      await redis.flushall();
      const model = clientOf(await RedisModel.create(() => systemClock.now()));
      const sent = ['eval', `${line}\n${source}`, '3', '{t}a', '{t}b', '{t}c', one, other];
      const { real, modelled } = await bothReplies(model, sent);
      const isError =
        String(real).startsWith('error ') &&
        !/^error (?:ERR Write|WRONGTYPE|ERR [Ww]rong)/.test(String(real));
      if (isError) expect(String(modelled)).toMatch(/^error /);
      else expect({ source, reply: modelled }).toEqual({ source, reply: real });
    }),
    { numRuns: runs(1000) },
  );
});

test('a script that was not sent is unknown, and so it is once they were forgotten', async () => {
  const modelled = await RedisModel.create(() => systemClock.now());
  const model = clientOf(modelled);
  const { sha, source } = scripts.readRound;
  await expect(model.call('evalsha', sha, 1, 'k')).rejects.toThrow(/^NOSCRIPT /);
  await model.call('eval', source, 1, 'k');
  expect(await model.call('evalsha', sha, 1, 'k')).toEqual([]);
  modelled.forgetScripts();
  await expect(model.call('evalsha', sha, 1, 'k')).rejects.toThrow(/^NOSCRIPT /);
});
