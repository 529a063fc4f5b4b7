import type { StoreOptions } from '../stores/store-options';
import type { AccountStore, Logger } from '../wallet';
import { CommandFailure, messageOf } from './failure';
import type { StoreFlags } from './flags';
import { loadPeer } from './load-peer';

/** Addresses of a Redis. */
export const redisForm = /^rediss?(?:\+(?:sentinel|cluster))?:\/\//;

/** @throws CommandFailure for a flag that is wrong, and where ioredis is not installed. */
export function createRedis(
  flags: StoreFlags,
  options: StoreOptions,
  logger: Logger,
): AccountStore {
  const { store: url, acceptLoss, namespace, waitReplicas } = flags;
  const { createRedisStore } = loadPeer('ioredis', 'A Redis store', loadRedis);
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

function loadRedis(): typeof import('../stores/redis') {
  return require('../stores/redis') as typeof import('../stores/redis');
}
