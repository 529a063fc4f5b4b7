import type { Keyspace } from './keyspace';
import { type Reply, ReplyError } from './reply';
import { streamCommands } from './stream-commands';

/** A command over keys. */
export interface Command {
  readonly isWrite: boolean;
  /** Arguments behind its name, at least. */
  readonly least: number;
  readonly run: (keys: Keyspace, args: readonly string[]) => Reply;
}

type Run = Command['run'];

const reads = (least: number, run: Run): Command => ({ isWrite: false, least, run });
const writes = (least: number, run: Run): Command => ({ isWrite: true, least, run });

const hashCommands: Readonly<Record<string, Command>> = {
  hget: reads(2, (keys, [key = '', field = '']) => keys.read(key, 'hash')?.get(field) ?? null),
  hmget: reads(2, (keys, [key = '', ...fields]) => {
    const hash = keys.read(key, 'hash');
    return fields.map((field) => hash?.get(field) ?? null);
  }),
  hgetall: reads(1, (keys, [key = '']) => [...(keys.read(key, 'hash') ?? [])].flat()),
  hkeys: reads(1, (keys, [key = '']) => [...(keys.read(key, 'hash')?.keys() ?? [])]),
  hvals: reads(1, (keys, [key = '']) => [...(keys.read(key, 'hash')?.values() ?? [])]),
  hlen: reads(1, (keys, [key = '']) => keys.read(key, 'hash')?.size ?? 0),
  hset: writes(3, (keys, [key = '', ...pairs]) => {
    if (pairs.length % 2 === 1) throw arity('hset');
    const hash = keys.write(key, 'hash');
    const before = hash.size;
    for (let at = 0; at < pairs.length; at += 2) hash.set(pairs[at] ?? '', pairs[at + 1] ?? '');
    return hash.size - before;
  }),
  hsetnx: writes(3, (keys, [key = '', field = '', value = '']) => {
    const hash = keys.write(key, 'hash');
    if (hash.has(field)) return 0;
    hash.set(field, value);
    return 1;
  }),
  hdel: writes(2, (keys, [key = '', ...fields]) => {
    const hash = keys.read(key, 'hash');
    const removed = fields.filter((field) => hash?.delete(field)).length;
    keys.tidy(key);
    return removed;
  }),
  hincrby: writes(3, (keys, [key = '', field = '', by = '']) => {
    const step = integer(by, 'value');
    const sum = integer(keys.read(key, 'hash')?.get(field) ?? '0', 'hash value') + step;
    keys.write(key, 'hash').set(field, String(sum));
    return Number(sum);
  }),
};

const listCommands: Readonly<Record<string, Command>> = {
  rpush: writes(2, (keys, [key = '', ...values]) => keys.write(key, 'list').push(...values)),
  llen: reads(1, (keys, [key = '']) => keys.read(key, 'list')?.length ?? 0),
  lindex: reads(2, (keys, [key = '', at = '']) => {
    return keys.read(key, 'list')?.at(Number(integer(at, 'value'))) ?? null;
  }),
  lrange: reads(3, (keys, [key = '', from = '', to = '']) => {
    const list = keys.read(key, 'list') ?? [];
    const [first, last] = [from, to].map((bound) => {
      const place = Number(integer(bound, 'value'));
      return place < 0 ? place + list.length : place;
    }) as [number, number];
    return list.slice(Math.max(0, first), Math.max(0, last + 1));
  }),
  lrem: writes(3, (keys, [key = '', count = '', value = '']) => {
    const list = keys.read(key, 'list') ?? [];
    if (integer(count, 'value') !== 1n) throw notModelled('LREM with another count than 1');
    const place = list.indexOf(value);
    if (place < 0) return 0;
    list.splice(place, 1);
    keys.tidy(key);
    return 1;
  }),
};

const setCommands: Readonly<Record<string, Command>> = {
  sadd: writes(2, (keys, [key = '', ...members]) => addTo(keys.write(key, 'set'), members)),
  srem: writes(2, (keys, [key = '', ...members]) => {
    const set = keys.read(key, 'set');
    const removed = members.filter((member) => set?.delete(member)).length;
    keys.tidy(key);
    return removed;
  }),
  smembers: reads(1, (keys, [key = '']) => [...(keys.read(key, 'set') ?? [])]),
};

/** Scores are whole numbers. A range by names is one of members with the same score. */
const sortedSetCommands: Readonly<Record<string, Command>> = {
  zadd: writes(3, (keys, [key = '', score = '', ...members]) => {
    if (members.length !== 1) throw notModelled('ZADD of several members');
    const index = keys.write(key, 'index');
    const before = index.size;
    index.set(members[0] ?? '', Number(integer(score, 'value')));
    return index.size - before;
  }),
  zrem: writes(2, (keys, [key = '', ...members]) => {
    const index = keys.read(key, 'index');
    const removed = members.filter((member) => index?.delete(member)).length;
    keys.tidy(key);
    return removed;
  }),
  zrange: reads(4, (keys, [key = '', low = '', high = '', by = '', ...rest]) => {
    const range = rangeOf(rest.map((word) => word.toUpperCase()));
    const isWithin = within(by.toUpperCase(), low, high);
    return [...(keys.read(key, 'index') ?? [])]
      .filter(isWithin)
      .toSorted(([one, first], [other, second]) => first - second || byBytes(one, other))
      .slice(...range.places)
      .flatMap(([member, score]) => (range.withScores ? [member, String(score)] : [member]));
  }),
};

/** Whether a member and its score are within the bounds of a ZRANGE. */
function within(
  by: string,
  low: string,
  high: string,
): (entry: readonly [member: string, score: number]) => boolean {
  if (by === 'BYLEX' && high === '+') return ([member]) => isAbove(member, low);
  if (by !== 'BYSCORE') throw notModelled('such a ZRANGE');
  const [from, to] = [low.replace('(', ''), high].map(Number) as [number, number];
  const isAfter = low.startsWith('(')
    ? (score: number) => score > from
    : (score: number) => low === '-inf' || score >= from;
  return ([, score]) => isAfter(score) && score <= to;
}

/** What is behind the bounds of a ZRANGE. */
function rangeOf(words: readonly string[]) {
  const withScores = words.at(-1) === 'WITHSCORES';
  const [limit, skip = '', count = '', ...more] = withScores ? words.slice(0, -1) : words;
  if (limit === undefined) return { places: [0] as [number], withScores };
  if (limit !== 'LIMIT' || more.length > 0) throw notModelled('such a ZRANGE');
  const from = Number(integer(skip, 'value'));
  const places = [from, from + Number(integer(count, 'value'))] as [number, number];
  return { places, withScores };
}

const keyCommands: Readonly<Record<string, Command>> = {
  exists: reads(1, (keys, names) => names.filter((name) => keys.has(name)).length),
  persist: writes(1, (keys, [key = '']) => {
    return keys.leftMs(key) >= 0 && keys.keep(key, null) ? 1 : 0;
  }),
  pexpire: writes(2, (keys, [key = '', ms = '']) => {
    return keys.keep(key, Number(integer(ms, 'value'))) ? 1 : 0;
  }),
  pexpireat: writes(2, (keys, [key = '', at = '']) => {
    const left = keys.leftMs(key);
    const ms = Number(integer(at, 'value')) - keys.now();
    return left !== -2 && keys.keep(key, ms) ? 1 : 0;
  }),
  pttl: reads(1, (keys, [key = '']) => keys.leftMs(key)),
  time: reads(0, (keys) => {
    const now = keys.now();
    return [String(Math.floor(now / 1000)), String((now % 1000) * 1000)];
  }),
  pexpiretime: reads(1, (keys, [key = '']) => keys.expiresAt(key)),
  set: writes(2, (keys, [key = '', text = '', unit, ms]) => {
    keys.set(key, text, unit === undefined ? null : Number(ms));
    return 'OK';
  }),
};

/** Those that the store's scripts and the store itself use; each as Redis 7 has it, for the forms that they use. */
export const commands: Readonly<Record<string, Command>> = {
  ...hashCommands,
  ...listCommands,
  ...setCommands,
  ...sortedSetCommands,
  ...keyCommands,
  ...streamCommands,
};

/** Runs a command; its errors are those that a script sees. @throws ReplyError */
export function runCommand(
  keys: Keyspace,
  name: string,
  args: readonly string[],
  mayWrite = true,
): Reply {
  const command = commands[name.toLowerCase()];
  if (command === undefined) throw new ReplyError('ERR Unknown Redis command called from script');
  if (args.length < command.least) {
    throw new ReplyError('ERR Wrong number of args calling Redis command from script');
  }
  if (command.isWrite && !mayWrite) {
    throw new ReplyError('ERR Write commands are not allowed from read-only scripts.');
  }
  return command.run(keys, args);
}

function addTo(set: Set<string>, members: readonly string[]): number {
  const before = set.size;
  for (const member of members) set.add(member);
  return set.size - before;
}

function integer(text: string, what: string): bigint {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) {
    throw new ReplyError(
      `ERR ${what} is not an integer${what === 'value' ? ' or out of range' : ''}`,
    );
  }
  return BigInt(text);
}

function isAbove(member: string, bound: string): boolean {
  const order = byBytes(member, bound.slice(1));
  if (bound === '-') return true;
  return bound.startsWith('[') ? order >= 0 : order > 0;
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function arity(name: string): ReplyError {
  return new ReplyError(`ERR wrong number of arguments for '${name}' command`);
}

function notModelled(what: string): Error {
  return new Error(`the model of Redis does not have ${what}`);
}
