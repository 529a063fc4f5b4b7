import { StoreUnsafeError } from '../../../wallet';
import { reasonOf, type RedisClient } from '../client/port';
import { scripts } from '../commands/scripts';

/** What the user of the connection must be allowed to do. */
export interface NeededRights {
  /** A key of the namespace. */
  readonly key: string;
  /** The commands that scripts run. */
  readonly commands: readonly string[];
  /** Whether the store waits for replicas. */
  readonly waits: boolean;
}

/**
 * Tries every command that the store needs, without an effect. A script whose user lacks a late command is made
 * in part: the balance has moved, the index or the expiry has not, and the retry is answered as done.
 * @throws StoreUnsafeError that names what is missing.
 */
export async function checkRights(
  server: RedisClient,
  { key, commands, waits }: NeededRights,
): Promise<void> {
  const tried = [...commands, ...(waits ? ['set'] : [])];
  const [refused, ...outside] = await Promise.all([
    server.call('eval', ...scripts.tryCommands.evaluated({ key, commands: tried })),
    isRefused(server.call('evalsha', '0'.repeat(40), 0)),
    waits && isRefused(server.call('wait', 0, 1)),
  ]);
  const names = ['evalsha', 'wait'].filter((_, at) => outside[at]);
  const missing = [...(refused as string[]), ...names];
  if (missing.length === 0) return;
  const rights = missing.map((name) => `+${name}`).join(' ');
  throw new StoreUnsafeError(
    `The Redis user may not run all that the store needs on the keys of ${key}: a commit would be made in part. Allow ${rights}.`,
  );
}

async function isRefused(reply: Promise<unknown>): Promise<boolean> {
  try {
    await reply;
    return false;
  } catch (error) {
    return reasonOf(error).startsWith('NOPERM');
  }
}
