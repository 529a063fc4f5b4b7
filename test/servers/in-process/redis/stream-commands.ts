import type { Command } from './commands';
import type { StreamEntry } from './keyspace';
import { type Reply, ReplyError } from './reply';

type Id = Pick<StreamEntry, 'ms' | 'seq'>;

/** XADD, XLEN, XRANGE, XREVRANGE and XTRIM by MINID, of ids that the server gives. */
export const streamCommands: Readonly<Record<string, Command>> = {
  xadd: {
    isWrite: true,
    least: 4,
    run(keys, [key = '', id, ...fields]) {
      if (id !== '*') throw new Error('the model of Redis gives every id of a stream itself');
      const stream = keys.write(key, 'stream');
      const now = Math.floor(keys.now());
      const { last } = stream;
      const isLater = now > last.ms;
      stream.last = isLater ? { ms: now, seq: 0 } : { ms: last.ms, seq: last.seq + 1 };
      stream.entries.push({ ...stream.last, fields });
      return textOf(stream.last);
    },
  },
  xlen: {
    isWrite: false,
    least: 1,
    run: (keys, [key = '']) => keys.read(key, 'stream')?.entries.length ?? 0,
  },
  xrange: {
    isWrite: false,
    least: 3,
    run(keys, [key = '', from = '', to = '', ...rest]) {
      const entries = keys.read(key, 'stream')?.entries ?? [];
      return few(entries.filter(within(from, to)), rest);
    },
  },
  xrevrange: {
    isWrite: false,
    least: 3,
    run(keys, [key = '', to = '', from = '', ...rest]) {
      const entries = keys.read(key, 'stream')?.entries ?? [];
      return few(entries.filter(within(from, to)).toReversed(), rest);
    },
  },
  xtrim: {
    isWrite: true,
    least: 3,
    run(keys, [key = '', by, least = '']) {
      if (by?.toUpperCase() !== 'MINID') throw new Error('the model of Redis trims by MINID alone');
      const stream = keys.read(key, 'stream');
      const gone = stream?.entries.filter((entry) => compare(entry, readId(least, 0)) < 0) ?? [];
      stream?.entries.splice(0, gone.length);
      return gone.length;
    },
  },
};

function within(from: string, to: string): (entry: StreamEntry) => boolean {
  const isOpen = from.startsWith('(');
  const low = from === '-' ? { ms: 0, seq: 0 } : readId(isOpen ? from.slice(1) : from, 0);
  const high = to === '+' ? null : readId(to, Number.MAX_SAFE_INTEGER);
  return (entry) => {
    const order = compare(entry, low);
    return (isOpen ? order > 0 : order >= 0) && (high === null || compare(entry, high) <= 0);
  };
}

function few(entries: readonly StreamEntry[], [word, count]: readonly string[]): Reply {
  const all = word?.toUpperCase() === 'COUNT' ? entries.slice(0, Number(count)) : entries;
  return all.map((entry) => [textOf(entry), entry.fields]);
}

function readId(text: string, seq: number): Id {
  const [, ms, rest] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (ms === undefined) {
    throw new ReplyError('ERR Invalid stream ID specified as stream command argument');
  }
  return { ms: Number(ms), seq: rest === undefined ? seq : Number(rest) };
}

function compare(one: Id, other: Id): number {
  return one.ms - other.ms || one.seq - other.seq;
}

function textOf({ ms, seq }: Id): string {
  return `${ms}-${seq}`;
}
