import type {
  RedisArgument,
  RedisClient,
  RedisPipeline,
} from '../../../../lib/operator/stores/redis/client/port';
import { type Reply, ReplyError } from './reply';
import type { RedisModel } from './server';

/** A command on its way: its name, and its arguments as the server reads them. */
export interface SentCommand {
  readonly name: string;
  readonly args: readonly string[];
}

/** Carries a command to the server, where `work` runs it, and its reply back. */
export type Carry = (command: SentCommand, work: () => Promise<Reply>) => Promise<Reply>;

/** Nothing goes wrong on the way. */
const atOnce: Carry = (_, work) => work();

/** A client of the model, as the store takes one of ioredis; its connection is there, and stays. */
export function clientOf(model: RedisModel, carry: Carry = atOnce): RedisClient {
  const call = (name: string, ...args: RedisArgument[]): Promise<Reply> => {
    const command = { name, args: args.map(String) };
    return carry(command, async () => model.run(name, command.args));
  };
  const client = {
    status: 'ready',
    call,
    pipeline(): RedisPipeline {
      const sent: [string, ...RedisArgument[]][] = [];
      const pipeline: RedisPipeline = {
        call: (name, ...args) => sent.push([name, ...args]),
        exec: () =>
          Promise.all(
            sent.map(([name, ...args]) =>
              call(name, ...args).then(
                (reply): [Error | null, unknown] => [null, reply],
                (error: unknown): [Error | null, unknown] => {
                  if (error instanceof ReplyError) return [error, null];
                  throw error;
                },
              ),
            ),
          ),
      };
      return pipeline;
    },
    on: () => client,
    off: () => client,
    disconnect: () => {},
  };
  return client;
}
