import type { RedisInitReport, RedisStoreOptions } from '../../operator/stores/redis';
import type { MixedOptions } from '../../operator/stores/companions';
import type { LineageOptions } from '../../operator/stores/lineage';
import type { StoreOptions } from '../../operator/stores/store-options';
import { type FullStore, OtherTermsError } from '../../operator/wallet';
import type { Logger } from '../../platform';
import { CommandFailure, messageOf, orFail } from '../terminal/failure';
import type { StoreFlags } from '../terminal/flags';
import { loadPeer } from '../terminal/load-default';
import { defined } from '../../platform/validation/defined';

/** Addresses of Redis. */
export const redisForm = /^rediss?(?:\+(?:sentinel|cluster))?:\/\//;

/** What is created, and where. */
export type RedisInitOptions = Pick<
  RedisStoreOptions,
  'url' | 'namespace' | 'decimals' | 'unit' | 'acceptLoss' | 'assumeDurable'
>;

/** @throws CommandFailure for a wrong flag, or if ioredis is not installed. */
export function createRedis(
  flags: StoreFlags,
  options: StoreOptions & LineageOptions & MixedOptions,
  logger: Logger,
): FullStore {
  const { store: url, acceptLoss, assumeDurable, namespace, waitReplicas, init } = flags;
  const { createRedisStore } = loadRedis();
  return orFail('--store', () =>
    createRedisStore({
      ...options,
      url,
      logger,
      acceptLoss: acceptLoss === true,
      assumeDurable: assumeDurable === true,
      init: init === true,
      ...defined({ namespace, waitReplicas }),
    }),
  );
}

/**
 * Creates a store in an empty Redis. @throws CommandFailure for a wrong flag, or if ioredis is not
 * installed; what initRedis throws.
 */
export async function initStore(options: RedisInitOptions): Promise<RedisInitReport> {
  const { initRedis } = loadRedis();
  try {
    return await initRedis(options);
  } catch (error) {
    const said = error instanceof OtherTermsError ? error.complete(options) : null;
    if (said !== null) return initStore(said);
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(`--store: ${messageOf(error)}`);
  }
}

type Redis = typeof import('../../operator/stores/redis');

function loadRedis(): Redis {
  return loadPeer(
    'ioredis',
    'A Redis store',
    () => require('../../operator/stores/redis') as Redis,
  );
}
