export {
  createRedisStore,
  initRedis,
  type RedisInitReport,
  type RedisStoreOptions,
} from './create-redis-store';
export type { RedisArgument, RedisClient, RedisClusterClient, RedisPipeline } from './redis-client';
