import { StoreUnsafeError } from '../errors';
import { createMemoryStore } from '../stores/memory';
import type { AccountStore } from '../wallet';
import { CommandFailure, messageOf, plainLine, withoutLogin } from './failure';
import type { StoreFlags } from './flags';
import type { EarlyLog } from './log';

/** Which store, and how. */
export interface StoreChoice extends StoreFlags {
  /** See StoreOptions. */
  readonly retentionMs?: number;
}

/** A store that is ready. */
export interface OpenedStore {
  readonly store: AccountStore;
  /** The scheme of its address: `memory`, `redis`, `redis+cluster`. */
  readonly kind: string;
  /** Its address, without user name and password. */
  readonly address: string;
}

const redisForm = /^rediss?(?:\+(?:sentinel|cluster))?:\/\//;

/**
 * Opens the store of an address, and waits until it was found safe to keep money.
 * @throws CommandFailure for an address that is none, a store that is not reached or not safe, and
 * where ioredis is not installed. The address may hold a password, so it is never repeated whole.
 */
export async function openStore(choice: StoreChoice, log: EarlyLog): Promise<OpenedStore> {
  const address = withoutLogin(choice.store);
  const kind = address.split(':', 1)[0] ?? '';
  const { decimals, retentionMs } = choice;
  const options = {
    ...(decimals === undefined ? {} : { decimals }),
    ...(retentionMs === undefined ? {} : { retentionMs }),
  };
  if (choice.store === 'memory:') return { store: createMemoryStore(options), kind, address };
  if (!redisForm.test(choice.store)) {
    throw new CommandFailure(
      '--store must be memory: or an address of redis://, rediss://, redis+sentinel:// or redis+cluster://',
    );
  }
  const store = createRedis(choice, options, log);
  try {
    await store.ready();
  } catch (error) {
    await store.close();
    throw new CommandFailure(`The store ${address} cannot be used: ${reasonOf(error, log)}`);
  }
  return { store, kind, address };
}

function createRedis(choice: StoreChoice, options: object, logger: EarlyLog): AccountStore {
  const { store: url, acceptLoss, namespace, waitReplicas } = choice;
  const { createRedisStore } = loadRedis();
  try {
    return createRedisStore({
      ...options,
      url,
      logger,
      acceptLoss: acceptLoss === true,
      ...(namespace === undefined ? {} : { namespace }),
      ...(waitReplicas === undefined ? {} : { waitReplicas }),
    });
  } catch (error) {
    throw new CommandFailure(`--store: ${messageOf(error)}`);
  }
}

/** Loaded late: ioredis is the user's own, and the memory store works without it. */
function loadRedis(): typeof import('../stores/redis') {
  try {
    return require('../stores/redis') as typeof import('../stores/redis');
  } catch (error) {
    const isMissing =
      error instanceof Error && /Cannot find (?:module|package) 'ioredis'/.test(error.message);
    if (!isMissing) throw error;
    throw new CommandFailure(
      'A Redis store needs the package ioredis beside this one: npm install ioredis',
    );
  }
}

function reasonOf(error: unknown, log: EarlyLog): string {
  const message = messageOf(error);
  if (error instanceof StoreUnsafeError) {
    const isSetting = /must be|cannot be checked/.test(message);
    return isSetting ? `${message} For development, --accept-loss uses it all the same.` : message;
  }
  const reason = log.reasons.at(-1);
  return reason === undefined || message.includes(reason)
    ? message
    : `${message} ${plainLine(reason)}`;
}
