export { createRedisStore, type RedisStoreOptions } from './create-redis-store';
export type { RedisArgument, RedisClient, RedisClusterClient, RedisPipeline } from './redis-client';
