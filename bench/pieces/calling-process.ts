// A contestant and its calls in one process: node calling-process.js <letter> <port of a Redis>. For each order it plays
// so many calls, and tells its parent the microseconds of processor that one took.
import { createServer, type RequestListener } from 'node:http';
import type { Redis } from 'ioredis';
import { createOperatorHandler } from '../../lib/operator/http/handler';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { operators } from '../contestants/kit-accounts';
import { limitOver } from '../contestants/limit';
import { type Call, callMakers } from '../load/calls';
import { CannedRedis } from './canned-redis';
import { Wire } from './wire';

/** Calls that are in work at once, each on its own connection. */
const connections = 32;

const listeners: Readonly<Record<string, (redis: Redis) => Promise<RequestListener>>> = {
  a: limitOver,
  async b(client) {
    const store = createRedisStore({ client });
    await store.ready();
    return createOperatorHandler({ store, operators }).handle;
  },
};

/** Calls to play. */
export interface CallOrder {
  readonly kind: 'round' | 'refused';
  readonly count: number;
}

/** A connection to the contestant, for one call at a time. */
class Line {
  private onAnswer: (answer: Buffer) => void = () => {};
  readonly socket = new Wire((chunks) => this.onAnswer(Buffer.concat(chunks)));

  play({ request, text }: Call): Promise<void> {
    return new Promise((resolve, reject) => {
      this.onAnswer = (answer) => {
        if (answer.includes(text)) resolve();
        else reject(new Error(`answered ${answer.toString()}`));
      };
      this.socket.push(request);
    });
  }
}

async function main(): Promise<void> {
  const [letter = '', port = ''] = process.argv.slice(2);
  const start = listeners[letter];
  if (start === undefined) throw new Error(`${letter} is not called in process`);
  const redis = new CannedRedis(Number(port));
  const server = createServer(await start(redis.client));
  const lines = Array.from({ length: connections }, () => new Line());
  for (const { socket } of lines) server.emit('connection', socket);
  const makers = { round: callMakers.round(), refused: callMakers.refused() };
  const [first] = lines;
  for (let call = 0; call < 2; call += 1) await first?.play(makers.round()); // the first one may have to send the script
  redis.can();
  process.on('message', ({ kind, count }: CallOrder) => {
    playAll(lines, Array.from({ length: count }, makers[kind])).then(
      (used) => process.send?.(used / count),
      fail,
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

/** As many at a time as there are lines; resolves to the microseconds of all. */
async function playAll(lines: readonly Line[], calls: readonly Call[]): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < calls.length; at += lines.length) {
    const wave = lines.flatMap((line, place) => {
      const call = calls[at + place];
      return call === undefined ? [] : [line.play(call)];
    });
    await Promise.all(wave);
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : 'a contestant failed'}\n`);
  process.exit(1);
}

main().catch(fail);
